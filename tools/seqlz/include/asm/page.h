/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header: the page size is set by -DPAGE_SHIFT=... */
#ifndef _SEQLZ_SHIM_ASM_PAGE_H
#define _SEQLZ_SHIM_ASM_PAGE_H

#ifndef PAGE_SHIFT
#error "compile with -DPAGE_SHIFT=12, 14 or 16"
#endif
#define PAGE_SIZE (1UL << PAGE_SHIFT)

#endif
