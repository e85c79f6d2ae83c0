/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header */
#ifndef _SEQLZ_SHIM_LINUX_MODULE_H
#define _SEQLZ_SHIM_LINUX_MODULE_H

#define MODULE_DESCRIPTION(text) _Static_assert(1, text)
#define MODULE_LICENSE(text) _Static_assert(1, text)
#define module_exit(fn) _Static_assert(1, #fn)

#endif
