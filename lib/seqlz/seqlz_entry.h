/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: entries of the tables, for the library and for gen_seqlz_tables
 */
#ifndef _SEQLZ_ENTRY_H
#define _SEQLZ_ENTRY_H

#include "seqlz_format.h"

/*
 * Decoding a token: its code stands in the highest bits of the index. An entry
 * holds all that copying needs, so that the usual sequence is one look-up:
 *
 *	 31   30  29   25 24   21 20    18 17    12 11     6 5      0
 *	+----+---+-------+-------+--------+--------+--------+--------+
 *	|fast|rep| mcode | lcode | low    | offset | code   | all    |
 *	|    |   |       |       | ones   | shift  | length | bits   |
 *	+----+---+-------+-------+--------+--------+--------+--------+
 *
 * The bits behind the code, shifted right by one and then by the offset shift,
 * with the low ones set, are the offset less 1. "All bits" counts code and
 * offset. "Fast" is not set where it takes more than that: with long lengths, and
 * in the escape's entry, whose mcode is SEQLZ_MCODE_ESCAPE.
 */
#define SEQLZ_ENT_FAST		0x80000000U
#define SEQLZ_ENT_REPEAT	0x40000000U
/* all ones if "rep" is set, else zero */
#define SEQLZ_ENT_REPEAT_MASK(e) ((u32)((s32)((e) << 1) >> 31))
#define SEQLZ_ENT_MCODE(e)	((e) >> 25 & 31)
#define SEQLZ_ENT_LCODE(e)	((e) >> 21 & 15)
#define SEQLZ_ENT_LOW(e)	((e) >> 18 & 7)
#define SEQLZ_ENT_SHIFT(e)	((e) >> 12 & 63)
#define SEQLZ_ENT_LEN(e)	((e) >> 6 & 63)
#define SEQLZ_ENT_ALL(e)	((e) & 63)

#define SEQLZ_MCODE_ESCAPE	31

/* number of offset bits behind the token */
static inline unsigned int seqlz_offset_bits(unsigned int block_shift, unsigned int class)
{
	switch (class) {
	case SEQLZ_CLASS_TINY:
		return 4;
	case SEQLZ_CLASS_NEAR8:
		return 5;
	case SEQLZ_CLASS_NEAR:
		return 8;
	case SEQLZ_CLASS_FAR8:
		return block_shift - 3;
	case SEQLZ_CLASS_FAR:
		return block_shift;
	}
	return 0;
}

/* the bits at the end of an offset less 1 that its class tells */
static inline unsigned int seqlz_low_ones(unsigned int class)
{
	switch (class) {
	case SEQLZ_CLASS_TWO:
		return 1;
	case SEQLZ_CLASS_EIGHT:
	case SEQLZ_CLASS_NEAR8:
	case SEQLZ_CLASS_FAR8:
		return 7;
	}
	return 0;
}

/* the entry of a token with a code of @len bits */
static inline unsigned int seqlz_token_entry(unsigned int block_shift, unsigned int len,
					     unsigned int class, unsigned int mcode,
					     unsigned int lcode)
{
	unsigned int bits = seqlz_offset_bits(block_shift, class);
	unsigned int low = seqlz_low_ones(class);
	/* the low ones are shifted in, whatever they are, and then set */
	unsigned int shift = 63 - bits - (bits && low ? 3 : 0);
	unsigned int e = (len + bits) | len << 6 | shift << 12 | low << 18 |
			 lcode << 21 | mcode << 25;

	if (class == SEQLZ_CLASS_REPEAT)
		e |= SEQLZ_ENT_REPEAT;
	if (lcode < SEQLZ_LCODE_LONG && mcode < SEQLZ_MCODE_LONG)
		e |= SEQLZ_ENT_FAST;
	return e;
}

static inline unsigned int seqlz_escape_entry(unsigned int len)
{
	return (len + SEQLZ_TOKEN_SYM_BITS) | len << 6 | (unsigned int)SEQLZ_MCODE_ESCAPE << 25;
}

/*
 * Decoding literals and codes of long lengths: symbol << 8 | code length. A
 * mask as wide as a shift count costs nothing.
 */
#define SEQLZ_SYM_ENTRY(len, sym)	((sym) << 8 | (len))
#define SEQLZ_SYM_LEN(e)		((e) & 63)
#define SEQLZ_SYM(e)			((e) >> 8)

/*
 * Coding literals: code << 6 | code length. The low 6 bits of a sum of entries
 * are the sum of their lengths, as long as that is below 64.
 */
#define SEQLZ_LIT_ENTRY(len, code)	((code) << 6 | (len))
#define SEQLZ_LIT_LEN(e)		((e) & 63)
#define SEQLZ_LIT_CODE(e)		((e) >> 6)

/* coding tokens and long lengths: code << 4 | code length */
#define SEQLZ_CODE_ENTRY(len, code)	((code) << 4 | (len))
#define SEQLZ_CODE_LEN(e)		((e) & 15)
#define SEQLZ_CODE(e)			((e) >> 4)

#endif /* _SEQLZ_ENTRY_H */
