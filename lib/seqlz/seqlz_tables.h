/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: coding and decoding tables
 *
 * gen_seqlz_tables makes them at build time of the trained code lengths.
 */
#ifndef _SEQLZ_TABLES_H
#define _SEQLZ_TABLES_H

#include <linux/types.h>
#include <asm/page.h>
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
#define SEQLZ_ENT_FAST		(1U << 31)
#define SEQLZ_ENT_REPEAT	(1U << 30)
/* all ones if "rep" is set, else zero */
#define SEQLZ_ENT_REPEAT_MASK(e) ((u32)((s32)((e) << 1) >> 31))
#define SEQLZ_ENT_MCODE(e)	((e) >> 25 & 31)
#define SEQLZ_ENT_LCODE(e)	((e) >> 21 & 15)
#define SEQLZ_ENT_LOW(e)	((e) >> 18 & 7)
#define SEQLZ_ENT_SHIFT(e)	((e) >> 12 & 63)
#define SEQLZ_ENT_LEN(e)	((e) >> 6 & 63)
#define SEQLZ_ENT_ALL(e)	((e) & 63)
#define SEQLZ_MCODE_ESCAPE	31

/* offset bits of a class, and the ones at the end of its offsets less 1 */
#define SEQLZ_CLASS_OFF_BITS(c)	(SEQLZ_CLASS_EXTRA >> 4 * (c) & 15)
#define SEQLZ_CLASS_LOW(c)	(0x07070170U >> 4 * (c) & 7)
#define SEQLZ_CLASS_SHIFT(c) \
	(63 - SEQLZ_CLASS_OFF_BITS(c) - \
	 (SEQLZ_CLASS_OFF_BITS(c) && SEQLZ_CLASS_LOW(c) ? 3 : 0))

#define SEQLZ_ENTRY(len, class, mcode, lcode) \
	(((len) + SEQLZ_CLASS_OFF_BITS(class)) | (len) << 6 | \
	 SEQLZ_CLASS_SHIFT(class) << 12 | SEQLZ_CLASS_LOW(class) << 18 | \
	 (u32)(lcode) << 21 | (u32)(mcode) << 25 | \
	 ((class) == SEQLZ_CLASS_REPEAT ? SEQLZ_ENT_REPEAT : 0) | \
	 ((mcode) >= SEQLZ_MCODE_LONG || (lcode) == SEQLZ_LCODE_LONG ? 0 : SEQLZ_ENT_FAST))

#define SEQLZ_ESCAPE_ENTRY(len) \
	(((len) + SEQLZ_TOKEN_SYM_BITS) | (len) << 6 | \
	 (u32)SEQLZ_MCODE_ESCAPE << 25)

/*
 * Literals and codes of long lengths: symbol << 8 | code length. A mask as wide
 * as a shift count costs nothing.
 */
#define SEQLZ_SYM_ENTRY(len, sym)	((sym) << 8 | (len))
#define SEQLZ_SYM_LEN(e)		((e) & 63)
#define SEQLZ_SYM(e)			((e) >> 8)

/* coding: code << 4 | code length */
#define SEQLZ_CODE_ENTRY(len, code)	((code) << 4 | (len))
#define SEQLZ_CODE_LEN(e)		((e) & 15)
#define SEQLZ_CODE(e)			((e) >> 4)

extern const u32 seqlz_token_decode[SEQLZ_NR_TOKEN_TABLES][1 << SEQLZ_TOKEN_BITS];
extern const u16 seqlz_token_codes[SEQLZ_NR_TOKEN_TABLES][SEQLZ_NR_TOKENS + 1];
extern const u16 seqlz_len_decode[2][1 << SEQLZ_LEN_BITS];
extern const u16 seqlz_len_codes[2][SEQLZ_NR_LENS];
extern const u16 seqlz_lit_decode[SEQLZ_NR_LIT_TABLES][1 << SEQLZ_LIT_BITS];
extern const u16 seqlz_lit_codes[SEQLZ_NR_LIT_TABLES][256];

/*
 * Code lengths, a byte for every table, lowest first: one addition prices a
 * token or a literal for all of them. A token without a code costs the escape.
 */
extern const u32 seqlz_token_prices[SEQLZ_NR_TOKENS];
extern const u64 seqlz_lit_prices[SEQLZ_NR_LIT_TABLES / 8][256];

#endif /* _SEQLZ_TABLES_H */
