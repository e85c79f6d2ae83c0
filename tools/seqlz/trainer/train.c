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
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../../lib/seqlz/seqlz_private.h"
#include "huffman.h"

#define MAX_LIT_TABLES	62
#define LEVEL		SEQLZ_LEVEL_DEFAULT
#define ROUNDS		40
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

struct lit_code {
	uint8_t len[256];
};

struct token_code {
	uint8_t len[SEQLZ_NR_TOKENS + 1];	/* 0: escaped */
};

static struct {
	int nr_lit[2];
	struct lit_code lit[MAX_LIT_TABLES];	/* plain ones, then differences */
	struct token_code token[SEQLZ_NR_TOKEN_TABLES];
	uint8_t lens[2][SEQLZ_NR_LENS];
} codes;

static __attribute__((noreturn, format(printf, 1, 2))) void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "train: ");
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

/* the generator must be the same everywhere: a header can be checked */
static uint64_t rng_state;

static uint32_t rng(uint32_t below)
{
	rng_state = rng_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (rng_state >> 33) % below;
}

/* ---- pages ---- */

static void count_literals(struct page *pg, const uint8_t *page, uint32_t pos,
			   uint32_t n, uint32_t last)
{
	uint32_t dist = seqlz_diff_distance(last), end = pos + n;

	for (; pos < end; pos++) {
		uint8_t before = pos >= dist ? page[pos - dist] : 0;

		pg->lits[0][page[pos]]++;
		pg->lits[1][(uint8_t)(page[pos] - before)]++;
	}
}

static void add_len(struct page *pg, uint32_t kind, uint32_t len)
{
	uint32_t extra;

	pg->lens[pg->nr_lens++] = kind + seqlz_len_code(len, &extra);
	pg->extra_bits += extra;
}

static void add_page(struct corpus *c, const uint8_t *block, struct seqlz_workmem *wm)
{
	struct seqlz_parse parse;
	const uint32_t *w;
	uint32_t pos = 0, last = SEQLZ_FIRST_OFFSET;
	struct page *pg;

	seqlz_parse(block, wm, LEVEL, &parse);
	if (c->nr == c->room) {
		c->room = c->room ? 2 * c->room : 1024;
		c->pages = realloc(c->pages, c->room * sizeof(*c->pages));
		if (!c->pages)
			die("out of memory");
	}
	pg = &c->pages[c->nr++];
	memset(pg, 0, sizeof(*pg));
	pg->nr_lits = parse.nr_lits;
	pg->tokens = malloc((parse.nr_seqs + 1) * sizeof(*pg->tokens));
	pg->lens = malloc(2 * parse.nr_seqs + 1);
	for (w = parse.seqs; w < parse.seqs + parse.nr_words;) {
		struct seqlz_seq seq;

		w = seqlz_next_seq(w, &seq);
		count_literals(pg, block, pos, seq.lit_len, last);
		pos += seq.lit_len + seq.mlen + SEQLZ_MIN_MATCH;
		pg->extra_bits += seqlz_class_bits(seq.class);
		pg->tokens[pg->nr_tokens++] = seqlz_token(&seq);
		if (seq.lit_len >= SEQLZ_LCODE_LONG)
			add_len(pg, 0, seq.lit_len - SEQLZ_LCODE_LONG);
		if (seq.mlen >= SEQLZ_MCODE_LONG)
			add_len(pg, SEQLZ_NR_LENS, seq.mlen - SEQLZ_MCODE_LONG);
		last = seq.offset;
	}
	count_literals(pg, block, pos, SEQLZ_BLOCK_SIZE - pos, last);
}

static void load(struct corpus *c, const char *name)
{
	static uint8_t page[PAGE_SIZE];
	struct seqlz_workmem *wm = malloc(sizeof(*wm) + 4 * SEQLZ_BLOCK_SIZE);
	size_t len = strlen(name), first = c->nr, i;
	char cmd[4096];
	FILE *f;

	if (len > 4 && !strcmp(name + len - 4, ".zst")) {
		snprintf(cmd, sizeof(cmd), "zstd -dcq -- '%s'", name);
		f = popen(cmd, "r");
	} else {
		f = fopen(name, "rb");
	}
	if (!f)
		die("%s: %s", name, strerror(errno));
	while ((len = fread(page, 1, PAGE_SIZE, f)) == PAGE_SIZE)
		add_page(c, page, wm);
	if (len)
		die("%s: not a multiple of %lu bytes", name, PAGE_SIZE);
	if (c->nr == first)
		die("%s: no pages", name);
	/* every workload weighs the same, however many pages it has */
	for (i = first; i < c->nr; i++)
		c->pages[i].weight = 1000.0 / (c->nr - first);
	fclose(f);
	free(wm);
}

/* ---- literals ---- */

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

static int nr_lit_tables(void)
{
	return codes.nr_lit[0] + codes.nr_lit[1];
}

/* what a page's literals cost beside their codes: sizes and padding, in bits */
static double lit_overhead(const struct page *pg)
{
	if (pg->nr_lits < SEQLZ_SPLIT_MIN)
		return 4;
	return 3 * (seqlz_wide_sizes(pg->nr_lits) ? 16 : 8) + 4 * 3.5;
}

static void assign_literals(struct corpus *c)
{
	size_t i;
	int t;

	for (i = 0; i < c->nr; i++) {
		struct page *pg = &c->pages[i];

		pg->lit_table = RAW;
		pg->lit_bits = 8.0 * pg->nr_lits;
		for (t = 0; t < nr_lit_tables(); t++) {
			double bits = lit_price(pg, t) + lit_overhead(pg);

			if (bits < pg->lit_bits) {
				pg->lit_bits = bits;
				pg->lit_table = t;
			}
		}
	}
}

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
	return bits + escaped * (len[nr] + SEQLZ_TOKEN_SYM_BITS);
}

static void token_code_from(struct token_code *code, const double *counts)
{
	static const int sizes[] = { 128, 192, 256, 320, 384, 448, 512, 640, 768, 896 };
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

static double token_price(const struct page *pg, const struct token_code *code)
{
	uint32_t i, bits = 0, escape = code->len[SEQLZ_TOKEN_ESCAPE] + SEQLZ_TOKEN_SYM_BITS;

	for (i = 0; i < pg->nr_tokens; i++) {
		uint8_t len = code->len[pg->tokens[i]];

		bits += len ? len : escape;
	}
	return bits;
}

static void assign_tokens(struct corpus *c)
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

/* ---- sums ---- */

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

static void report(const char *what, const struct corpus *c)
{
	struct totals s = price(c);

	printf("%-24s %8.1f bytes a page: literals %.1f, tokens %.1f, extra bits %.1f; %.0f%% raw, %.0f%% differences\n",
	       what, s.bytes / s.weight, s.lit / s.weight, s.token / s.weight,
	       s.extra / s.weight, 100 * s.raw / s.weight, 100 * s.diff / s.weight);
}

/* the codes of long lengths, once they are known */
static void price_lens(struct corpus *c)
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

/* ---- the header ---- */

static void print_digits(FILE *f, const uint8_t *len, int nr)
{
	int i;

	fprintf(f, "\t\t\"");
	for (i = 0; i < nr; i++)
		fprintf(f, "%x", len[i]);
	fprintf(f, "\",\n");
}

static void print_tokens(FILE *f, const struct token_code *code)
{
	int len, sym, n = 0;

	fprintf(f, "\t\t{\n\t\t\t.nr = {");
	for (len = 0; len <= SEQLZ_TOKEN_BITS; len++) {
		int nr = 0;

		for (sym = 0; sym <= (int)SEQLZ_TOKEN_ESCAPE; sym++)
			nr += len && code->len[sym] == len;
		fprintf(f, "%s%d", len ? ", " : " ", nr);
	}
	fprintf(f, " },\n\t\t\t.sym = {");
	for (len = 1; len <= SEQLZ_TOKEN_BITS; len++)
		for (sym = 0; sym <= (int)SEQLZ_TOKEN_ESCAPE; sym++)
			if (code->len[sym] == len)
				fprintf(f, "%s0x%03x,", n++ % 8 ? " " : "\n\t\t\t\t", sym);
	fprintf(f, "\n\t\t\t},\n\t\t},\n");
}

static void print_header(FILE *f, const char *provenance)
{
	const char *size = PAGE_SHIFT == 12 ? "4k" : "16k";
	int t;

	fprintf(f, "/* SPDX-License-Identifier: GPL-2.0-only OR MIT */\n");
	fprintf(f, "/*\n * GENERATED by tools/seqlz/trainer, not to be edited:\n *\n%s */\n\n", provenance);
	fprintf(f, "static const struct seqlz_codes seqlz_codes_%s = {\n\t.lit = {\n", size);
	for (t = 0; t < nr_lit_tables(); t++)
		print_digits(f, codes.lit[t].len, 256);
	fprintf(f, "\t},\n\t.len = {\n");
	for (t = 0; t < 2; t++)
		print_digits(f, codes.lens[t], SEQLZ_NR_LENS);
	fprintf(f, "\t},\n\t.token = {\n");
	for (t = 0; t < SEQLZ_NR_TOKEN_TABLES; t++)
		print_tokens(f, &codes.token[t]);
	fprintf(f, "\t},\n};\n");
}

static char *provenance(int argc, char **argv, int first, int starts)
{
	char *text = NULL, line[4096], cmd[4200];
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i;

	fprintf(f, " * train -p %d -d %d -s %d, %lu-byte pages, from these files (SHA-256 of the pages):\n *\n",
		codes.nr_lit[0], codes.nr_lit[1], starts, PAGE_SIZE);
	for (i = first; i < argc; i++) {
		const char *base = strrchr(argv[i], '/');
		size_t len = strlen(argv[i]);
		bool zst = len > 4 && !strcmp(argv[i] + len - 4, ".zst");
		FILE *p;

		base = base ? base + 1 : argv[i];
		snprintf(cmd, sizeof(cmd), zst ? "zstd -dcq -- '%s' | sha256sum" :
			 "sha256sum < '%s'", argv[i]);
		p = popen(cmd, "r");
		if (!p || fscanf(p, "%64s", line) != 1)
			die("sha256sum failed on %s", argv[i]);
		pclose(p);
		fprintf(f, " * %s  %.*s\n", line, (int)(strlen(base) - (zst ? 4 : 0)), base);
	}
	fclose(f);
	return text;
}

static void write_or_check(const char *out, const char *check, const char *prov)
{
	char *text = NULL, *old;
	size_t size, got;
	FILE *f = open_memstream(&text, &size);

	print_header(f, prov);
	fclose(f);
	if (check) {
		f = fopen(check, "rb");
		if (!f)
			die("%s: %s", check, strerror(errno));
		old = malloc(size + 1);
		got = fread(old, 1, size + 1, f);
		fclose(f);
		if (got != size || memcmp(old, text, size))
			die("%s is not what these pages and options give", check);
		printf("%s is what these pages and options give\n", check);
		return;
	}
	f = fopen(out, "wb");
	if (!f || fwrite(text, 1, size, f) != size || fclose(f))
		die("%s: %s", out, strerror(errno));
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
	report("training pages", &c);
	for (i = 0; i < nr_judges; i++) {
		const char *base = strrchr(judge[i], '/');

		load(&judges[i], judge[i]);
		price_lens(&judges[i]);
		assign_tokens(&judges[i]);
		assign_literals(&judges[i]);
		report(base ? base + 1 : judge[i], &judges[i]);
	}
	if (out || check)
		write_or_check(out, check, provenance(argc, argv, optind, starts));
	return 0;
}
