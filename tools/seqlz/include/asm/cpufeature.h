/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header: bits of leaf 7, register EBX */
#ifndef _SEQLZ_SHIM_ASM_CPUFEATURE_H
#define _SEQLZ_SHIM_ASM_CPUFEATURE_H

#include <stdbool.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#define X86_FEATURE_BMI1	3
#define X86_FEATURE_BMI2	8

static inline bool boot_cpu_has(unsigned int bit)
{
#ifdef __x86_64__
	unsigned int a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> bit & 1);
#else
	(void)bit;
	return false;
#endif
}

#endif
