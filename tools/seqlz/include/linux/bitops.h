/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header */
#ifndef _SEQLZ_SHIM_LINUX_BITOPS_H
#define _SEQLZ_SHIM_LINUX_BITOPS_H

#define __ffs64(x) ((unsigned int)__builtin_ctzll(x))
#define fls64(x) ((x) ? 64 - __builtin_clzll(x) : 0)
#define fls(x) ((x) ? 32 - __builtin_clz(x) : 0)

#endif
