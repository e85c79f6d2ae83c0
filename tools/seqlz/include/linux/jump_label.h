/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header: a static branch is a variable */
#ifndef _SEQLZ_SHIM_LINUX_JUMP_LABEL_H
#define _SEQLZ_SHIM_LINUX_JUMP_LABEL_H

#include <stdbool.h>

struct static_key_false {
	bool enabled;
};

#define DECLARE_STATIC_KEY_FALSE(name)	extern struct static_key_false name
#define STATIC_KEY_FALSE_INIT		{ .enabled = false }

#define static_branch_likely(key)	__builtin_expect((key)->enabled, 1)
#define static_branch_enable(key)	((void)((key)->enabled = true))
#define static_branch_disable(key)	((void)((key)->enabled = false))

#endif
