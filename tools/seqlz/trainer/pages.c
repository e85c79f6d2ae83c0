// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Page files, taken apart by the library's own parser
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../../lib/seqlz/seqlz_entry.h"
#include "../../../lib/seqlz/seqlz_private.h"
#include "pages.h"

#define LEVEL		SEQLZ_LEVEL_DEFAULT

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "train: ");
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

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
	const uint32_t *w, *longs = wm->words + SEQLZ_MAX_WORDS - 1;
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
	for (w = wm->words; w < wm->words + parse.nr_seqs; w++) {
		struct seqlz_seq seq;

		seqlz_get_seq(*w, &longs, &seq);
		count_literals(pg, block, pos, seq.lit_len, last);
		pos += seq.lit_len + seq.mlen + SEQLZ_MIN_MATCH;
		pg->extra_bits += seqlz_offset_bits(SEQLZ_BLOCK_SHIFT, seq.class);
		pg->tokens[pg->nr_tokens++] = SEQLZ_SEQ_TOKEN(*w);
		if (seq.lit_len >= SEQLZ_LCODE_LONG)
			add_len(pg, 0, seq.lit_len - SEQLZ_LCODE_LONG);
		if (seq.mlen >= SEQLZ_MCODE_LONG)
			add_len(pg, SEQLZ_NR_LENS, seq.mlen - SEQLZ_MCODE_LONG);
		last = seq.offset;
	}
	count_literals(pg, block, pos, SEQLZ_BLOCK_SIZE - pos, last);
}

void load(struct corpus *c, const char *name)
{
	static uint8_t page[PAGE_SIZE];
	struct seqlz_workmem *wm = malloc(sizeof(*wm));
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

