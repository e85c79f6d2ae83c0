/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * User-space stand-in for the kernel header. The library is compiled with
 * -fvisibility=hidden, so that what the kernel exports is what the shared
 * library exports.
 */
#ifndef _SEQLZ_SHIM_LINUX_EXPORT_H
#define _SEQLZ_SHIM_LINUX_EXPORT_H

#define EXPORT_SYMBOL_GPL(sym) \
	extern __typeof__(sym) sym __attribute__((visibility("default")))

#endif
