/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the benchmark, a file each. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifndef PAGE_SIZE
#define PAGE_SIZE	(1UL << PAGE_SHIFT)
#endif

#define MAX_CODECS	24
/* what zram gives compress() */
#define DST_SIZE	(2 * PAGE_SIZE)

/* main.c */
void die(const char *format, ...)
	__attribute__((__noreturn__, __format__(__printf__, 1, 2)));
void *xmalloc(size_t size);

/* where what a call needs is before it */
enum caches {
	CACHES_WARM,
	CACHES_L2,	/* behind the second level */
	CACHES_RAM,	/* in no cache */
};

struct options {
	const char *modes;
	const char *codecs;
	const char *tsv;
	unsigned long passes;
	unsigned long processes;
	unsigned long limit;
	unsigned long seed;
	unsigned long worst;
	enum caches caches;
	char **argv;
};

/* pages.c: the pages of one file, those of one repeated word taken out */
struct page_file {
	char *name;
	uint8_t *data;
	unsigned long *number;	/* of the page in the file */
	unsigned long nr;
	unsigned long same;
};

struct corpus {
	struct page_file *file;
	unsigned int nr_files;
	unsigned long nr;
	uint8_t **page;		/* of all files */
};

void corpus_load(struct corpus *corpus, char **names, unsigned int nr,
		 unsigned long limit);

/* codecs.c: a codec is one of zram's backends with its parameters */
struct codec;

struct codec_memory {
	size_t asked;	/* sum of the sizes asked for */
	size_t taken;	/* rounded up as the allocators do */
};

struct codec *codec_open(const char *spec);
const char *codec_name(const struct codec *codec);
struct codec_memory codec_memory(const struct codec *codec);
void codec_list(FILE *out);
unsigned int codec_compress(struct codec *codec, const void *page, void *dst);
void codec_decompress(struct codec *codec, const void *src, unsigned int len,
		      void *page);
int codec_decompress_bare(struct codec *codec, const void *src, unsigned int len,
			  void *page);
void codec_verify(struct codec *codec, const void *page, const void *src,
		  unsigned int len);

/* zsmalloc.c: what an object takes, of mm/zsmalloc.c */
struct zs_class {
	unsigned int size;
	unsigned int pages;
	unsigned int objects;
	unsigned int rank;	/* 0 is the class of the smallest objects */
};

void zs_init(void);
const struct zs_class *zs_class_of(unsigned int len);
unsigned int zs_huge_size(void);
unsigned int zs_nr_classes(void);
double zs_cost(unsigned int len);

/* zs-tree.c: the same from the functions of the tree itself */
void zs_tree_check(void);

/* report.c: a table on standard output, every figure in the TSV file */
void report_open(const struct options *options);
void report_value(const char *mode, const char *file, const char *codec,
		  const char *metric, double value);
void report_close(void);

/* sizes.c, timing.c, counts.c, score.c, worst.c: a mode each */
struct codec_result {
	double zs_bytes;	/* a page, of all files; 0 without mode size */
	double compress_ns;
	double decompress_ns;
};

struct run {
	const struct options *options;
	struct corpus corpus;
	struct codec *codec[MAX_CODECS];
	unsigned int nr_codecs;
	struct codec_result result[MAX_CODECS];
};

/*
 * child.c: this program again, with the same arguments. Its environment says
 * what it is to do, and its standard output is read.
 */
FILE *start_child(const struct run *run, const char *task, const char *seed,
		  pid_t *child);
FILE *start_counting(const struct run *run, const char *codec, const char *dir,
		     pid_t *child);
void end_child(FILE *in, pid_t child);
const char *child_task(void);
unsigned long child_seed(unsigned long seed);
const char *child_codec(void);

int run_codec_index(const struct run *run, const char *name);
void run_sizes(struct run *run);
void run_timing(struct run *run);
void run_timing_child(struct run *run);
void run_counts(struct run *run);
void run_counts_child(struct run *run);
void run_score(struct run *run);
void run_worst(struct run *run);

#endif /* BENCH_H */
