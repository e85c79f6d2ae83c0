/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: finding matches
 *
 * A position's next bytes hash to a slot that holds the newest position with
 * the same hash. Levels with a search depth above 1 also keep, for every
 * position, the one before it with the same hash. Slots are cleared for every
 * block, so that what is found depends on the block only; an empty slot names
 * position 0, which is as good a candidate as any other.
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

#define MF_HASH_BITS		12
/* bytes that are hashed; shorter matches come from the repeat offset only */
#define MF_HASH_BYTES		5
/* positions closer to the end than this are not searched */
#define MF_TAIL			20

static __always_inline u32 mf_hash(u64 bytes)
{
	return ((bytes << (64 - 8 * MF_HASH_BYTES)) * 0x9e3779b185ebca87ULL) >>
		(64 - MF_HASH_BITS);
}

/**
 * mf_match_len() - length of the common run of two positions
 * @a: the later position, MF_TAIL bytes or more before @end
 * @b: the earlier one; the first SEQLZ_MIN_MATCH bytes are known to be the same
 * @end: where @a's bytes end
 *
 * Lengths are hard to predict, so that the first 16 bytes more are compared
 * without a branch on where they differ.
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
 */
static __always_inline u32 mf_match_back(const u8 *src, u32 pos, u32 offset, u32 max)
{
	const u8 *p = src + pos;
	u32 cand = pos - offset, len = 0;

	if (likely(cand >= 8)) {
		u64 diff = get_unaligned_le64(p - 8) ^ get_unaligned_le64(p - 8 - offset);

		len = (64 - fls64(diff)) >> 3;
		return min(len, max);
	}
	max = min(max, cand);
	while (len < max && *(p - 1 - len) == *(p - 1 - len - offset))
		len++;
	return len;
}

#endif /* _SEQLZ_MATCH_H */
