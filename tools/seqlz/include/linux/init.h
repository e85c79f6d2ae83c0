/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header */
#ifndef _SEQLZ_SHIM_LINUX_INIT_H
#define _SEQLZ_SHIM_LINUX_INIT_H

#define __init		__attribute__((__constructor__))
#define __exit		__attribute__((__unused__))
#define subsys_initcall(fn) \
	_Static_assert(1, #fn)

#endif
