// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz: which decoder an x86-64 processor gets
 */
#include <kunit/visibility.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <asm/cpufeature.h>
#include "seqlz_arch.h"

struct static_key_false seqlz_bmi2 = STATIC_KEY_FALSE_INIT;
EXPORT_SYMBOL_IF_KUNIT(seqlz_bmi2);

static int __init seqlz_x86_init(void)
{
	if (boot_cpu_has(X86_FEATURE_BMI1) && boot_cpu_has(X86_FEATURE_BMI2))
		static_branch_enable(&seqlz_bmi2);
	return 0;
}
subsys_initcall(seqlz_x86_init);

static void __exit seqlz_x86_exit(void)
{
}
module_exit(seqlz_x86_exit);
