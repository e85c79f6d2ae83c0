/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: what processors have that helps
 *
 * On x86-64 the decoder's loops are compiled a second time, for the shifts and
 * rotations of BMI and BMI2. These work on general registers, so that nothing has
 * to be saved for them. A static branch decides which are used.
 */
#ifndef _SEQLZ_ARCH_H
#define _SEQLZ_ARCH_H

#include <linux/compiler.h>
#include <linux/types.h>

#ifdef CONFIG_X86_64
#include <linux/jump_label.h>

DECLARE_STATIC_KEY_FALSE(seqlz_bmi2);

#define SEQLZ_BMI2	__attribute__((__target__("bmi,bmi2")))

static __always_inline bool seqlz_has_bmi2(void)
{
	return static_branch_likely(&seqlz_bmi2);
}
#else
#define SEQLZ_BMI2

static __always_inline bool seqlz_has_bmi2(void)
{
	return false;
}
#endif

#endif /* _SEQLZ_ARCH_H */
