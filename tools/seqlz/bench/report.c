// SPDX-License-Identifier: GPL-2.0-only
/*
 * The TSV file has a line for every figure: mode, bytes a page, page file or
 * TOTAL, codec, metric, value. Its head says how it came about.
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static FILE *tsv;

static void print_processor(FILE *out)
{
	FILE *cpuinfo = fopen("/proc/cpuinfo", "r");
	char line[256], *colon;

	while (cpuinfo && fgets(line, sizeof(line), cpuinfo)) {
		colon = strchr(line, ':');
		if (colon && !strncmp(line, "model name", 10)) {
			fprintf(out, "# processor: %s", colon + 2);
			break;
		}
	}
	if (cpuinfo)
		fclose(cpuinfo);
}

/* paths are cut down to names: the figures go into the repository */
static void print_command(FILE *out, char **argv)
{
	const char *script = getenv("BENCH_COMMAND");
	const char *slash;

	if (script) {
		fprintf(out, "# command: %s\n", script);
		return;
	}
	fprintf(out, "# command:");
	for (; *argv; argv++) {
		slash = strrchr(*argv, '/');
		fprintf(out, " %s", slash ? slash + 1 : *argv);
	}
	fputc('\n', out);
}

static void print_head(FILE *out, const struct options *options)
{
	char date[32];
	time_t now = time(NULL);

	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	print_command(out, options->argv);
	fprintf(out, "# date: %s\n", date);
	fprintf(out, "# kernel tree: Linux %s, zsmalloc chain size %d\n",
		BENCH_KERNEL, CONFIG_ZSMALLOC_CHAIN_SIZE);
	fprintf(out, "# compiler: %s\n", BENCH_COMPILER);
	print_processor(out);
	fprintf(out, "# page size: %lu\n", PAGE_SIZE);
}

void report_open(const struct options *options)
{
	print_head(stdout, options);
	if (!options->tsv)
		return;
	tsv = fopen(options->tsv, "w");
	if (!tsv)
		die("%s: %s", options->tsv, strerror(errno));
	fprintf(tsv, "# SPDX-License-Identifier: GPL-2.0-only\n");
	print_head(tsv, options);
	fprintf(tsv, "# mode\tpage_size\tfile\tcodec\tmetric\tvalue\n");
}

void report_value(const char *mode, const char *file, const char *codec,
		  const char *metric, double value)
{
	if (tsv)
		fprintf(tsv, "%s\t%lu\t%s\t%s\t%s\t%.10g\n", mode, PAGE_SIZE,
			file, codec, metric, value);
}

void report_close(void)
{
	if (tsv && fclose(tsv))
		die("the TSV file could not be written: %s", strerror(errno));
}
