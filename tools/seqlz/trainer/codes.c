// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The codes, what they cost, and which of them a page takes
 */
#include <math.h>
#include <stdio.h>
#include "../../../lib/seqlz/seqlz_private.h"
#include "codes.h"

struct codes codes;

static double lit_price(const struct page *pg, int table)
{
	const uint16_t *hist = pg->lits[table >= codes.nr_lit[0]];
	const uint8_t *len = codes.lit[table].len;
	uint32_t sum = 0;
	int i;

	for (i = 0; i < 256; i++)
		sum += hist[i] * len[i];
	return sum;
}

int nr_lit_tables(void)
{
	return codes.nr_lit[0] + codes.nr_lit[1];
}

/* what a page's literals cost beside @bits for their codes: sizes and padding */
static double lit_overhead(const struct page *pg, double bits)
{
	if (pg->nr_lits < SEQLZ_SPLIT_MIN)
		return 4;
	return 3 * (bits > 8 * 3 * 255 ? 16 : 8) + 4 * 3.5;
}

void assign_literals(struct corpus *c)
{
	size_t i;
	int t;

	for (i = 0; i < c->nr; i++) {
		struct page *pg = &c->pages[i];

		pg->lit_table = RAW;
		pg->lit_bits = 8.0 * pg->nr_lits;
		for (t = 0; t < nr_lit_tables(); t++) {
			double bits = lit_price(pg, t);

			bits += lit_overhead(pg, bits);
			if (bits < pg->lit_bits) {
				pg->lit_bits = bits;
				pg->lit_table = t;
			}
		}
	}
}

static double token_price(const struct page *pg, const struct token_code *code)
{
	uint32_t i, bits = 0, escape = code->len[SEQLZ_TOKEN_ESCAPE] + SEQLZ_TOKEN_SYM_BITS;

	for (i = 0; i < pg->nr_tokens; i++) {
		uint8_t len = code->len[pg->tokens[i]];

		bits += len ? len : escape;
	}
	return bits;
}

void assign_tokens(struct corpus *c)
{
	size_t i;
	int t;

	for (i = 0; i < c->nr; i++) {
		struct page *pg = &c->pages[i];

		pg->token_bits = INFINITY;
		for (t = 0; t < SEQLZ_NR_TOKEN_TABLES; t++) {
			double bits = token_price(pg, &codes.token[t]);

			if (bits < pg->token_bits) {
				pg->token_bits = bits;
				pg->token_table = t;
			}
		}
	}
}

struct totals {
	double bytes, lit, token, extra, pages, raw, diff, weight;
};

static struct totals price(const struct corpus *c)
{
	struct totals sum = { 0 };
	size_t i;

	for (i = 0; i < c->nr; i++) {
		const struct page *pg = &c->pages[i];
		double w = pg->weight;
		double bytes = SEQLZ_HEAD_SIZE + (pg->lit_bits + pg->token_bits +
						  pg->extra_bits + 3.5) / 8;

		if (bytes > SEQLZ_BLOCK_SIZE + 1)
			bytes = SEQLZ_BLOCK_SIZE + 1;
		sum.bytes += w * bytes;
		sum.lit += w * pg->lit_bits / 8;
		sum.token += w * pg->token_bits / 8;
		sum.extra += w * pg->extra_bits / 8;
		sum.raw += w * (pg->lit_table == RAW);
		sum.diff += w * (pg->lit_table >= codes.nr_lit[0]);
		sum.weight += w;
	}
	return sum;
}

void print_price(const char *what, const struct corpus *c)
{
	struct totals s = price(c);

	printf("%-24s %8.1f bytes a page: literals %.1f, tokens %.1f, extra bits %.1f; %.0f%% raw, %.0f%% differences\n",
	       what, s.bytes / s.weight, s.lit / s.weight, s.token / s.weight,
	       s.extra / s.weight, 100 * s.raw / s.weight, 100 * s.diff / s.weight);
}

void price_lens(struct corpus *c)
{
	size_t i;
	uint32_t k;

	for (i = 0; i < c->nr; i++) {
		struct page *pg = &c->pages[i];

		for (k = 0; k < pg->nr_lens; k++)
			pg->extra_bits += codes.lens[pg->lens[k] / SEQLZ_NR_LENS]
						    [pg->lens[k] % SEQLZ_NR_LENS];
	}
}

