// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz: compression
 *
 * Above the lowest level a block is parsed first: all its sequences are known
 * before the first is written, which lets the encoder choose the tables that
 * suit the block best.
 * See seqlz_format.h for the format.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/seqlz.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <asm/page.h>
#include "seqlz_private.h"

size_t seqlz_workmem_size(int level)
{
	if (level < SEQLZ_LEVEL_MIN || level > SEQLZ_LEVEL_MAX)
		return 0;
	if (level == SEQLZ_LEVEL_MIN)
		return seqlz_fast_memory();
	return seqlz_parse_memory(level);
}
EXPORT_SYMBOL_GPL(seqlz_workmem_size);

static int compress_stored(const u8 *src, u8 *dst, size_t dst_len)
{
	if (dst_len < SEQLZ_STORED_SIZE)
		return -ENOSPC;
	dst[0] = SEQLZ_HEAD_STORED;
	memcpy(dst + 1, src, SEQLZ_BLOCK_SIZE);
	return SEQLZ_STORED_SIZE;
}

static int compress_block(const u8 *src, u8 *dst, size_t dst_len,
			  void *workmem, int level)
{
	/* a coded block is never longer than a stored one */
	size_t coded_max = min_t(size_t, dst_len, SEQLZ_STORED_SIZE - 1);
	struct seqlz_parse parse;
	int ret;

	if (level == SEQLZ_LEVEL_MIN) {
		ret = seqlz_fast(src, workmem, dst, coded_max);
	} else {
		seqlz_parse(src, workmem, level, &parse);
		ret = seqlz_encode(src, workmem, &parse, level, dst, coded_max);
	}
	if (ret == -ENOSPC)
		ret = compress_stored(src, dst, dst_len);
	return ret;
}

int seqlz_compress(const void *src, void *dst, size_t dst_len, void *workmem,
		   int level)
{
	const u8 *in = src;
	u8 *out = dst;
	size_t len = 0;
	u32 i;

	/* the interface promises that 2 * PAGE_SIZE bytes are enough */
	static_assert(SEQLZ_NR_BLOCKS * (SEQLZ_STORED_SIZE + SEQLZ_SIZE_BYTES) <=
		      2 * PAGE_SIZE);

	static_assert(SEQLZ_NR_BLOCKS >= 1 && SEQLZ_NR_BLOCKS * SEQLZ_BLOCK_SIZE == PAGE_SIZE);

	if (level < SEQLZ_LEVEL_MIN || level > SEQLZ_LEVEL_MAX)
		return -EINVAL;

	for (i = 0; i < SEQLZ_NR_BLOCKS; i++) {
		size_t size_bytes = i + 1 < SEQLZ_NR_BLOCKS ? SEQLZ_SIZE_BYTES : 0;
		int ret;

		if (dst_len - len < size_bytes)
			return -ENOSPC;
		ret = compress_block(in + i * SEQLZ_BLOCK_SIZE, out + len + size_bytes,
				     dst_len - len - size_bytes, workmem, level);
		if (ret < 0)
			return ret;
		if (size_bytes)
			put_unaligned_le16(ret, out + len);
		len += size_bytes + ret;
	}
	return len;
}
EXPORT_SYMBOL_GPL(seqlz_compress);

MODULE_DESCRIPTION("seqlz page compression");
MODULE_LICENSE("Dual MIT/GPL");
