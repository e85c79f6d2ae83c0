// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Trainer: the static codes of the seqlz format, from page files
 *
 * The library's own parser takes the pages apart. Pages are then grouped by
 * k-means: a group's code is the best one for the sum of its pages, a page
 * belongs to the group whose code makes it smallest. Literals are grouped twice,
 * as they are and as differences, and a page counts in the one group that is
 * best for it; pages whose literals are cheaper uncoded count in none. A group
 * that has lost its pages starts again from the page that is coded worst.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../../lib/seqlz/seqlz_private.h"
#include "codes.h"
#include "header.h"
#include "huffman.h"

#define ROUNDS		40

/* the generator must be the same everywhere: a header can be checked */
static uint64_t rng_state;

static uint32_t rng(uint32_t below)
{
	rng_state = rng_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (rng_state >> 33) % below;
}

/* ---- literals ---- */

static void lit_code_from(struct lit_code *code, const double *counts)
{
	double smooth[256], sum = 0;
	int i;

	for (i = 0; i < 256; i++)
		sum += counts[i];
	for (i = 0; i < 256; i++)
		smooth[i] = counts[i] + sum * 2e-5 + 1e-6;
	huffman_lengths(smooth, 256, SEQLZ_LIT_BITS, code->len);
}

static const struct page *random_page(const struct corpus *c)
{
	return &c->pages[rng(c->nr)];
}

static void seed_literals(const struct corpus *c)
{
	double counts[256];
	int t, i;

	for (t = 0; t < nr_lit_tables(); t++) {
		const struct page *pg;

		do
			pg = random_page(c);
		while (pg->nr_lits < 64);
		for (i = 0; i < 256; i++)
			counts[i] = pg->lits[t >= codes.nr_lit[0]][i] + 0.2;
		lit_code_from(&codes.lit[t], counts);
	}
}

/* the page with the most bits a literal, of some picked at random */
static const struct page *worst_literals(const struct corpus *c)
{
	const struct page *worst = NULL;
	int i;

	for (i = 0; i < 200; i++) {
		const struct page *pg = random_page(c);

		if (pg->lit_table == RAW || pg->nr_lits < 64)
			continue;
		if (!worst || pg->lit_bits / pg->nr_lits > worst->lit_bits / worst->nr_lits)
			worst = pg;
	}
	return worst ? worst : random_page(c);
}

static void update_literals(const struct corpus *c)
{
	static double counts[MAX_LIT_TABLES][256];
	static double pages[MAX_LIT_TABLES];
	size_t i;
	int t, k;

	memset(counts, 0, sizeof(counts));
	memset(pages, 0, sizeof(pages));
	for (i = 0; i < c->nr; i++) {
		const struct page *pg = &c->pages[i];

		t = pg->lit_table;
		if (t == RAW)
			continue;
		pages[t] += pg->weight;
		for (k = 0; k < 256; k++)
			counts[t][k] += pg->weight * pg->lits[t >= codes.nr_lit[0]][k];
	}
	for (t = 0; t < nr_lit_tables(); t++) {
		if (pages[t] < 1) {
			const struct page *pg = worst_literals(c);

			for (k = 0; k < 256; k++)
				counts[t][k] = pg->lits[t >= codes.nr_lit[0]][k] + 0.2;
		}
		lit_code_from(&codes.lit[t], counts[t]);
	}
}

/* ---- tokens ---- */

static int count_cmp(const void *a, const void *b)
{
	const double *x = *(const double **)a, *y = *(const double **)b;

	if (*x != *y)
		return *x > *y ? -1 : 1;
	return x < y ? -1 : 1;
}

/* an escape takes the decoder's time, too: it costs as much as so many bits more */
#define ESCAPE_TOLL	4

/* the @nr most frequent tokens get a code, the others share the escape */
static double token_code_of(const double *counts, int nr, struct token_code *code)
{
	const double *order[SEQLZ_NR_TOKENS];
	static double some[SEQLZ_NR_TOKENS + 1];
	static uint8_t len[SEQLZ_NR_TOKENS + 1];
	double escaped = 0, bits = 0;
	unsigned int i;

	for (i = 0; i < SEQLZ_NR_TOKENS; i++)
		order[i] = &counts[i];
	qsort(order, SEQLZ_NR_TOKENS, sizeof(*order), count_cmp);
	for (i = 0; i < SEQLZ_NR_TOKENS; i++) {
		if ((int)i < nr)
			some[i] = *order[i];
		else
			escaped += *order[i];
	}
	some[nr] = escaped;
	huffman_lengths(some, nr + 1, SEQLZ_TOKEN_BITS, len);
	memset(code->len, 0, sizeof(code->len));
	for (i = 0; (int)i < nr; i++) {
		code->len[order[i] - counts] = len[i];
		bits += *order[i] * len[i];
	}
	code->len[SEQLZ_TOKEN_ESCAPE] = len[nr];
	return bits + escaped * (len[nr] + SEQLZ_TOKEN_SYM_BITS + ESCAPE_TOLL);
}

static void token_code_from(struct token_code *code, const double *counts)
{
	static const int sizes[] = { 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1000 };
	struct token_code try;
	double best = INFINITY;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		double bits = token_code_of(counts, sizes[i], &try);

		if (bits < best) {
			best = bits;
			*code = try;
		}
	}
}

static void update_tokens(const struct corpus *c)
{
	static double counts[SEQLZ_NR_TOKEN_TABLES][SEQLZ_NR_TOKENS];
	size_t i;
	uint32_t k;

	memset(counts, 0, sizeof(counts));
	for (i = 0; i < c->nr; i++) {
		const struct page *pg = &c->pages[i];

		for (k = 0; k < pg->nr_tokens; k++)
			counts[pg->token_table][pg->tokens[k]] += pg->weight;
	}
	for (i = 0; i < SEQLZ_NR_TOKEN_TABLES; i++)
		token_code_from(&codes.token[i], counts[i]);
}

static double total_lit_bits(const struct corpus *c)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < c->nr; i++)
		sum += c->pages[i].weight * c->pages[i].lit_bits;
	return sum;
}

static void train_literals(struct corpus *c, int starts)
{
	static struct lit_code best[MAX_LIT_TABLES];
	double best_bits = INFINITY;
	int s, r;

	for (s = 0; s < starts; s++) {
		double bits;

		rng_state = s + 1;
		seed_literals(c);
		for (r = 0; r < ROUNDS; r++) {
			assign_literals(c);
			update_literals(c);
		}
		assign_literals(c);
		bits = total_lit_bits(c);
		if (bits < best_bits) {
			best_bits = bits;
			memcpy(best, codes.lit, sizeof(best));
		}
	}
	memcpy(codes.lit, best, sizeof(best));
	assign_literals(c);
}

/* a group starts as a page, and a little of all pages for what it does not have */
static void seed_tokens(const struct corpus *c, const double *all)
{
	static double counts[SEQLZ_NR_TOKENS];
	uint32_t k;
	int t;

	for (t = 0; t < SEQLZ_NR_TOKEN_TABLES; t++) {
		const struct page *pg;

		do
			pg = random_page(c);
		while (pg->nr_tokens < 64);
		for (k = 0; k < SEQLZ_NR_TOKENS; k++)
			counts[k] = all[k];
		for (k = 0; k < pg->nr_tokens; k++)
			counts[pg->tokens[k]] += 0.5 / pg->nr_tokens;
		token_code_from(&codes.token[t], counts);
	}
}

static double total_token_bits(const struct corpus *c)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < c->nr; i++)
		sum += c->pages[i].weight * c->pages[i].token_bits;
	return sum;
}

static void train_tokens(struct corpus *c, int starts)
{
	static double all[SEQLZ_NR_TOKENS];
	struct token_code best[SEQLZ_NR_TOKEN_TABLES];
	double best_bits = INFINITY, sum = 0;
	uint32_t k;
	size_t i;
	int s, r;

	for (i = 0; i < c->nr; i++)
		for (k = 0; k < c->pages[i].nr_tokens; k++) {
			all[c->pages[i].tokens[k]] += c->pages[i].weight;
			sum += c->pages[i].weight;
		}
	for (k = 0; k < SEQLZ_NR_TOKENS; k++)
		all[k] /= sum;

	for (s = 0; s < starts; s++) {
		double bits;

		rng_state = s + 1;
		seed_tokens(c, all);
		assign_tokens(c);
		for (r = 0; r < ROUNDS; r++) {
			update_tokens(c);
			assign_tokens(c);
		}
		bits = total_token_bits(c);
		if (bits < best_bits) {
			best_bits = bits;
			memcpy(best, codes.token, sizeof(best));
		}
	}
	memcpy(codes.token, best, sizeof(best));
	assign_tokens(c);
}

static void train_lens(const struct corpus *c)
{
	static double counts[2 * SEQLZ_NR_LENS];
	size_t i;
	uint32_t k;

	for (i = 0; i < c->nr; i++)
		for (k = 0; k < c->pages[i].nr_lens; k++)
			counts[c->pages[i].lens[k]] += c->pages[i].weight;
	for (k = 0; k < 2; k++)
		huffman_lengths(counts + k * SEQLZ_NR_LENS, SEQLZ_NR_LENS,
				SEQLZ_LEN_BITS, codes.lens[k]);
}

static void train(struct corpus *c, int starts)
{
	train_lens(c);
	train_tokens(c, starts);
	train_literals(c, starts);
}

static const char usage[] =
	"usage: train [OPTION]... FILE...\n"
	"FILEs hold raw pages, or pages compressed with zstd (*.zst).\n"
	"  -o, --output HEADER   write the codes to HEADER\n"
	"  -c, --check HEADER    check that HEADER is what the pages give\n"
	"  -p, --plain N         number of tables for literals as they are\n"
	"  -d, --difference N    number of tables for literal differences\n"
	"  -s, --starts N        starts of the grouping, of which the best is kept\n"
	"  -j, --judge FILE      price the pages of FILE, which do not train\n";

static const struct option options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "check", required_argument, NULL, 'c' },
	{ "plain", required_argument, NULL, 'p' },
	{ "difference", required_argument, NULL, 'd' },
	{ "starts", required_argument, NULL, 's' },
	{ "judge", required_argument, NULL, 'j' },
	{ }
};

int main(int argc, char **argv)
{
	static struct corpus c, judges[64];
	const char *out = NULL, *check = NULL, *judge[64];
	int opt, starts = 1, nr_judges = 0, i;

	codes.nr_lit[0] = SEQLZ_NR_PLAIN_TABLES;
	codes.nr_lit[1] = SEQLZ_NR_LIT_TABLES - SEQLZ_NR_PLAIN_TABLES;
	while ((opt = getopt_long(argc, argv, "o:c:p:d:s:j:", options, NULL)) != -1) {
		switch (opt) {
		case 'o': out = optarg; break;
		case 'c': check = optarg; break;
		case 'p': codes.nr_lit[0] = atoi(optarg); break;
		case 'd': codes.nr_lit[1] = atoi(optarg); break;
		case 's': starts = atoi(optarg); break;
		case 'j':
			if (nr_judges == 64)
				die("no more than 64 -j");
			judge[nr_judges++] = optarg;
			break;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (optind == argc || codes.nr_lit[0] < 1 || codes.nr_lit[1] < 0 ||
	    nr_lit_tables() > MAX_LIT_TABLES || starts < 1) {
		fputs(usage, stderr);
		return 2;
	}

	if ((out || check) && (codes.nr_lit[0] != SEQLZ_NR_PLAIN_TABLES ||
			       nr_lit_tables() != SEQLZ_NR_LIT_TABLES))
		die("the format has %d plain tables and %d in all: -p and -d are for trying others",
		    SEQLZ_NR_PLAIN_TABLES, SEQLZ_NR_LIT_TABLES);

	for (i = optind; i < argc; i++)
		load(&c, argv[i]);
	train(&c, starts);
	price_lens(&c);
	print_price("training pages", &c);
	for (i = 0; i < nr_judges; i++) {
		load(&judges[i], judge[i]);
		price_lens(&judges[i]);
		assign_tokens(&judges[i]);
		assign_literals(&judges[i]);
		print_price(base_name(judge[i]), &judges[i]);
	}
	if (out || check)
		write_or_check(out, check, provenance(argc, argv, optind, starts));
	return 0;
}
