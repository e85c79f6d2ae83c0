/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: the trained code lengths, for gen_seqlz_tables
 */
#ifndef _SEQLZ_CODES_H
#define _SEQLZ_CODES_H

#include "seqlz_format.h"

/**
 * struct seqlz_token_code - which tokens have a code of their own
 * @nr: number of tokens by code length
 * @sym: the tokens, those with shorter codes first
 */
struct seqlz_token_code {
	unsigned short nr[SEQLZ_TOKEN_BITS + 1];
	unsigned short sym[1 << (SEQLZ_TOKEN_BITS - 1)];
};

/**
 * struct seqlz_codes - code lengths of all tables of a block size
 * @lit: of the literals 0 to 255, a hex digit each; plain tables, then those
 *	for differences
 * @len: the same of the codes of long literal and long match lengths
 * @token: of the tokens
 */
struct seqlz_codes {
	const char *lit[SEQLZ_NR_LIT_TABLES];
	const char *len[2];
	struct seqlz_token_code token[SEQLZ_NR_TOKEN_TABLES];
};

#include "seqlz_codes_4k.h"
#include "seqlz_codes_16k.h"

#endif /* _SEQLZ_CODES_H */
