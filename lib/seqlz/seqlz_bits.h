/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: bits in and out, most significant first
 */
#ifndef _SEQLZ_BITS_H
#define _SEQLZ_BITS_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <linux/unaligned.h>

/**
 * struct seqlz_bitwriter - bits on their way to memory
 * @acc: bits not yet written, the newest lowest; what is above them is stale
 * @nr: number of bits in @acc
 * @p: where the next byte goes; never beyond @end
 * @end: end of the memory
 * @last: the last place where 8 bytes can be written
 * @overflow: bytes were dropped for want of room
 */
struct seqlz_bitwriter {
	u64 acc;
	u32 nr;
	u8 *p;
	u8 *end;
	u8 *last;
	bool overflow;
};

static __always_inline void bw_init(struct seqlz_bitwriter *bw, u8 *p, u8 *end)
{
	bw->acc = 0;
	bw->nr = 0;
	bw->p = p;
	bw->end = end;
	bw->last = end - 8;
	bw->overflow = false;
}

/* at most 57 bits between two flushes */
static __always_inline void bw_put(struct seqlz_bitwriter *bw, u64 val, u32 nr)
{
	bw->acc = bw->acc << nr | val;
	bw->nr += nr;
}

/* write the whole bytes; fewer than 8 bits are left */
static __always_inline void bw_flush(struct seqlz_bitwriter *bw)
{
	u64 out = bw->acc << 1 << (63 - bw->nr);

	if (likely(bw->p <= bw->last)) {
		put_unaligned_be64(out, bw->p);
		bw->p += bw->nr >> 3;
		bw->nr &= 7;
		return;
	}
	for (; bw->nr >= 8; bw->nr -= 8, out <<= 8) {
		if (bw->p == bw->end)
			bw->overflow = true;
		else
			*bw->p++ = out >> 56;
	}
}

/**
 * bw_finish() - fill the last byte up with zero bits
 * @bw: the writer
 *
 * Return: where the next byte goes, or NULL if not everything fit.
 */
static __always_inline u8 *bw_finish(struct seqlz_bitwriter *bw)
{
	bw_flush(bw);
	if (bw->nr) {
		bw_put(bw, 0, 8 - bw->nr);
		bw_flush(bw);
	}
	return bw->overflow ? NULL : bw->p;
}

/* the bits of 8 bytes from bit @pos on, at least 57 of them valid */
static __always_inline u64 br_load(const u8 *p, long pos)
{
	return get_unaligned_be64(p + (pos >> 3)) << (pos & 7);
}

/**
 * br_load_careful() - br_load() near the end of the memory
 * @p: start of the stream
 * @len: bytes that may be read from @p on; bits beyond them come as zero
 * @pos: which bit is wanted highest
 */
static inline u64 br_load_careful(const u8 *p, size_t len, u32 pos)
{
	u64 bits = 0;
	u32 i;

	if ((pos >> 3) + 8 <= len)
		return br_load(p, pos);
	for (i = pos >> 3; i < (pos >> 3) + 8; i++)
		bits = bits << 8 | (i < len ? p[i] : 0);
	return bits << (pos & 7);
}

/*
 * br_load() for a stream whose bytes are in reverse: @pos bits of the memory are
 * in front of its bits to come
 */
static __always_inline u64 br_load_back(const u8 *p, long pos)
{
	return get_unaligned_le64(p + ((pos + 7) >> 3) - 8) << (-pos & 7);
}

/* br_load_back() near the start of the memory; bits before it come as zero */
static inline u64 br_load_back_careful(const u8 *p, long pos)
{
	u64 bits = 0;
	long i;

	if (pos > 56)
		return br_load_back(p, pos);
	for (i = 0; i < (pos + 7) >> 3; i++)
		bits = bits >> 8 | (u64)p[i] << 56;
	return bits << (-pos & 7);
}

/* are the bits from @pos to the end of its byte zero? */
static inline bool br_padding_ok(const u8 *p, u32 pos)
{
	return !(pos & 7) || !(u8)(p[pos >> 3] << (pos & 7));
}

/* br_padding_ok() for a stream whose bytes are in reverse */
static inline bool br_back_padding_ok(const u8 *p, u32 pos)
{
	return !(pos & 7) || !(u8)(p[pos >> 3] << (8 - (pos & 7)));
}

#endif /* _SEQLZ_BITS_H */
