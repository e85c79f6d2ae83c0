/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks that no encoder writes, put together after lib/seqlz/seqlz_format.h, with
 * the library's codes. Nothing else of the library is used.
 */
#ifndef SEQLZ_BLOCKS_H
#define SEQLZ_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* in bytes, PAGE_SIZE has to be known */
#include "seqlz_format.h"

/* by symbol: length of its code, 0 if it has none, and the code */
struct code {
	unsigned int len[SEQLZ_NR_TOKENS + 1];
	unsigned int code[SEQLZ_NR_TOKENS + 1];
};

extern struct code lit_code[SEQLZ_NR_LIT_TABLES];
extern struct code len_code[2];		/* of literals, of matches */
extern struct code token_code[SEQLZ_NR_TOKEN_TABLES];

/* once, before any of the codes is used */
void make_codes(void);

/* bits on their way to @data; @nr: how many so far */
struct bits {
	uint8_t *data;
	unsigned long nr;
};

void put(struct bits *b, unsigned int value, unsigned int nr);

/* fill the last byte up; returns the number of bytes */
unsigned long whole_bytes(struct bits *b);

/* a run of literals, then a match; @last: offset of the match before */
struct seq {
	unsigned int lit_len, match_len, offset, last;
};

/* a sequence with the codes @c, its token escaped if it has none or if @escape is set */
void put_seq(struct bits *b, const struct code *c, const struct seq *seq, bool escape);

#endif
