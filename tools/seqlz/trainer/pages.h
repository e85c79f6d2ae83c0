/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Page files, taken apart by the library's own parser
 */
#ifndef _TRAINER_PAGES_H
#define _TRAINER_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include "../../../lib/seqlz/seqlz_format.h"

#define RAW		-1

struct page {
	uint16_t lits[2][256];		/* histograms: literals, differences */
	uint16_t *tokens;
	uint8_t *lens;			/* codes of long lengths; matches' + SEQLZ_NR_LENS */
	uint32_t nr_tokens;
	uint32_t nr_lens;
	uint32_t nr_lits;
	uint32_t extra_bits;		/* of offsets and long lengths */
	double weight;
	double lit_bits;		/* by the codes chosen last */
	double token_bits;
	int lit_table, token_table;
};

struct corpus {
	struct page *pages;
	size_t nr, room;
};

void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* the last part of a path */
const char *base_name(const char *path);

/* adds the pages of a file; every file weighs the same, however many it has */
void load(struct corpus *c, const char *name);

#endif /* _TRAINER_PAGES_H */
