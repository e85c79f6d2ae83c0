// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* placeholder that stores pages; replaced before anything is submitted */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/seqlz.h>
#include <linux/string.h>
#include <asm/page.h>

size_t seqlz_workmem_size(int level)
{
	if (level < SEQLZ_LEVEL_MIN || level > SEQLZ_LEVEL_MAX)
		return 0;
	return 12288;
}
EXPORT_SYMBOL_GPL(seqlz_workmem_size);

int seqlz_compress(const void *src, void *dst, size_t dst_len, void *workmem,
		   int level)
{
	u8 *out = dst;

	if (level < SEQLZ_LEVEL_MIN || level > SEQLZ_LEVEL_MAX)
		return -EINVAL;
	if (dst_len < PAGE_SIZE + 1)
		return -ENOSPC;
	out[0] = 0xff;
	memcpy(out + 1, src, PAGE_SIZE);
	return PAGE_SIZE + 1;
}
EXPORT_SYMBOL_GPL(seqlz_compress);

MODULE_DESCRIPTION("seqlz page compression");
MODULE_LICENSE("Dual MIT/GPL");
