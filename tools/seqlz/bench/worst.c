// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mode worst: what the slowest valid pages take to decompress, beside the real
 * ones. No encoder writes such blocks: they are put together here, after
 * seqlz_format.h, with the library's codes. There is one kind of block for
 * every combination of literals, matches, offsets and escapes, a few blocks of
 * each kind. A slower block may exist: this is a search, no proof. Every one is decompressed once a
 * pass, all of them and the real pages in random order. A block's time is its
 * least, as what disturbs it only adds time; a kind's is the mean of its blocks.
 *
 * They are decompressed without a context, which shows that none is needed.
 */
#include "bench.h"
#include "clock.h"
#include "../blocks/blocks.h"

#include <stdlib.h>
#include <string.h>

#define CODEC		"seqlz:2"
#define PASSES		9
#define BLOCKS		8	/* of a kind */

static const char * const lits_name[] = { "uncoded", "coded", "long codes", "differences" };
static const char * const run_name[] = { "none", "0-1", "0-9", "1-16", "15-40" };
static const char * const match_name[] = { "4", "4-5", "4-17", "4 17 33", "30-60" };
static const char * const offset_name[] = { "1-7", "repeated", "any", "mixed" };
static const char * const escape_name[] = { "never", "half", "always" };

enum { NR_LITS = 4, NR_RUNS = 5, NR_MATCHES = 5, NR_OFFSETS = 4, NR_ESCAPES = 3 };

#define NR_KINDS (NR_LITS * NR_RUNS * NR_MATCHES * NR_OFFSETS * NR_ESCAPES)

struct kind {
	unsigned int lits, run, match, offset, escape;
};

struct block {
	uint8_t *data;
	unsigned int len;
	unsigned int kind;	/* NR_KINDS for a real page */
	uint64_t least;
};

static uint64_t random_state = 1;

static unsigned int below(unsigned int n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 20) % n;
}

/* ---- sequences ---- */

static unsigned int some_run(const struct kind *kind)
{
	switch (kind->run) {
	case 0:
		return 0;
	case 1:
		return below(2);
	case 2:
		return below(10);
	case 3:
		return 1 + below(16);
	}
	return 15 + below(26);
}

static unsigned int some_match(const struct kind *kind)
{
	static const unsigned int jumps[] = { 4, 17, 33 };

	switch (kind->match) {
	case 0:
		return 4;
	case 1:
		return 4 + below(2);
	case 2:
		return 4 + below(14);
	case 3:
		return jumps[below(3)];
	}
	return 30 + below(31);
}

static unsigned int some_offset(const struct kind *kind, unsigned int last,
				unsigned int pos)
{
	unsigned int how = kind->offset == 3 ? below(3) : kind->offset;
	unsigned int most = how == 0 && pos > 7 ? 7 : pos;

	return how == 1 ? last : 1 + below(most);
}

static unsigned int make_seqs(const struct kind *kind, struct seq *seq,
			      unsigned int *nr_lits)
{
	unsigned int pos = 0, nr = 0, last = SEQLZ_FIRST_OFFSET;

	*nr_lits = 0;
	while (nr < SEQLZ_MAX_SEQS) {
		unsigned int run = some_run(kind), match = some_match(kind);

		if (!pos && !run)
			run = 1;
		if (pos + run + match > SEQLZ_BLOCK_SIZE)
			break;
		pos += run;
		seq[nr] = (struct seq){ run, match, some_offset(kind, last, pos), last };
		last = seq[nr++].offset;
		pos += match;
		*nr_lits += run;
	}
	*nr_lits += SEQLZ_BLOCK_SIZE - pos;
	return nr;
}

/* ---- literals ---- */

/* a symbol as likely as its code is short; with long codes, any that is rare */
static unsigned int some_literal(const struct kind *kind, const struct code *c)
{
	for (;;) {
		unsigned int sym = below(256);
		unsigned int least = kind->lits == 2 ? SEQLZ_LIT_BITS - 1 : 0;

		if (least && c->len[sym] >= least)
			return sym;
		if (!least && !below(1U << (c->len[sym] - 1)))
			return sym;
	}
}

/* one stream; returns the bytes */
static unsigned long put_stream(uint8_t *to, const struct kind *kind,
				const struct code *c, unsigned int nr)
{
	struct bits b = { to, 0 };

	while (nr--) {
		unsigned int sym = some_literal(kind, c);

		put(&b, c->code[sym], c->len[sym]);
	}
	return whole_bytes(&b);
}

/* a part: two streams, the second one's bytes in reverse; returns the bytes */
static unsigned long put_part(uint8_t *to, const struct kind *kind,
			      const struct code *c, unsigned int front, unsigned int back)
{
	static uint8_t room[8 * SEQLZ_BLOCK_SIZE];
	unsigned long used = put_stream(to, kind, c, front);
	unsigned long len = put_stream(room, kind, c, back);

	while (len)
		to[used++] = room[--len];
	return used;
}

/* one stream, or parts behind their sizes; returns the bytes */
static unsigned long put_literals(uint8_t *to, const struct kind *kind,
				  const struct code *c, unsigned int nr, bool *wide)
{
	static uint8_t room[SEQLZ_NR_PARTS][16 * SEQLZ_BLOCK_SIZE];
	unsigned int n = nr / SEQLZ_NR_STREAMS, last = nr - (SEQLZ_NR_STREAMS - 1) * n, k;
	unsigned long len[SEQLZ_NR_PARTS], used = 0;

	if (nr < SEQLZ_SPLIT_MIN)
		return put_stream(to, kind, c, nr);
	for (k = 0; k < SEQLZ_NR_PARTS; k++) {
		len[k] = put_part(room[k], kind, c, n, k + 1 < SEQLZ_NR_PARTS ? n : last);
		*wide |= len[k] > 255;
	}
	for (k = 0; k < SEQLZ_NR_PARTS; k++) {
		to[used++] = len[k];
		if (*wide)
			to[used++] = len[k] >> 8;
	}
	for (k = 0; k < SEQLZ_NR_PARTS; k++) {
		memcpy(to + used, room[k], len[k]);
		used += len[k];
	}
	return used;
}

static unsigned int some_table(const struct kind *kind)
{
	if (kind->lits == 3)
		return SEQLZ_NR_PLAIN_TABLES +
			below(SEQLZ_NR_LIT_TABLES - SEQLZ_NR_PLAIN_TABLES);
	return below(SEQLZ_NR_PLAIN_TABLES);
}

/* one block; its length, or 0 if it is longer than any valid one */
static unsigned int make_block(const struct kind *kind, uint8_t *to)
{
	static struct seq seq[SEQLZ_MAX_SEQS];
	static uint8_t room[8 * SEQLZ_BLOCK_SIZE];
	unsigned int nr_lits, nr = make_seqs(kind, seq, &nr_lits), i;
	unsigned int token_table = below(SEQLZ_NR_TOKEN_TABLES);
	unsigned int mode = kind->lits ? 1 + some_table(kind) : 0;
	unsigned long len = SEQLZ_HEAD_SIZE;
	bool wide = false;
	struct bits b;

	room[1] = nr_lits;
	room[2] = nr_lits >> 8;
	if (mode)
		len += put_literals(room + len, kind, &lit_code[mode - 1], nr_lits, &wide);
	room[0] = (wide ? SEQLZ_HEAD_WIDE : 0) | mode << 2 | token_table;
	for (i = 0; !mode && i < nr_lits; i++)
		room[len++] = below(256);
	b = (struct bits){ room + len, 0 };
	for (i = 0; i < nr; i++)
		put_seq(&b, &token_code[token_table], &seq[i],
			kind->escape == 2 || (kind->escape == 1 && below(2)));
	len += whole_bytes(&b);
	if (len >= SEQLZ_STORED_SIZE)
		return 0;
	memcpy(to, room, len);
	return len;
}

static struct kind kind_of(unsigned int number)
{
	struct kind kind;

	kind.lits = number % NR_LITS;
	number /= NR_LITS;
	kind.run = number % NR_RUNS;
	number /= NR_RUNS;
	kind.match = number % NR_MATCHES;
	number /= NR_MATCHES;
	kind.offset = number % NR_OFFSETS;
	kind.escape = number / NR_OFFSETS;
	return kind;
}

/* ---- the measurement ---- */

static unsigned long add_blocks(struct block *block)
{
	static uint8_t data[SEQLZ_STORED_SIZE];
	unsigned long nr = 0;
	unsigned int k, i;

	for (k = 0; k < NR_KINDS; k++) {
		struct kind kind = kind_of(k);

		for (i = 0; i < BLOCKS; i++) {
			unsigned int len = make_block(&kind, data);

			if (!len)
				continue;
			block[nr] = (struct block){ xmalloc(len), len, k, UINT64_MAX };
			memcpy(block[nr++].data, data, len);
		}
	}
	return nr;
}

static unsigned long add_real(struct run *run, struct codec *codec, struct block *block)
{
	static uint8_t data[DST_SIZE];
	unsigned long i, nr = 0;

	for (i = 0; i < run->corpus.nr; i++) {
		unsigned int len = codec_compress(codec, run->corpus.page[i], data);

		if (len >= zs_huge_size())
			continue;
		block[nr] = (struct block){ xmalloc(len), len, NR_KINDS, UINT64_MAX };
		memcpy(block[nr++].data, data, len);
	}
	return nr;
}

static void shuffle(struct block *block, unsigned long nr)
{
	for (; nr > 1; nr--) {
		unsigned long i = below(nr);
		struct block b = block[i];

		block[i] = block[nr - 1];
		block[nr - 1] = b;
	}
}

static void time_block(struct codec *codec, struct block *block)
{
	static uint8_t out[PAGE_SIZE] __attribute__((__aligned__(4096)));
	static volatile uint64_t sink;
	uint64_t start, ticks;
	unsigned int i;
	int ret;

	for (i = 0; i < block->len; i += 64)
		sink += block->data[i];
	start = ticks_start();
	ret = codec_decompress_bare(codec, block->data, block->len, out);
	ticks = ticks_stop() - start;
	if (ret)
		die("a block of mode worst is not valid: bench/worst.c must follow seqlz_format.h");
	if (ticks < block->least)
		block->least = ticks;
}

static int compare_ticks(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* the 99th percentile of the real pages */
static uint64_t real_p99(const struct block *block, unsigned long nr)
{
	uint64_t *ticks = xmalloc(nr * sizeof(*ticks)), p99;
	unsigned long n = 0, i;

	for (i = 0; i < nr; i++)
		if (block[i].kind == NR_KINDS)
			ticks[n++] = block[i].least;
	if (!n)
		die("mode worst: none of the pages is compressible");
	qsort(ticks, n, sizeof(*ticks), compare_ticks);
	p99 = ticks[n * 99 / 100];
	free(ticks);
	return p99;
}

/*
 * The slowest kind, of blocks shorter than @limit: zram stores pages whole that
 * take more than the huge size. Returns its mean.
 */
static double slowest(const struct block *block, unsigned long nr, unsigned int limit,
		      unsigned int *kind)
{
	static double sum[NR_KINDS], count[NR_KINDS];
	double worst = 0;
	unsigned long i;
	unsigned int k;

	memset(sum, 0, sizeof(sum));
	memset(count, 0, sizeof(count));
	for (i = 0; i < nr; i++) {
		if (block[i].kind == NR_KINDS || block[i].len >= limit)
			continue;
		sum[block[i].kind] += block[i].least;
		count[block[i].kind]++;
	}
	for (k = 0; k < NR_KINDS; k++) {
		if (count[k] && sum[k] / count[k] > worst) {
			worst = sum[k] / count[k];
			*kind = k;
		}
	}
	return worst;
}

static void print_slowest(const struct block *block, unsigned long nr, unsigned int limit,
			  double p99, const char *what, const char *metric)
{
	unsigned int number = 0;
	double ratio = slowest(block, nr, limit, &number) / p99;
	struct kind kind = kind_of(number);

	printf("%-26s %6.3f of the real pages' p99: literals %s, runs %s, matches %s, offsets %s, escapes %s\n",
	       what, ratio, lits_name[kind.lits], run_name[kind.run],
	       match_name[kind.match], offset_name[kind.offset], escape_name[kind.escape]);
	report_value("worst", "TOTAL", CODEC, metric, ratio);
}

void run_worst(struct run *run)
{
	struct codec *codec = codec_open(CODEC);
	struct block *block;
	unsigned long nr, made;
	unsigned int pass;
	double p99;

	if (PAGE_SIZE != SEQLZ_BLOCK_SIZE)
		die("mode worst is for pages of 4 and 16 KiB");
	zs_init();
	make_codes();
	block = xmalloc(sizeof(*block) * (NR_KINDS * BLOCKS + run->corpus.nr));
	made = add_blocks(block);
	nr = made + add_real(run, codec, block + made);
	for (pass = 0; pass < PASSES; pass++) {
		unsigned long i;

		shuffle(block, nr);
		for (i = 0; i < nr; i++)
			time_block(codec, &block[i]);
	}
	p99 = real_p99(block, nr);
	printf("\nworst: time to decompress, of %lu blocks made up of %d kinds, beside %lu real ones;\n"
	       "the least of %d passes in random order\n\n",
	       made, NR_KINDS, nr - made, PASSES);
	print_slowest(block, nr, SEQLZ_STORED_SIZE, p99, "slowest valid block found", "any_to_p99");
	print_slowest(block, nr, zs_huge_size(), p99, "slowest below huge size", "kept_to_p99");
	report_value("worst", "TOTAL", CODEC, "decompress_context", 0);
	free(block);
}
