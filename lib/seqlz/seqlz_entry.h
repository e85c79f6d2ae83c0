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
 *	 31   30     29   22 21   16 15   13 12 11    8 7      0
 *	+----+------+-------+-------+-------+--+-------+--------+
 *	|slow|escape|   0   | match | class |0 | lit.  | bits   |
 *	|    |      |       | length|       |  | length| used   |
 *	+----+------+-------+-------+-------+--+-------+--------+
 *
 * "Bits used" counts code and offset. "Slow" is set where it takes more than
 * that: with long lengths, and in the escape's entry.
 */
#define SEQLZ_ENT_MATCH(e)	((e) >> 16)
#define SEQLZ_ENT_SLOW_MATCH(e)	((e) >> 16 & 63)
#define SEQLZ_ENT_CLASS_X32(e)	((e) >> 8 & 7 << 5)
#define SEQLZ_ENT_LIT(e)	((e) >> 8 & 15)
#define SEQLZ_ENT_USED(e)	((e) & 255)

#define SEQLZ_ENT_SLOW		0x80000000U
#define SEQLZ_ENT_ESCAPE	0x40000000U
#define SEQLZ_ENT_IS_ESCAPE(e)	((e) & SEQLZ_ENT_ESCAPE)

#define SEQLZ_ENTRY(used, class, lcode, mcode) \
	((used) | (lcode) << 8 | (class) << 13 | ((mcode) + SEQLZ_MIN_MATCH) << 16)

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

/* the entry of a token with a code of @len bits */
static inline unsigned int seqlz_token_entry(unsigned int block_shift, unsigned int len,
					     unsigned int class, unsigned int mcode,
					     unsigned int lcode)
{
	unsigned int e = SEQLZ_ENTRY(len + seqlz_offset_bits(block_shift, class),
				     class, lcode, mcode);

	if (lcode >= SEQLZ_LCODE_LONG || mcode >= SEQLZ_MCODE_LONG)
		e |= SEQLZ_ENT_SLOW;
	return e;
}

static inline unsigned int seqlz_escape_entry(unsigned int len)
{
	return SEQLZ_ENT_SLOW | SEQLZ_ENT_ESCAPE | len;
}

/*
 * Decoding a long length: the code's lowest value << 16 | number of extra bits
 * << 8 | code length.
 */
#define SEQLZ_LEN_BASE(e)	((e) >> 16)
#define SEQLZ_LEN_EXTRA(e)	((e) >> 8 & 15)
#define SEQLZ_LEN_CODE_LEN(e)	((e) & 15)

static inline unsigned int seqlz_len_entry(unsigned int len, unsigned int code)
{
	unsigned int above = code - SEQLZ_LEN_SINGLES;

	if (code < SEQLZ_LEN_SINGLES)
		return code << 16 | len;
	return ((2 | (above & 1)) << (above / 2 + 2)) << 16 | (above / 2 + 2) << 8 | len;
}

/*
 * Decoding literals: symbol << 8 | code length. A mask as wide as a shift count
 * costs nothing.
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
