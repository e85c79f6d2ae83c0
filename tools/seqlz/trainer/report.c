// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * How far the codes are from the entropy of what they code
 *
 * The codes are those of the library. Every page of the files given takes the
 * tables that are cheapest for it, as the encoder does. For each table, the mean
 * code length of what it then codes stands beside the entropy of that, which no
 * code for single symbols goes below. Few pages make the entropy look lower
 * than it is: of a table that hardly any page takes, the distance says little.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "seqlz_codes.h"
#include "../../../lib/seqlz/seqlz_private.h"
#include "codes.h"

#define NR_LITS		SEQLZ_NR_LIT_TABLES
#define NR_TOKENS	SEQLZ_NR_TOKEN_TABLES
#define FIRST_TOKENS	NR_LITS
#define FIRST_LENS	(FIRST_TOKENS + NR_TOKENS)
#define NR_TABLES	(FIRST_LENS + 2)
#define MAX_FILES	64

/* what a table codes; sums of pages' weights */
struct tally {
	double count[SEQLZ_NR_TOKENS];
	double symbols;
	double bits;
	double escaped;		/* symbols */
	double pages;
};

struct tallies {
	struct tally table[NR_TABLES];
	double weight;		/* of all pages */
};

static int digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

static void take_codes(const struct seqlz_codes *from)
{
	int t, i, k, len;

	codes.nr_lit[0] = SEQLZ_NR_PLAIN_TABLES;
	codes.nr_lit[1] = SEQLZ_NR_LIT_TABLES - SEQLZ_NR_PLAIN_TABLES;
	for (t = 0; t < NR_LITS; t++)
		for (i = 0; i < 256; i++)
			codes.lit[t].len[i] = digit(from->lit[t][i]);
	for (t = 0; t < 2; t++)
		for (i = 0; i < SEQLZ_NR_LENS; i++)
			codes.lens[t][i] = digit(from->len[t][i]);
	for (t = 0; t < NR_TOKENS; t++)
		for (len = 1, k = 0; len <= SEQLZ_TOKEN_BITS; len++)
			for (i = 0; i < from->token[t].nr[len]; i++)
				codes.token[t].len[from->token[t].sym[k++]] = len;
}

static void count(struct tally *t, int symbol, double weight, int bits)
{
	t->count[symbol] += weight;
	t->symbols += weight;
	t->bits += weight * bits;
}

static void count_tokens(struct tally *t, const struct page *pg)
{
	const uint8_t *len = codes.token[pg->token_table].len;
	uint32_t i;

	for (i = 0; i < pg->nr_tokens; i++) {
		uint16_t token = pg->tokens[i];

		if (len[token]) {
			count(t, token, pg->weight, len[token]);
			continue;
		}
		count(t, token, pg->weight, len[SEQLZ_TOKEN_ESCAPE] + SEQLZ_TOKEN_SYM_BITS);
		t->escaped += pg->weight;
	}
	t->pages += pg->weight;
}

static void count_page(struct tallies *sum, const struct page *pg)
{
	uint32_t i;

	sum->weight += pg->weight;
	count_tokens(&sum->table[FIRST_TOKENS + pg->token_table], pg);
	if (pg->lit_table != RAW) {
		struct tally *t = &sum->table[pg->lit_table];
		const uint16_t *lits = pg->lits[pg->lit_table >= codes.nr_lit[0]];

		for (i = 0; i < 256; i++)
			count(t, i, pg->weight * lits[i], codes.lit[pg->lit_table].len[i]);
		t->pages += pg->weight;
	}
	for (i = 0; i < pg->nr_lens; i++) {
		int kind = pg->lens[i] / SEQLZ_NR_LENS, code = pg->lens[i] % SEQLZ_NR_LENS;

		count(&sum->table[FIRST_LENS + kind], code, pg->weight, codes.lens[kind][code]);
	}
}

/* bits that no code for single symbols goes below */
static double entropy_bits(const struct tally *t)
{
	double bits = 0;
	unsigned int i;

	for (i = 0; i < SEQLZ_NR_TOKENS; i++)
		if (t->count[i] > 0)
			bits -= t->count[i] * log2(t->count[i] / t->symbols);
	return bits;
}

static void print_table(const char *kind, int number, const struct tallies *sum, int table)
{
	const struct tally *t = &sum->table[table];
	double least = entropy_bits(t);

	printf("%-18s %2d ", kind, number);
	if (table < FIRST_LENS)
		printf("%6.1f%%", 100 * t->pages / sum->weight);
	else
		printf("%7s", "");
	if (!t->symbols) {
		printf("  nothing\n");
		return;
	}
	printf(" %9.1f %8.3f %8.3f %7.1f%%", t->symbols / sum->weight, t->bits / t->symbols,
	       least / t->symbols, least > 0 ? 100 * (t->bits / least - 1) : 0);
	if (table >= FIRST_TOKENS && table < FIRST_LENS)
		printf(" %7.2f%%", 100 * t->escaped / t->symbols);
	else
		printf(" %8s", "");
	printf(" %9.2f\n", (t->bits - least) / 8 / sum->weight);
}

static void print_tables(const struct tallies *sum)
{
	int i;

	printf("\n%-21s %7s %9s %8s %8s %8s %8s %9s\n", "table", "pages", "symbols",
	       "bits", "entropy", "above", "escaped", "bytes");
	for (i = 0; i < NR_TOKENS; i++)
		print_table("tokens", i, sum, FIRST_TOKENS + i);
	for (i = 0; i < NR_LITS; i++)
		print_table(i < codes.nr_lit[0] ? "literals" : "differences", i, sum, i);
	print_table("literal lengths", 0, sum, FIRST_LENS);
	print_table("match lengths", 1, sum, FIRST_LENS + 1);
	printf("pages: of all; symbols: a page of all; bits, entropy: a symbol; bytes: a page of all,\n"
	       "above the entropy; an escaped token counts with its escape\n");
}

/* tables @from to @to as one line: bits, and how far above the entropy */
static double print_group(const struct tallies *sum, int from, int to)
{
	double bits = 0, least = 0;
	int i;

	for (i = from; i < to; i++) {
		bits += sum->table[i].bits;
		least += entropy_bits(&sum->table[i]);
	}
	printf(" %8.1f %7.1f%%", bits / 8 / sum->weight, least > 0 ? 100 * (bits / least - 1) : 0);
	return (bits - least) / 8 / sum->weight;
}

static void print_file(const char *name, const struct tallies *sum)
{
	double bytes;

	printf("%-28s", name);
	bytes = print_group(sum, FIRST_TOKENS, FIRST_LENS);
	bytes += print_group(sum, 0, FIRST_TOKENS);
	bytes += print_group(sum, FIRST_LENS, NR_TABLES);
	printf(" %9.1f\n", bytes);
}

static void add(struct tallies *sum, const struct tallies *t)
{
	unsigned int i, k;

	sum->weight += t->weight;
	for (i = 0; i < NR_TABLES; i++) {
		for (k = 0; k < SEQLZ_NR_TOKENS; k++)
			sum->table[i].count[k] += t->table[i].count[k];
		sum->table[i].symbols += t->table[i].symbols;
		sum->table[i].bits += t->table[i].bits;
		sum->table[i].escaped += t->table[i].escaped;
		sum->table[i].pages += t->table[i].pages;
	}
}

int main(int argc, char **argv)
{
	static struct corpus corpus[MAX_FILES];
	static struct tallies all, file;
	size_t k;
	int i;

	if (argc < 2 || argc > MAX_FILES) {
		fprintf(stderr, "usage: report FILE...: pages, raw or compressed with zstd\n");
		return 2;
	}
	take_codes(SEQLZ_BLOCK_SHIFT == 12 ? &seqlz_codes_4k : &seqlz_codes_16k);
	printf("%-28s %17s %17s %17s\n%-28s", "", "tokens", "coded literals", "long lengths", "file");
	for (i = 0; i < 3; i++)
		printf(" %8s %8s", "bytes", "above");
	printf(" %9s\n", "bytes");
	for (i = 1; i < argc; i++) {
		struct corpus *c = &corpus[i - 1];

		load(c, argv[i]);
		assign_tokens(c);
		assign_literals(c);
		memset(&file, 0, sizeof(file));
		for (k = 0; k < c->nr; k++)
			count_page(&file, &c->pages[k]);
		print_file(base_name(argv[i]), &file);
		add(&all, &file);
	}
	print_file("all", &all);
	printf("above: how far above the entropy of what each table codes; bytes, at the end: that a page\n");
	print_tables(&all);
	return 0;
}
