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
#include <linux/compiler.h>
#include <linux/types.h>
#include <linux/unaligned.h>
#include <asm/page.h>
#include "seqlz_format.h"

#define MF_HASH_BITS		12
/* bytes that are hashed; shorter matches come from the repeat offset only */
#define MF_HASH_BYTES		5
/* positions closer to the end than this are not searched: 8 bytes are loaded */
#define MF_TAIL			12

struct mf_match {
	u32 len;		/* 0: none */
	u32 offset;
};

static __always_inline u32 mf_hash(u64 bytes)
{
	return ((bytes << (64 - 8 * MF_HASH_BYTES)) * 0x9e3779b185ebca87ULL) >>
		(64 - MF_HASH_BITS);
}

/**
 * mf_count() - length of the common run of two positions
 * @a: the later position
 * @b: the earlier one
 * @end: where @a's bytes end
 */
static __always_inline u32 mf_count(const u8 *a, const u8 *b, const u8 *end)
{
	const u8 *start = a;

	while (end - a >= 8) {
		u64 diff = get_unaligned_le64(a) ^ get_unaligned_le64(b);

		if (diff)
			return a - start + (__ffs64(diff) >> 3);
		a += 8;
		b += 8;
	}
	while (a < end && *a == *b) {
		a++;
		b++;
	}
	return a - start;
}

/* bits that an offset costs beside its token, about */
static __always_inline u32 mf_offset_bits(u32 offset, u32 last)
{
	if (offset == last || offset == 8)
		return 0;
	if (offset < 16)
		return 4;
	if (!(offset & 7))
		return offset <= 256 ? 5 : SEQLZ_BLOCK_SHIFT - 3;
	return offset < 256 ? 8 : SEQLZ_BLOCK_SHIFT;
}

#endif /* _SEQLZ_MATCH_H */
