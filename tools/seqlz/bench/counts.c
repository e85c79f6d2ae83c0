// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mode count: instructions and mispredicted branches, as callgrind simulates
 * them, every page once: the same on every run of the same build. The C
 * library is told to leave out what processors differ in.
 */
#include "bench.h"
#include "mark.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define HAVE_CALLGRIND	1
#else
#define HAVE_CALLGRIND	0
#define CALLGRIND_TOGGLE_COLLECT	((void)0)
#define CALLGRIND_DUMP_STATS_AT(name)	((void)(name))
#endif

/* events: Ir Bc Bcm Bi Bim */
struct count {
	double instructions;
	double branches;
	double mispredicted;
	bool found;
};

static void mark(void)
{
	(void)!getpgid(BENCH_MARK);
}

/* under callgrind or qemu, for one codec */
void run_counts_child(struct run *run)
{
	struct codec *codec = run->codec[0];
	const struct corpus *corpus = &run->corpus;
	unsigned int *len = xmalloc(sizeof(*len) * corpus->nr);
	uint8_t *object = xmalloc(DST_SIZE * corpus->nr);
	static uint8_t out[PAGE_SIZE];
	unsigned long i;

	mark();
	CALLGRIND_TOGGLE_COLLECT;
	for (i = 0; i < corpus->nr; i++)
		len[i] = codec_compress(codec, corpus->page[i], object + i * DST_SIZE);
	CALLGRIND_TOGGLE_COLLECT;
	mark();
	CALLGRIND_DUMP_STATS_AT("compress");
	mark();
	CALLGRIND_TOGGLE_COLLECT;
	for (i = 0; i < corpus->nr; i++)
		codec_decompress(codec, object + i * DST_SIZE, len[i], out);
	CALLGRIND_TOGGLE_COLLECT;
	mark();
	CALLGRIND_DUMP_STATS_AT("decompress");
	for (i = 0; i < corpus->nr; i++)
		codec_verify(codec, corpus->page[i], object + i * DST_SIZE, len[i]);
	puts("done");
}

/* what one of callgrind's files holds: which direction, and the sums */
static void read_dump(const char *path, struct count count[2])
{
	unsigned long ir, bc, bcm, bi, bim;
	char line[512];
	int dir = -1;
	FILE *in = fopen(path, "r");

	if (!in)
		die("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), in)) {
		if (!strncmp(line, "desc: Trigger:", 14)) {
			if (strstr(line, "Client Request: compress"))
				dir = 0;
			else if (strstr(line, "Client Request: decompress"))
				dir = 1;
		}
		if (dir >= 0 && sscanf(line, "summary: %lu %lu %lu %lu %lu", &ir,
				       &bc, &bcm, &bi, &bim) == 5)
			count[dir] = (struct count){ ir, bc + bi, bcm + bim, true };
	}
	fclose(in);
}

static void read_dumps(const char *dir, struct count count[2])
{
	struct dirent *entry;
	char path[1024];
	DIR *stream = opendir(dir);

	if (!stream)
		die("%s: %s", dir, strerror(errno));
	while ((entry = readdir(stream))) {
		if (strncmp(entry->d_name, "out", 3))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		read_dump(path, count);
		unlink(path);
	}
	closedir(stream);
	rmdir(dir);
}

static void count_codec(struct run *run, unsigned int c, struct count count[2])
{
	char dir[] = "/tmp/seqlz-count-XXXXXX";
	char word[16];
	pid_t child;
	FILE *in;

	if (!mkdtemp(dir))
		die("no temporary directory: %s", strerror(errno));
	memset(count, 0, 2 * sizeof(*count));
	in = start_counting(run, codec_name(run->codec[c]), dir, &child);
	if (fscanf(in, "%15s", word) != 1 || strcmp(word, "done"))
		die("valgrind did not finish %s", codec_name(run->codec[c]));
	end_child(in, child);
	read_dumps(dir, count);
	if (!count[0].found || !count[1].found)
		die("valgrind left no counts of %s", codec_name(run->codec[c]));
}

void run_counts(struct run *run)
{
	static const char * const direction_name[] = { "compress", "decompress" };
	struct count count[MAX_CODECS][2];
	double nr = run->corpus.nr;
	unsigned int c, dir;
	char metric[48];

	if (!HAVE_CALLGRIND)
		die("mode count was built without valgrind: install it, then make clean");
	for (c = 0; c < run->nr_codecs; c++)
		count_codec(run, c, count[c]);
	printf("\ncount: a page, of %lu pages once each under callgrind\n\n", run->corpus.nr);
	printf("%-12s %-10s %12s %9s %12s\n", "codec", "", "instructions",
	       "branches", "mispredicted");
	for (dir = 0; dir < 2; dir++) {
		for (c = 0; c < run->nr_codecs; c++) {
			const char *name = codec_name(run->codec[c]);
			const struct count *sum = &count[c][dir];

			printf("%-12s %-10s %12.0f %9.0f %12.1f\n", name,
			       direction_name[dir], sum->instructions / nr,
			       sum->branches / nr, sum->mispredicted / nr);
			snprintf(metric, sizeof(metric), "%s_instructions",
				 direction_name[dir]);
			report_value("count", "TOTAL", name, metric,
				     sum->instructions / nr);
			snprintf(metric, sizeof(metric), "%s_mispredicted",
				 direction_name[dir]);
			report_value("count", "TOTAL", name, metric,
				     sum->mispredicted / nr);
		}
	}
}
