/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: what parser and encoder share
 */
#ifndef _SEQLZ_PRIVATE_H
#define _SEQLZ_PRIVATE_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/seqlz.h>
#include <linux/types.h>
#include <asm/page.h>
#include "seqlz_format.h"
#include "seqlz_match.h"

/*
 * A sequence as the parser leaves it for the encoder: a run of literals, then
 * a match.
 *
 *	 31   29 28          15 14      7 6       0
 *	+-------+--------------+---------+---------+
 *	| class |   offset     |  match  | literal |
 *	|       |              | length  | length  |
 *	+-------+--------------+---------+---------+
 *
 * The match length is held less SEQLZ_MIN_MATCH. If one of the lengths does not
 * fit, the match length's field is SEQLZ_SEQ_LONG, and the next word holds both:
 * the match length in the upper half, the literal length in the lower.
 *
 * Words never outnumber SEQLZ_BLOCK_SIZE / SEQLZ_MIN_MATCH: a sequence of one
 * word covers SEQLZ_MIN_MATCH bytes or more, one of two words 128 or more.
 */
#define SEQLZ_SEQ_LIT_MAX	127
#define SEQLZ_SEQ_LONG		255

static __always_inline u32 seqlz_pack(u32 class, u32 offset, u32 mlen, u32 lit_len)
{
	return class << 29 | offset << 15 | mlen << 7 | lit_len;
}

#define SEQLZ_MAX_WORDS		(SEQLZ_BLOCK_SIZE == 4096 ? 1024 : 2048)

/**
 * struct seqlz_parse - a block, taken apart
 * @seqs: packed sequences, see above
 * @nr_words: number of words in @seqs
 * @nr_seqs: number of sequences
 * @nr_lits: number of literals, those after the last sequence included
 */
struct seqlz_parse {
	const u32 *seqs;
	u32 nr_words;
	u32 nr_seqs;
	u32 nr_lits;
};

/*
 * With hardly a match, a block's literals are taken from where they are instead
 * of being gathered, which bounds the memory for them.
 */
#define SEQLZ_LITS_ROOM		4096
#define SEQLZ_LITS_SLACK	16
#define SEQLZ_GATHER_MAX	(SEQLZ_LITS_ROOM - SEQLZ_LITS_SLACK)
#define SEQLZ_MATCHED_MIN	80

/* the encoder's memory, as the caller of seqlz_compress() gives it */
struct seqlz_workmem {
	union {
		u16 head[1U << MF_HASH_BITS];	/* while parsing */
		u8 lits[2][SEQLZ_LITS_ROOM];	/* while encoding */
	};
	u32 seqs[SEQLZ_MAX_WORDS];
	u16 deep_prev[];	/* levels 3 and 4 only: SEQLZ_BLOCK_SIZE */
};

/**
 * struct seqlz_seq - a sequence
 * @lit_len: literal length
 * @mlen: match length less SEQLZ_MIN_MATCH
 * @offset: how far back the match starts
 * @class: the offset's class, enum seqlz_offset_class
 */
struct seqlz_seq {
	u32 lit_len;
	u32 mlen;
	u32 offset;
	u32 class;
};

/* the packed words of one sequence, unpacked; returns the words behind it */
static __always_inline const u32 *seqlz_next_seq(const u32 *w, struct seqlz_seq *seq)
{
	seq->class = w[0] >> 29;
	seq->offset = w[0] >> 15 & 0x3fff;
	seq->mlen = w[0] >> 7 & 0xff;
	seq->lit_len = w[0] & 0x7f;
	if (likely(seq->mlen != SEQLZ_SEQ_LONG))
		return w + 1;
	seq->mlen = w[1] >> 16;
	seq->lit_len = w[1] & 0xffff;
	return w + 2;
}

/* a choice without a branch: what decides is hard to predict */
static __always_inline u32 seqlz_choose(bool first, u32 a, u32 b)
{
	return b ^ ((a ^ b) & -(u32)first);
}

static __always_inline u32 seqlz_offset_class(u32 offset, u32 last)
{
	u32 size = (offset > 16) + (offset > 256);
	u32 odd = SEQLZ_CLASS_TINY | SEQLZ_CLASS_NEAR << 4 | SEQLZ_CLASS_FAR << 8;
	u32 eights = SEQLZ_CLASS_NEAR8 | SEQLZ_CLASS_NEAR8 << 4 | SEQLZ_CLASS_FAR8 << 8;
	u32 class = seqlz_choose(offset & 7, odd, eights) >> 4 * size & 15;

	class = seqlz_choose(offset == 8, SEQLZ_CLASS_EIGHT, class);
	class = seqlz_choose(offset == 2, SEQLZ_CLASS_TWO, class);
	return seqlz_choose(offset == last, SEQLZ_CLASS_REPEAT, class);
}

/* number of offset bits behind the token, by class, a hex digit each */
#define SEQLZ_CLASS_BITS_TABLE \
	((SEQLZ_BLOCK_SHIFT + 0U) << 28 | (SEQLZ_BLOCK_SHIFT - 3) << 24 | 0x854000)

static __always_inline u32 seqlz_class_bits(u32 class)
{
	return SEQLZ_CLASS_BITS_TABLE >> 4 * class & 15;
}

static __always_inline u32 seqlz_token(const struct seqlz_seq *seq)
{
	u32 lcode = min_t(u32, seq->lit_len, SEQLZ_LCODE_LONG);
	u32 mcode = min_t(u32, seq->mlen, SEQLZ_MCODE_LONG);

	return (seq->class << SEQLZ_MCODE_BITS | mcode) << SEQLZ_LCODE_BITS | lcode;
}

/* what stands behind a token that does not repeat an offset, if anything */
static __always_inline u32 seqlz_offset_extra(u32 offset)
{
	return seqlz_choose(offset & 7, offset, offset / 8) - 1;
}

/**
 * seqlz_len_code() - code of a long length
 * @len: length less what the token can say
 * @extra_bits: (output) number of its low bits behind the code
 */
static __always_inline u32 seqlz_len_code(u32 len, u32 *extra_bits)
{
	u32 top;

	*extra_bits = 0;
	if (len < SEQLZ_LEN_SINGLES)
		return len;
	top = fls(len) - 1;
	*extra_bits = top - 1;
	return SEQLZ_LEN_SINGLES + 2 * (top - 3) + (len >> (top - 1) & 1);
}

/* are the sizes of the parts of n literals two bytes wide? */
static __always_inline bool seqlz_wide_sizes(u32 nr_lits)
{
	u32 each = nr_lits / SEQLZ_NR_STREAMS, rest = SEQLZ_NR_STREAMS - 1;

	return (each * SEQLZ_LIT_BITS + 7) / 8 + ((each + rest) * SEQLZ_LIT_BITS + 7) / 8 > 255;
}

/* the distance of literal differences, see seqlz_format.h */
static __always_inline u32 seqlz_diff_distance(u32 last)
{
	/* smallest multiples of 0 to 7 that are at least 8, a hex digit each */
	return last >= 8 ? last : 0xeca89888 >> 4 * last & 15;
}

size_t seqlz_parse_memory(int level);
void seqlz_parse(const u8 *src, struct seqlz_workmem *wm, int level,
		 struct seqlz_parse *parse);

/* returns the length of the coded block, or -ENOSPC */
int seqlz_encode(const u8 *src, struct seqlz_workmem *wm,
		 const struct seqlz_parse *parse, u8 *dst, size_t dst_len);

/*
 * The lowest level: returns the length of the coded block, or -ENOSPC. What is
 * behind it in dst, up to dst_len, may be changed.
 */
struct seqlz_fast_mem;

size_t seqlz_fast_memory(void);
int seqlz_fast(const u8 *src, struct seqlz_fast_mem *mem, u8 *dst, size_t dst_len);

#endif /* _SEQLZ_PRIVATE_H */
