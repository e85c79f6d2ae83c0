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
#include "seqlz_entry.h"
#include "seqlz_format.h"

extern const u32 seqlz_token_decode[SEQLZ_NR_TOKEN_TABLES][1 << SEQLZ_TOKEN_BITS];
extern const u16 seqlz_token_codes[SEQLZ_NR_TOKEN_TABLES][SEQLZ_NR_TOKENS + 1];
extern const u32 seqlz_len_decode[2][1 << SEQLZ_LEN_BITS];
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
