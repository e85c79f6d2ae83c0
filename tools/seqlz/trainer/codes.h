/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The codes, what they cost, and which of them a page takes
 */
#ifndef _TRAINER_CODES_H
#define _TRAINER_CODES_H

#include <stdint.h>
#include "pages.h"

#define MAX_LIT_TABLES	62

struct lit_code {
	uint8_t len[256];
};

struct token_code {
	uint8_t len[SEQLZ_NR_TOKENS + 1];	/* 0: escaped */
};

struct codes {
	int nr_lit[2];
	struct lit_code lit[MAX_LIT_TABLES];	/* plain ones, then differences */
	struct token_code token[SEQLZ_NR_TOKEN_TABLES];
	uint8_t lens[2][SEQLZ_NR_LENS];
};

extern struct codes codes;

int nr_lit_tables(void);

void assign_literals(struct corpus *c);
void assign_tokens(struct corpus *c);
/* adds the codes of long lengths to the extra bits, once they are known */
void price_lens(struct corpus *c);

/* one line: what the pages take with the codes assigned to them */
void print_price(const char *what, const struct corpus *c);

#endif /* _TRAINER_CODES_H */
