// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mode time. A process times every call on its own: in a pass every page is
 * compressed once by every codec, in random order, then every page is
 * decompressed once, in another. The codecs take turns of a few hundred pages,
 * and who is first rotates. A page's time is its median over the passes: so an
 * interrupt counts for nothing, and no codec sees a page again while the
 * branch predictor remembers it.
 *
 * Warm: the source was just read, the codec ran before. Cold: other data have
 * driven everything out of the second level cache, or else page, object, code
 * and tables out of every cache.
 *
 * Pages stored huge are copied when they are read, as zram does.
 */
#include "bench.h"
#include "clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TURN	256	/* pages */
#define WARM_UP	8	/* pages before each turn, not timed */

enum direction {
	COMPRESS,
	DECOMPRESS,
	NR_DIRECTIONS,
};

static const char * const mode_name[] = { "time", "time-l2", "time-ram" };
static const char * const caches_name[] = { "warm", "cold from L2 on", "cold from RAM on" };
static const char * const direction_name[] = { "compress", "decompress" };

struct spread {
	double mean;
	double p50;
	double p99;
};

struct object {
	uint8_t *data;
	unsigned int len;
};

struct bench_time {
	struct run *run;
	struct object *object[MAX_CODECS];
	uint32_t *ticks[MAX_CODECS][NR_DIRECTIONS];	/* page * passes + pass */
	unsigned long *order;
	uint64_t random;
	uint64_t overhead;
	double ticks_per_ns;
	uint8_t *evict;
	size_t evict_size;
};

static uint8_t out[DST_SIZE] __attribute__((__aligned__(4096)));
static volatile uint64_t sink;

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void shuffle(struct bench_time *b)
{
	unsigned long i, j, page;

	for (i = b->run->corpus.nr - 1; i > 0; i--) {
		j = next_random(&b->random) % (i + 1);
		page = b->order[i];
		b->order[i] = b->order[j];
		b->order[j] = page;
	}
}

/* objects begin at multiples of 16, as most of zsmalloc's do */
static void make_objects(struct bench_time *b, unsigned int c)
{
	const struct corpus *corpus = &b->run->corpus;
	struct codec *codec = b->run->codec[c];
	unsigned long i;

	b->object[c] = xmalloc(sizeof(*b->object[c]) * corpus->nr);
	for (i = 0; i < corpus->nr; i++) {
		struct object *object = &b->object[c][i];

		object->len = codec_compress(codec, corpus->page[i], out);
		codec_verify(codec, corpus->page[i], out, object->len);
		if (object->len >= zs_huge_size())
			object->len = PAGE_SIZE;
		object->data = aligned_alloc(16, (object->len + 15) & ~15UL);
		if (!object->data)
			die("out of memory");
		memcpy(object->data, object->len == PAGE_SIZE ?
		       corpus->page[i] : out, object->len);
	}
}

static void calibrate(struct bench_time *b)
{
	uint64_t start = nanoseconds(), ticks = ticks_start(), t;
	unsigned int i;

	while (nanoseconds() - start < 100000000)
		;
	b->ticks_per_ns = (double)(ticks_stop() - ticks) / (nanoseconds() - start);
	b->overhead = UINT64_MAX;
	for (i = 0; i < 10000; i++) {
		t = ticks_start();
		t = ticks_stop() - t;
		if (t < b->overhead)
			b->overhead = t;
	}
}

static void read_lines(const uint8_t *data, size_t len)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < len; i += 64)
		sum += data[i];
	sink += sum;
}

static void prepare_caches(struct bench_time *b, const void *src, size_t len)
{
	extern const char __executable_start[], edata[];

	if (b->run->options->caches == CACHES_WARM) {
		read_lines(src, len);
		return;
	}
	read_lines(b->evict, b->evict_size);
	if (b->run->options->caches == CACHES_L2)
		return;
	flush_lines(src, len);
	flush_lines(out, sizeof(out));
	flush_lines(__executable_start, edata - __executable_start);
}

static uint64_t time_call(struct bench_time *b, unsigned int c,
			  enum direction dir, unsigned long page)
{
	struct codec *codec = b->run->codec[c];
	const struct object *object = &b->object[c][page];
	const uint8_t *src = b->run->corpus.page[page];
	uint64_t start, ticks;

	if (dir == COMPRESS) {
		prepare_caches(b, src, PAGE_SIZE);
		start = ticks_start();
		codec_compress(codec, src, out);
		ticks = ticks_stop() - start;
	} else {
		prepare_caches(b, object->data, object->len);
		start = ticks_start();
		if (object->len == PAGE_SIZE)
			memcpy(out, object->data, PAGE_SIZE);
		else
			codec_decompress(codec, object->data, object->len, out);
		ticks = ticks_stop() - start;
		if (memcmp(out, src, PAGE_SIZE))
			die("%s gave back another page", codec_name(codec));
	}
	return ticks > b->overhead ? ticks - b->overhead : 0;
}

static void take_turn(struct bench_time *b, unsigned int c, enum direction dir,
		      unsigned int pass, unsigned long first)
{
	unsigned long nr = b->run->corpus.nr;
	unsigned long end = first + TURN < nr ? first + TURN : nr;
	unsigned long i;

	if (b->run->options->caches == CACHES_WARM)
		for (i = 0; i < WARM_UP; i++)
			time_call(b, c, dir, b->order[(end + i) % nr]);
	for (i = first; i < end; i++) {
		unsigned long page = b->order[i];

		b->ticks[c][dir][page * b->run->options->passes + pass] =
			time_call(b, c, dir, page);
	}
}

static void run_pass(struct bench_time *b, enum direction dir, unsigned int pass)
{
	unsigned int nr_codecs = b->run->nr_codecs, turn = pass, k;
	unsigned long first;

	shuffle(b);
	for (first = 0; first < b->run->corpus.nr; first += TURN, turn++)
		for (k = 0; k < nr_codecs; k++)
			take_turn(b, (turn + k) % nr_codecs, dir, pass, first);
}

static int compare_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static struct spread spread_of(struct bench_time *b, uint32_t *ticks)
{
	unsigned int passes = b->run->options->passes;
	unsigned long nr = b->run->corpus.nr, i;
	struct spread spread = { 0 };

	/* the median of page i moves to place i, where no page behind it reads */
	for (i = 0; i < nr; i++) {
		qsort(ticks + i * passes, passes, sizeof(*ticks), compare_u32);
		ticks[i] = ticks[i * passes + (passes - 1) / 2];
		spread.mean += ticks[i] / b->ticks_per_ns / nr;
	}
	qsort(ticks, nr, sizeof(*ticks), compare_u32);
	spread.p50 = ticks[nr / 2] / b->ticks_per_ns;
	spread.p99 = ticks[nr * 99 / 100] / b->ticks_per_ns;
	return spread;
}

static void set_up(struct bench_time *b)
{
	const struct options *options = b->run->options;
	unsigned long nr = b->run->corpus.nr, i;
	long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
	unsigned int c, dir;

	b->random = options->seed * 0x9e3779b97f4a7c15ULL + 1;
	b->order = xmalloc(sizeof(*b->order) * nr);
	for (i = 0; i < nr; i++)
		b->order[i] = i;
	b->evict_size = 2 * (l2 > 0 ? l2 : 2 << 20);
	b->evict = xmalloc(b->evict_size);
	memset(b->evict, 1, b->evict_size);
	for (c = 0; c < b->run->nr_codecs; c++) {
		make_objects(b, c);
		for (dir = 0; dir < NR_DIRECTIONS; dir++)
			b->ticks[c][dir] = xmalloc(sizeof(uint32_t) * nr *
						   options->passes);
	}
	calibrate(b);
}

/* one process: a line of mean, p50 and p99 for each codec and direction */
void run_timing_child(struct run *run)
{
	struct bench_time b = { .run = run };
	unsigned int c, dir, pass;

	zs_init();
	set_up(&b);
	for (pass = 0; pass < run->options->passes; pass++)
		for (dir = 0; dir < NR_DIRECTIONS; dir++)
			run_pass(&b, dir, pass);
	for (c = 0; c < run->nr_codecs; c++) {
		for (dir = 0; dir < NR_DIRECTIONS; dir++) {
			struct spread s = spread_of(&b, b.ticks[c][dir]);

			printf("%f %f %f\n", s.mean, s.p50, s.p99);
		}
	}
}

/* the processes' figures: [process][codec][direction] */
struct timing {
	struct spread (*spread)[MAX_CODECS][NR_DIRECTIONS];
	unsigned int processes;
	int lz4;
};

static void read_process(struct run *run, struct timing *t, unsigned int p)
{
	char seed[32];
	unsigned int c, dir;
	pid_t child;
	FILE *in;

	snprintf(seed, sizeof(seed), "%lu", run->options->seed + p);
	in = start_child(run, "time", seed, &child);
	for (c = 0; c < run->nr_codecs; c++) {
		for (dir = 0; dir < NR_DIRECTIONS; dir++) {
			struct spread *s = &t->spread[p][c][dir];

			if (fscanf(in, "%lf %lf %lf", &s->mean, &s->p50, &s->p99) != 3)
				die("a process that measures ended early");
		}
	}
	end_child(in, child);
}

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* the median over the processes of figure number `which` of a spread */
static double median(const struct timing *t, unsigned int c, enum direction dir,
		     size_t which)
{
	double value[t->processes];
	unsigned int p;

	for (p = 0; p < t->processes; p++)
		memcpy(&value[p], (char *)&t->spread[p][c][dir] + which,
		       sizeof(value[p]));
	qsort(value, t->processes, sizeof(value[0]), compare_double);
	return value[t->processes / 2];
}

static double least_mean(const struct timing *t, unsigned int c, enum direction dir)
{
	double least = t->spread[0][c][dir].mean;
	unsigned int p;

	for (p = 1; p < t->processes; p++)
		if (t->spread[p][c][dir].mean < least)
			least = t->spread[p][c][dir].mean;
	return least;
}

static const char * const ratio_name[] = {
	"ratio", "ratio_min", "ratio_max", "ratio_quiet",
};

#define NR_RATIOS 4

/*
 * Ratios to lz4: of the means within each process, the median, the least and
 * the most; and of the least mean in any process to lz4's least. What disturbs
 * a process only ever adds time, and more to some codecs than to others: so
 * the last one is steadiest.
 */
static void ratios(const struct timing *t, unsigned int c, enum direction dir,
		   double result[NR_RATIOS])
{
	double value[t->processes];
	unsigned int p;

	for (p = 0; p < t->processes; p++)
		value[p] = t->spread[p][c][dir].mean /
			t->spread[p][t->lz4][dir].mean;
	qsort(value, t->processes, sizeof(value[0]), compare_double);
	result[0] = value[t->processes / 2];
	result[1] = value[0];
	result[2] = value[t->processes - 1];
	result[3] = least_mean(t, c, dir) / least_mean(t, t->lz4, dir);
}

static void write_figure(enum caches caches, const char *codec,
			 enum direction dir, const char *what, double value)
{
	char metric[48];

	snprintf(metric, sizeof(metric), "%s_%s", direction_name[dir], what);
	report_value(mode_name[caches], "TOTAL", codec, metric, value);
}

static void report_direction(struct run *run, const struct timing *t,
			       unsigned int c, enum direction dir)
{
	const char *name = codec_name(run->codec[c]);
	enum caches caches = run->options->caches;
	double mean = median(t, c, dir, offsetof(struct spread, mean));
	double p50 = median(t, c, dir, offsetof(struct spread, p50));
	double p99 = median(t, c, dir, offsetof(struct spread, p99));
	double ratio[NR_RATIOS];
	unsigned int i;

	printf("%-12s %-10s %8.0f %8.0f %8.0f", name, direction_name[dir], mean, p50, p99);
	write_figure(caches, name, dir, "ns", mean);
	write_figure(caches, name, dir, "p50_ns", p50);
	write_figure(caches, name, dir, "p99_ns", p99);
	if (t->lz4 >= 0) {
		ratios(t, c, dir, ratio);
		printf(" %7.3f %7.3f  %.3f .. %.3f", ratio[3], ratio[0], ratio[1], ratio[2]);
		for (i = 0; i < NR_RATIOS; i++)
			write_figure(caches, name, dir, ratio_name[i], ratio[i]);
	}
	printf("\n");
}

void run_timing(struct run *run)
{
	struct timing t = {
		.processes = run->options->processes,
		.lz4 = run_codec_index(run, "lz4"),
	};
	unsigned int p, c;

	t.spread = xmalloc(sizeof(*t.spread) * t.processes);
	for (p = 0; p < t.processes; p++)
		read_process(run, &t, p);
	printf("\ntime, %s: %lu pages, %lu passes in each of %u processes; ns a page\n"
	       "On a virtual or busy machine these figures are noisy: trust the ratios, and those no\n"
	       "further than lz4-again, a second copy of lz4, is away from 1. quiet: the least mean of any\n"
	       "process to lz4's least, as what disturbs a process only adds time.\n\n",
	       caches_name[run->options->caches], run->corpus.nr,
	       run->options->passes, t.processes);
	printf("%-12s %-10s %8s %8s %8s %7s %7s  %s\n", "", "", "", "", "",
	       "to lz4:", "", "least .. most");
	printf("%-12s %-10s %8s %8s %8s %7s %7s  %s\n", "codec", "", "mean", "p50",
	       "p99", "quiet", "median", "of the processes");
	for (c = 0; c < run->nr_codecs; c++)
		report_direction(run, &t, c, COMPRESS);
	for (c = 0; c < run->nr_codecs; c++) {
		report_direction(run, &t, c, DECOMPRESS);
		run->result[c].compress_ns = least_mean(&t, c, COMPRESS);
		run->result[c].decompress_ns = least_mean(&t, c, DECOMPRESS);
	}
	free(t.spread);
}
