// SPDX-License-Identifier: GPL-2.0-only
/* bench-4k, bench-16k, bench-64k: page codecs of zram against each other. */
#include "bench.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_CODECS "seqlz:1,seqlz:2,seqlz:3,seqlz:4,lz4,lz4-again,lzo-rle,zstd:3,zstd:1"
#define ALL_CODECS DEFAULT_CODECS ",zstd:-1,lzo,lz4hc,deflate,842"

static const char usage[] =
"usage: bench-4k [option...] FILE...\n"
"Compares zram's codecs, built from a kernel tree, on the pages of FILEs (raw,\n"
"or compressed with zstd). Same-filled pages are left out. bench-16k and\n"
"bench-64k do it for pages of that size.\n"
"\n"
"  -m MODE,...   what to do, in this order (default size,time,score):\n"
"                  size   bytes and zsmalloc bytes a page, work memory, pages\n"
"                         that take more than with lz4\n"
"                  time   ns to compress and decompress a page\n"
"                  score  memory against time: needs size and time before it\n"
"                  worst  the slowest valid blocks that can be made up, to\n"
"                         decompress with seqlz, beside real pages\n"
"                  count  instructions and mispredicted branches, by callgrind\n"
"  -c CODEC,...  name or name:level (\"all\": every codec there is; default\n"
"                " DEFAULT_CODECS "\n"
"  -C l2|ram     time: with cold caches. Before each call: a buffer twice as\n"
"                large as the second level is read; or, beside that, page,\n"
"                object, code and tables are flushed to memory\n"
"  -n N          at most N pages of a file, evenly spaced\n"
"  -P N          time: passes in a process (default 3)\n"
"  -R N          time: processes (default 5)\n"
"  -s N          time: seed of the random order (default 1)\n"
"  -w N          size: how many of the worst pages to name (default 5)\n"
"  -o FILE       write every figure to FILE: mode, page size, file, codec,\n"
"                metric, value, separated by tabs\n"
"\n"
"codecs:";

void die(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("error: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

void *xmalloc(size_t size)
{
	void *mem = malloc(size);

	if (!mem)
		die("out of memory");
	return mem;
}

static void print_usage(FILE *out)
{
	fputs(usage, out);
	codec_list(out);
	fputc('\n', out);
}

static unsigned long number(int option, const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || value < 1 || value > 1000000000)
		die("-%c %s: give a number from 1", option, text);
	return value;
}

static enum caches caches(const char *name)
{
	if (!strcmp(name, "l2"))
		return CACHES_L2;
	if (!strcmp(name, "ram"))
		return CACHES_RAM;
	die("-C %s: give l2 or ram", name);
}

/* where the number of an option goes, NULL if it takes none */
static unsigned long *number_of(struct options *options, int option)
{
	switch (option) {
	case 'n':
		return &options->limit;
	case 'P':
		return &options->passes;
	case 'R':
		return &options->processes;
	case 's':
		return &options->seed;
	case 'w':
		return &options->worst;
	}
	return NULL;
}

static void parse_option(struct options *options, int option)
{
	unsigned long *value = number_of(options, option);

	if (value)
		*value = number(option, optarg);
	else if (option == 'm')
		options->modes = optarg;
	else if (option == 'c')
		options->codecs = strcmp(optarg, "all") ? optarg : ALL_CODECS;
	else if (option == 'C')
		options->caches = caches(optarg);
	else if (option == 'o')
		options->tsv = optarg;
	else
		die("-h lists the options");
}

static void parse_options(struct options *options, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "m:c:C:n:P:R:s:w:o:h")) != -1) {
		if (option == 'h') {
			print_usage(stdout);
			exit(0);
		}
		parse_option(options, option);
	}
	if (optind == argc)
		die("no page file was given: -h shows how");
}

static void open_codecs(struct run *run, const char *names)
{
	char *list = strdup(names), *name;

	for (name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		if (run_codec_index(run, name) >= 0)
			die("codec '%s' is named twice", name);
		if (run->nr_codecs == MAX_CODECS)
			die("more than %d codecs", MAX_CODECS);
		run->codec[run->nr_codecs++] = codec_open(name);
	}
	if (!run->nr_codecs)
		die("no codec was named: -h lists them");
}

int run_codec_index(const struct run *run, const char *name)
{
	unsigned int c;

	for (c = 0; c < run->nr_codecs; c++)
		if (!strcmp(codec_name(run->codec[c]), name))
			return c;
	return -1;
}

static const struct {
	const char *name;
	void (*run)(struct run *run);
} modes[] = {
	{ "size", run_sizes },
	{ "time", run_timing },
	{ "score", run_score },
	{ "count", run_counts },
	{ "worst", run_worst },
};

#define NR_MODES (sizeof(modes) / sizeof(modes[0]))

static unsigned int find_mode(const char *name)
{
	unsigned int i;

	for (i = 0; i < NR_MODES; i++)
		if (!strcmp(modes[i].name, name))
			return i;
	die("mode '%s' is unknown: -h lists them", name);
}

struct plan {
	unsigned int mode[16];
	unsigned int nr;
};

static struct plan plan_modes(const char *names)
{
	char *list = strdup(names), *name;
	struct plan plan = { .nr = 0 };

	for (name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		if (plan.nr == 16)
			die("too many modes");
		plan.mode[plan.nr++] = find_mode(name);
	}
	free(list);
	return plan;
}

static void run_modes(struct run *run, const struct plan *plan)
{
	unsigned int i;

	report_open(run->options);
	for (i = 0; i < plan->nr; i++) {
		modes[plan->mode[i]].run(run);
		fflush(stdout);
	}
	report_close();
}

int main(int argc, char **argv)
{
	struct options options = {
		.modes = "size,time,score",
		.codecs = DEFAULT_CODECS,
		.passes = 3,
		.processes = 5,
		.limit = ULONG_MAX,
		.seed = 1,
		.worst = 5,
		.argv = argv,
	};
	struct run run = { .options = &options };
	const char *task = child_task();
	struct plan plan;

	parse_options(&options, argc, argv);
	plan = plan_modes(options.modes);
	options.seed = child_seed(options.seed);
	open_codecs(&run, child_codec() ? child_codec() : options.codecs);
	corpus_load(&run.corpus, argv + optind, argc - optind, options.limit);
	if (!task)
		run_modes(&run, &plan);
	else if (!strcmp(task, "time"))
		run_timing_child(&run);
	else
		run_counts_child(&run);
	return 0;
}
