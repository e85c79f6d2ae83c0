// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mode score: memory against time. Time is a write and 0.34 of a read, as a
 * page is read back about once for every three times it is written. A codec
 * is on the hull if, at some price of memory in time, none is better.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READS_PER_WRITE	0.34

struct point {
	const char *name;
	double bytes;
	double us;	/* of the process that was disturbed least */
	bool hull;
};

static int compare_points(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return x->us < y->us ? -1 : x->us > y->us;
}

/* the lower hull of points sorted by time, as far as bytes still fall */
static void find_hull(struct point *point, unsigned int nr)
{
	unsigned int from = 0, to, best, i;

	point[0].hull = true;
	for (;;) {
		double slope = 0;

		best = from;
		for (to = from + 1; to < nr; to++) {
			double s = (point[to].bytes - point[from].bytes) /
				(point[to].us - point[from].us);

			if (s < slope) {
				slope = s;
				best = to;
			}
		}
		if (best == from)
			break;
		for (i = from + 1; i < best; i++)
			point[i].hull = false;
		point[best].hull = true;
		from = best;
	}
}

void run_score(struct run *run)
{
	struct point point[MAX_CODECS], *last = NULL;
	unsigned int c, nr = 0;

	for (c = 0; c < run->nr_codecs; c++) {
		const struct codec_result *r = &run->result[c];

		if (!strcmp(codec_name(run->codec[c]), "lz4-again"))
			continue;
		if (!r->zs_bytes || !r->compress_ns)
			die("mode score needs the modes size and time before it");
		point[nr++] = (struct point){
			.name = codec_name(run->codec[c]),
			.bytes = r->zs_bytes,
			.us = (r->compress_ns + READS_PER_WRITE * r->decompress_ns) / 1000,
		};
	}
	if (!nr)
		return;
	qsort(point, nr, sizeof(point[0]), compare_points);
	find_hull(point, nr);

	printf("\nscore: zsmalloc bytes against write + %.2f read\n\n%-12s %9s %9s  %s\n",
	       READS_PER_WRITE, "codec", "us", "zsmalloc", "bytes saved per us since the last on the hull");
	for (c = 0; c < nr; c++) {
		struct point *p = &point[c];

		printf("%-12s %9.2f %9.1f", p->name, p->us, p->bytes);
		if (p->hull && last)
			printf("  hull %.1f", (last->bytes - p->bytes) / (p->us - last->us));
		else if (p->hull)
			printf("  hull");
		printf("\n");
		if (p->hull)
			last = p;
		report_value("score", "TOTAL", p->name, "us", p->us);
		report_value("score", "TOTAL", p->name, "hull", p->hull);
	}
}
