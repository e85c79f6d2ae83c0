/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: hashes and lengths of matches
 */
#ifndef _SEQLZ_MATCH_H
#define _SEQLZ_MATCH_H

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/unaligned.h>
#include <asm/page.h>
#include "seqlz_format.h"

/* bytes that are hashed; shorter matches hardly come from anything but the repeat offset */
#define MF_HASH_BYTES		5
/* positions closer to the end than this are not searched */
#define MF_TAIL			20

static __always_inline u32 mf_hash(u64 bytes, const u32 bits)
{
	return bytes * (0x9e3779b185ebca87ULL << (64 - 8 * MF_HASH_BYTES)) >> (64 - bits);
}

/**
 * mf_match_15() - length of the common run of two positions, up to 15 bytes
 * @bytes: the 8 bytes at @a
 * @a: the later position, 16 bytes or more before the end
 * @b: the earlier one
 *
 * Return: the length.
 */
static __always_inline u32 mf_match_15(u64 bytes, const u8 *a, const u8 *b)
{
	u64 near = bytes ^ get_unaligned_le64(b);
	u64 far = get_unaligned_le64(a + 8) ^ get_unaligned_le64(b + 8);
	u64 same = -(u64)!near;

	return (8 & same) + (__ffs64(near | (far & same) | 1ULL << 63) >> 3);
}

/**
 * mf_match_len() - length of the common run of two positions
 * @a: the later position, MF_TAIL bytes or more before @end
 * @b: the earlier one; the first SEQLZ_MIN_MATCH bytes are known to be the same
 * @end: where @a's bytes end
 *
 * Lengths are hard to predict, so that the first 16 bytes more are compared
 * without a branch on where they differ.
 *
 * Return: the length.
 */
static __always_inline u32 mf_match_len(const u8 *a, const u8 *b, const u8 *end)
{
	u64 near = get_unaligned_le64(a + 4) ^ get_unaligned_le64(b + 4);
	u64 far = get_unaligned_le64(a + 12) ^ get_unaligned_le64(b + 12);
	u64 same = -(u64)!near;
	u64 diff = near | (far & same);
	u32 len = 4 + (8 & same);

	static_assert(MF_TAIL == 20);

	if (likely(diff))
		return len + (__ffs64(diff) >> 3);
	for (len = 20; end - a >= len + 8; len += 8) {
		diff = get_unaligned_le64(a + len) ^ get_unaligned_le64(b + len);
		if (diff)
			return len + (__ffs64(diff) >> 3);
	}
	while (a + len < end && a[len] == b[len])
		len++;
	return len;
}

/**
 * mf_match_back() - length of the common run before two positions
 * @src: start of the block
 * @pos: the later position
 * @offset: distance to the earlier one
 * @max: no more than this many bytes
 *
 * Return: the length, 7 at most where 8 bytes can be looked at.
 */
static __always_inline u32 mf_match_back(const u8 *src, u32 pos, u32 offset, u32 max)
{
	const u8 *p = src + pos;
	u32 cand = pos - offset, len = 0;

	if (likely(cand >= 8)) {
		u64 diff = get_unaligned_le64(p - 8) ^ get_unaligned_le64(p - 8 - offset);

		/* up to 7 are seen */
		len = (64 - fls64(diff | 1)) >> 3;
		return min(len, max);
	}
	max = min(max, cand);
	while (len < max && *(p - 1 - len) == *(p - 1 - len - offset))
		len++;
	return len;
}

#endif /* _SEQLZ_MATCH_H */
