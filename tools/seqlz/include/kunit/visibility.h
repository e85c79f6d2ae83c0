/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header */
#ifndef _SEQLZ_SHIM_KUNIT_VISIBILITY_H
#define _SEQLZ_SHIM_KUNIT_VISIBILITY_H

#define EXPORT_SYMBOL_IF_KUNIT(sym) _Static_assert(1, #sym)

#endif
