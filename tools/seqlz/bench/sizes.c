// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mode size: what the pages take. Bytes are the mean of what the codec wrote,
 * "zsmalloc" is what the memory allocator needs for it, where an object of
 * the huge class or beyond is stored as it was, in a page.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct size_sum {
	double bytes;
	double zs_bytes;
	unsigned long huge;
	unsigned long above;	/* more than one class above lz4 */
};

struct regression {
	const struct page_file *file;
	unsigned long number;
	unsigned int len;
	unsigned int lz4_len;
	double cost;
};

/* len[codec * corpus->nr + page] */
static unsigned int *compress_all(struct run *run)
{
	unsigned int *len = xmalloc(sizeof(*len) * run->nr_codecs * run->corpus.nr);
	uint8_t *dst = xmalloc(DST_SIZE);
	unsigned int *next = len;
	unsigned long page;
	unsigned int c;

	for (c = 0; c < run->nr_codecs; c++) {
		for (page = 0; page < run->corpus.nr; page++) {
			const uint8_t *src = run->corpus.page[page];

			*next = codec_compress(run->codec[c], src, dst);
			codec_verify(run->codec[c], src, dst, *next++);
		}
	}
	free(dst);
	return len;
}

/* lz4_len is NULL if lz4 does not run */
static struct size_sum sum_up(const unsigned int *len,
			      const unsigned int *lz4_len, unsigned long nr)
{
	struct size_sum sum = { 0 };
	unsigned long i;

	for (i = 0; i < nr; i++) {
		sum.bytes += len[i];
		sum.zs_bytes += zs_cost(len[i]);
		sum.huge += len[i] >= zs_huge_size();
		sum.above += lz4_len && zs_class_of(len[i])->rank >
			zs_class_of(lz4_len[i])->rank + 1;
	}
	sum.bytes /= nr;
	sum.zs_bytes /= nr;
	return sum;
}

static void write_sum(const char *file, const char *codec,
		      const struct size_sum *sum, bool paired, unsigned long nr)
{
	report_value("size", file, codec, "pages", nr);
	report_value("size", file, codec, "bytes", sum->bytes);
	report_value("size", file, codec, "zs_bytes", sum->zs_bytes);
	report_value("size", file, codec, "huge_pages", sum->huge);
	if (paired)
		report_value("size", file, codec, "above_lz4_percent",
			     100.0 * sum->above / nr);
}

static double of_codec(const struct run *run, const char *name)
{
	int c = run_codec_index(run, name);

	return c < 0 ? 0 : run->result[c].zs_bytes;
}

/* a ratio, or blanks if there is nothing to compare with */
static void print_ratio(double value, double base)
{
	if (base > 0)
		printf(" %8.3f", value / base);
	else
		printf(" %8s", "");
}

static void total_table(struct run *run, const unsigned int *len,
			const unsigned int *lz4_len)
{
	struct size_sum sum[MAX_CODECS];
	unsigned int c;

	for (c = 0; c < run->nr_codecs; c++) {
		sum[c] = sum_up(len + c * run->corpus.nr, lz4_len, run->corpus.nr);
		run->result[c].zs_bytes = sum[c].zs_bytes;
	}
	printf("%-12s %8s %9s %8s %8s %7s %8s %8s %9s\n", "codec", "bytes",
	       "zsmalloc", "to lz4", "to zstd3", "huge", "above", "workmem", "taken");
	for (c = 0; c < run->nr_codecs; c++) {
		const char *name = codec_name(run->codec[c]);
		struct codec_memory memory = codec_memory(run->codec[c]);

		printf("%-12s %8.1f %9.1f", name, sum[c].bytes, sum[c].zs_bytes);
		print_ratio(sum[c].zs_bytes, of_codec(run, "lz4"));
		print_ratio(sum[c].zs_bytes, of_codec(run, "zstd:3"));
		printf(" %6.2f%% %7.2f%% %8zu %9zu\n",
		       100.0 * sum[c].huge / run->corpus.nr,
		       100.0 * sum[c].above / run->corpus.nr,
		       memory.asked, memory.taken);
		write_sum("TOTAL", name, &sum[c], lz4_len, run->corpus.nr);
		report_value("size", "TOTAL", name, "workmem_asked", memory.asked);
		report_value("size", "TOTAL", name, "workmem_taken", memory.taken);
	}
	printf("above: share of pages more than one size class above lz4's object\n"
	       "workmem: what a context asks for, for both directions; taken: rounded as kmalloc and vmalloc do\n");
}

static void file_table(struct run *run, const unsigned int *len,
		       const unsigned int *lz4_len)
{
	unsigned long first = 0;
	unsigned int f, c;

	printf("\nzsmalloc bytes a page\n%-28s %7s %5s", "file", "pages", "same");
	for (c = 0; c < run->nr_codecs; c++)
		printf(" %9s", codec_name(run->codec[c]));
	printf("\n");
	for (f = 0; f < run->corpus.nr_files; f++) {
		const struct page_file *file = &run->corpus.file[f];

		printf("%-28s %7lu %5lu", file->name, file->nr, file->same);
		report_value("size", file->name, "-", "same_filled", file->same);
		for (c = 0; c < run->nr_codecs && file->nr; c++) {
			struct size_sum sum = sum_up(len + c * run->corpus.nr + first,
				lz4_len ? lz4_len + first : NULL, file->nr);

			printf(" %9.1f", sum.zs_bytes);
			write_sum(file->name, codec_name(run->codec[c]), &sum,
				  lz4_len, file->nr);
		}
		printf("\n");
		first += file->nr;
	}
}

static int compare_regressions(const void *a, const void *b)
{
	const struct regression *x = a, *y = b;

	return x->cost < y->cost ? 1 : x->cost > y->cost ? -1 : 0;
}

static void worst_pages(const struct run *run, const char *codec,
			const unsigned int *len, const unsigned int *lz4_len)
{
	struct regression *list = xmalloc(sizeof(*list) * run->corpus.nr);
	unsigned long nr = 0, first = 0, i;
	unsigned int f;

	for (f = 0; f < run->corpus.nr_files; f++) {
		const struct page_file *file = &run->corpus.file[f];

		for (i = 0; i < file->nr; i++) {
			struct regression *r = &list[nr];

			r->file = file;
			r->number = file->number[i];
			r->len = len[first + i];
			r->lz4_len = lz4_len[first + i];
			r->cost = zs_cost(r->len) - zs_cost(r->lz4_len);
			nr += r->cost > 0;
		}
		first += file->nr;
	}
	qsort(list, nr, sizeof(*list), compare_regressions);
	printf("\n%s: %lu pages take more than with lz4\n", codec, nr);
	for (i = 0; i < nr && i < run->options->worst; i++)
		printf("  %s page %lu: %u bytes, lz4 %u, zsmalloc %+.0f\n",
		       list[i].file->name, list[i].number, list[i].len,
		       list[i].lz4_len, list[i].cost);
	report_value("size", "TOTAL", codec, "pages_above_lz4", nr);
	free(list);
}

void run_sizes(struct run *run)
{
	int lz4 = run_codec_index(run, "lz4");
	const unsigned int *lz4_len = NULL;
	unsigned int *len;
	unsigned int c;

	zs_init();
	zs_tree_check();
	printf("\nsize: %lu pages, %u zsmalloc classes, huge from %u bytes; as the tree's own functions say\n\n",
	       run->corpus.nr, zs_nr_classes(), zs_huge_size());
	len = compress_all(run);
	if (lz4 >= 0)
		lz4_len = len + lz4 * run->corpus.nr;
	total_table(run, len, lz4_len);
	file_table(run, len, lz4_len);
	for (c = 0; lz4_len && c < run->nr_codecs; c++)
		if (!strncmp(codec_name(run->codec[c]), "seqlz", 5))
			worst_pages(run, codec_name(run->codec[c]),
				    len + c * run->corpus.nr, lz4_len);
	free(len);
}
