/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: what parser and encoder share
 */
#ifndef _SEQLZ_PRIVATE_H
#define _SEQLZ_PRIVATE_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/seqlz.h>
#include <linux/types.h>
#include <asm/page.h>
#include "seqlz_format.h"
#include "seqlz_match.h"

/*
 * A sequence as the parser leaves it for the encoder: a run of literals, then
 * a match.
 *
 *	 31         16 15      8 7       0
 *	+-------------+---------+---------+
 *	|   offset    |  match  | literal |
 *	|             | length  | length  |
 *	+-------------+---------+---------+
 *
 * The match length is held less SEQLZ_MIN_MATCH. If one of the lengths does
 * not fit, its field is SEQLZ_SEQ_LONG and the next word holds both: the match
 * length in the upper half, the literal length in the lower.
 *
 * Words never outnumber SEQLZ_BLOCK_SIZE / SEQLZ_MIN_MATCH: a sequence of one
 * word covers SEQLZ_MIN_MATCH bytes or more, one of two words 255 or more.
 */
#define SEQLZ_SEQ_LONG		255

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

/* the packed words of one sequence, unpacked; returns the words behind it */
static __always_inline const u32 *seqlz_next_seq(const u32 *w, u32 *lit_len,
						 u32 *mlen, u32 *offset)
{
	*offset = w[0] >> 16;
	*mlen = w[0] >> 8 & 0xff;
	*lit_len = w[0] & 0xff;
	if (likely(*mlen != SEQLZ_SEQ_LONG || *lit_len != SEQLZ_SEQ_LONG))
		return w + 1;
	*mlen = w[1] >> 16;
	*lit_len = w[1] & 0xffff;
	return w + 2;
}

static __always_inline u32 seqlz_offset_class(u32 offset, u32 last)
{
	if (offset == last)
		return SEQLZ_CLASS_REPEAT;
	if (offset == 8)
		return SEQLZ_CLASS_EIGHT;
	if (offset == 2)
		return SEQLZ_CLASS_TWO;
	if (offset <= 16 && (offset & 7))
		return SEQLZ_CLASS_TINY;
	if (!(offset & 7))
		return offset <= 256 ? SEQLZ_CLASS_NEAR8 : SEQLZ_CLASS_FAR8;
	return offset <= 256 ? SEQLZ_CLASS_NEAR : SEQLZ_CLASS_FAR;
}

/**
 * seqlz_token() - token of a sequence
 * @mlen: match length less SEQLZ_MIN_MATCH
 * @last: the repeat offset
 * @extra_bits: (output) number of offset bits behind the token
 */
static __always_inline u32 seqlz_token(u32 lit_len, u32 mlen, u32 offset,
				       u32 last, u32 *extra_bits)
{
	u32 class = seqlz_offset_class(offset, last);
	u32 lcode = lit_len < SEQLZ_LCODE_LONG ? lit_len : SEQLZ_LCODE_LONG;
	u32 mcode = mlen < SEQLZ_MCODE_LONG ? mlen : SEQLZ_MCODE_LONG;

	*extra_bits = SEQLZ_CLASS_EXTRA >> 4 * class & 15;
	return (class << SEQLZ_MCODE_BITS | mcode) << SEQLZ_LCODE_BITS | lcode;
}

/* what stands behind a token that does not repeat an offset, if anything */
static __always_inline u32 seqlz_offset_extra(u32 offset)
{
	return offset & 7 ? offset - 1 : offset / 8 - 1;
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

/* are the sizes of the streams of n literals two bytes wide? */
static __always_inline bool seqlz_wide_sizes(u32 nr_lits)
{
	return (nr_lits / 4 * SEQLZ_LIT_BITS + 7) / 8 > 255;
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

#endif /* _SEQLZ_PRIVATE_H */
