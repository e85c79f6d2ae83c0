/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header */
#ifndef _SEQLZ_SHIM_LINUX_COMPILER_H
#define _SEQLZ_SHIM_LINUX_COMPILER_H

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#undef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#undef noinline
#define noinline	__attribute__((__noinline__))

/* what the kernel's configuration tells */
#if defined(__x86_64__) && !defined(CONFIG_X86_64)
#define CONFIG_X86_64	1
#endif

#endif
