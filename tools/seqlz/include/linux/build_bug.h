/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header */
#ifndef _SEQLZ_SHIM_LINUX_BUILD_BUG_H
#define _SEQLZ_SHIM_LINUX_BUILD_BUG_H

#define static_assert(expr) _Static_assert(expr, #expr)

#endif
