/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: what parser, encoder and decoder share
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
 *	  31   30  26 25          12 11       0
 *	+------+------+--------------+---------+
 *	| long |  -   |    offset    |  token  |
 *	+------+------+--------------+---------+
 *
 * "Long" is set if one of the lengths is more than the token says. Then both are
 * in a word at the other end of the memory, from where such words go down: the
 * match length less SEQLZ_MIN_MATCH in the upper half, the literal length in
 * the lower.
 *
 * The parser stops when the memory is full. That long lengths take some of it
 * hardly matters: blocks with many sequences have few of these.
 */
#define SEQLZ_SEQ_LONG		0x80000000U
#define SEQLZ_SEQ_TOKEN(w)	((w) & (SEQLZ_NR_TOKENS - 1))
#define SEQLZ_SEQ_CLASS(w)	(SEQLZ_SEQ_TOKEN(w) >> (SEQLZ_MCODE_BITS + SEQLZ_LCODE_BITS))
#define SEQLZ_SEQ_OFFSET(w)	((w) >> SEQLZ_TOKEN_SYM_BITS & 0x3fff)

#define SEQLZ_MAX_WORDS		SEQLZ_MAX_SEQS

/**
 * struct seqlz_parse - a block, taken apart
 * @nr_seqs: number of sequences
 * @nr_lits: number of literals, those after the last sequence included
 */
struct seqlz_parse {
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

/* sizes of the tables of positions */
#define MF_ONE_BITS	12
#define MF_TWO_BITS	12
#define MF_FOUR_BITS	11

/* the memory of levels 2 to 4, as the caller of seqlz_compress() gives it */
struct seqlz_workmem {
	u32 words[SEQLZ_MAX_WORDS];		/* sequences */
	union {
		/* while parsing, by hash: the newest positions */
		u16 one[1U << MF_ONE_BITS];	/* level 2 */
		u32 two[1U << MF_TWO_BITS];	/* level 3 */
		u64 four[1U << MF_FOUR_BITS];	/* level 4 */
		/* while encoding */
		u8 lits[2][SEQLZ_LITS_ROOM];
	};
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

/* a sequence, unpacked; @longs, which goes down, is moved on if its lengths are there */
static __always_inline void seqlz_get_seq(u32 w, const u32 **longs, struct seqlz_seq *seq)
{
	seq->class = SEQLZ_SEQ_CLASS(w);
	seq->offset = SEQLZ_SEQ_OFFSET(w);
	seq->mlen = w >> SEQLZ_LCODE_BITS & ((1U << SEQLZ_MCODE_BITS) - 1);
	seq->lit_len = w & ((1U << SEQLZ_LCODE_BITS) - 1);
	if (unlikely(w & SEQLZ_SEQ_LONG)) {
		seq->mlen = **longs >> 16;
		seq->lit_len = **longs & 0xffff;
		--*longs;
	}
}

/* how the parser leaves sequences */
struct seqlz_seq_writer {
	u32 *words;
	u32 nr;		/* sequences so far */
	u32 end;	/* where the last long lengths are */
};

static __always_inline struct seqlz_seq_writer seqlz_first_seq(struct seqlz_workmem *wm)
{
	return (struct seqlz_seq_writer){ .words = wm->words, .end = SEQLZ_MAX_WORDS };
}

/* @class is as SEQLZ_KIND_CLASS() has it. There must be room. */
static __always_inline void seqlz_put_seq(struct seqlz_seq_writer *sw, u32 lit_len,
					  u32 mlen, u32 offset, u32 class)
{
	/* negative if one of the lengths is long */
	s32 fit = (SEQLZ_LCODE_LONG - 1 - lit_len) | (SEQLZ_MCODE_LONG - 1 - mlen);
	u32 token = class | min_t(u32, mlen, SEQLZ_MCODE_LONG) << SEQLZ_LCODE_BITS |
		    min_t(u32, lit_len, SEQLZ_LCODE_LONG);

	sw->words[sw->nr++] = offset << SEQLZ_TOKEN_SYM_BITS | token | (fit & SEQLZ_SEQ_LONG);
	sw->words[sw->end - 1] = mlen << 16 | lit_len;
	sw->end += fit >> 31;
}

/* a word is written for long lengths before it is known whether they are long */
static __always_inline bool seqlz_seqs_full(const struct seqlz_seq_writer *sw)
{
	return sw->nr + 2 > sw->end;
}

/* a choice without a branch: what decides is hard to predict */
static __always_inline u32 seqlz_choose(bool first, u32 a, u32 b)
{
	return b ^ ((a ^ b) & -(u32)first);
}

/**
 * seqlz_len_code() - code of a long length
 * @len: length less what the token can say
 * @extra_bits: (output) number of its low bits behind the code
 *
 * Return: the code.
 */
static __always_inline u32 seqlz_len_code(u32 len, u32 *extra_bits)
{
	bool single = len < SEQLZ_LEN_SINGLES;
	u32 top = fls(len | SEQLZ_LEN_SINGLES) - 1;

	*extra_bits = seqlz_choose(single, 0, top - 1);
	return seqlz_choose(single, len, SEQLZ_LEN_SINGLES + 2 * (top - 3) +
					 (len >> (top - 1) & 1));
}

/* the distance of literal differences, see seqlz_format.h */
static __always_inline u32 seqlz_diff_distance(u32 last)
{
	/* smallest multiples of 0 to 7 that are at least 8, a hex digit each */
	u32 multiple = 0xeca89888 >> (4 * last & 31) & 15;

	return last < 8 ? multiple : last;
}

size_t seqlz_parse_memory(int level);
void seqlz_parse(const u8 *src, struct seqlz_workmem *wm, int level,
		 struct seqlz_parse *parse);

/* returns the length of the coded block, or -ENOSPC */
int seqlz_encode(const u8 *src, struct seqlz_workmem *wm,
		 const struct seqlz_parse *parse, int level, u8 *dst, size_t dst_len);

/*
 * The lowest level: returns the length of the coded block, or -ENOSPC. What is
 * behind it in dst, up to dst_len, may be changed.
 */
struct seqlz_fast_mem;

size_t seqlz_fast_memory(void);
int seqlz_fast(const u8 *src, struct seqlz_fast_mem *mem, u8 *dst, size_t dst_len);

#endif /* _SEQLZ_PRIVATE_H */

