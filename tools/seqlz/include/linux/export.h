/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * User-space stand-in for the kernel header. The shared libraries are compiled
 * with -fvisibility=hidden: they export what the public header declares. (An
 * attribute in EXPORT_SYMBOL_GPL() would come after the definition, which
 * clang ignores.)
 */
#ifndef _SEQLZ_SHIM_LINUX_EXPORT_H
#define _SEQLZ_SHIM_LINUX_EXPORT_H

#pragma GCC visibility push(default)
#include <linux/seqlz.h>
#pragma GCC visibility pop

#define EXPORT_SYMBOL_GPL(sym) _Static_assert(1, #sym)

#endif
