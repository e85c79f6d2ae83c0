// SPDX-License-Identifier: GPL-2.0-only
/* Page files: raw pages one after the other, or those compressed with zstd. */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ZSTD_MISSING 127

/* zstd(1) reads the file in a child, so that no name goes through a shell */
static FILE *open_zstd(const char *name, pid_t *child)
{
	int ends[2];

	if (pipe(ends))
		die("no pipe: %s", strerror(errno));
	*child = fork();
	if (*child < 0)
		die("no process: %s", strerror(errno));
	if (*child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execlp("zstd", "zstd", "-dcqq", "--", name, (char *)NULL);
		_exit(ZSTD_MISSING);
	}
	close(ends[1]);
	return fdopen(ends[0], "rb");
}

static void close_input(FILE *in, const char *name, pid_t child)
{
	int status = 0;

	fclose(in);
	if (child > 0 && (waitpid(child, &status, 0) != child || status))
		die(WEXITSTATUS(status) == ZSTD_MISSING ?
		    "%s needs zstd(1): install the package zstd" :
		    "%s could not be decompressed: is it a whole zstd file?", name);
}

/* zram stores a page that repeats one word without a codec */
static bool page_is_same(const uint8_t *page)
{
	return !memcmp(page, page + sizeof(long), PAGE_SIZE - sizeof(long));
}

static uint8_t *read_all(FILE *in, const char *name, size_t *len)
{
	size_t size = 1 << 20, got;
	uint8_t *data = NULL;

	*len = 0;
	do {
		size *= 2;
		data = realloc(data, size);
		if (!data)
			die("out of memory for %s", name);
		got = fread(data + *len, 1, size - *len, in);
		*len += got;
	} while (*len == size);
	if (ferror(in))
		die("%s cannot be read", name);
	return data;
}

static void add_page(struct page_file *file, const uint8_t *data,
		     unsigned long number)
{
	const uint8_t *page = data + number * PAGE_SIZE;

	if (page_is_same(page)) {
		file->same++;
		return;
	}
	file->number[file->nr] = number;
	memcpy(file->data + file->nr++ * PAGE_SIZE, page, PAGE_SIZE);
}

/* of a file with more than limit pages, that many from all over it */
static void load_file(struct page_file *file, char *path, unsigned long limit)
{
	const char *slash = strrchr(path, '/');
	size_t suffix = strlen(path) > 4 ? strlen(path) - 4 : 0;
	bool zst = !strcmp(path + suffix, ".zst");
	unsigned long i, nr;
	pid_t child = 0;
	uint8_t *data;
	size_t len;
	FILE *in;

	in = fopen(path, "rb");
	if (!in)
		die("%s: %s", path, strerror(errno));
	if (zst) {
		fclose(in);
		in = open_zstd(path, &child);
	}
	data = read_all(in, path, &len);
	close_input(in, path, child);
	if (!len || len % PAGE_SIZE)
		die("%s: %zu bytes are not a multiple of the page size %lu: give a file of whole pages",
		    path, len, PAGE_SIZE);

	file->name = strdup(slash ? slash + 1 : path);
	if (zst)
		file->name[strlen(file->name) - 4] = '\0';
	nr = len / PAGE_SIZE;
	file->data = aligned_alloc(PAGE_SIZE, len);
	file->number = xmalloc(nr * sizeof(*file->number));
	if (!file->data)
		die("out of memory for %s", path);
	if (limit > nr)
		limit = nr;
	for (i = 0; i < limit; i++)
		add_page(file, data, i * nr / limit);
	free(data);
}

void corpus_load(struct corpus *corpus, char **names, unsigned int nr,
		 unsigned long limit)
{
	unsigned long n = 0, j;
	unsigned int i;

	corpus->nr_files = nr;
	corpus->file = calloc(nr, sizeof(*corpus->file));
	for (i = 0; i < nr; i++) {
		load_file(&corpus->file[i], names[i], limit);
		corpus->nr += corpus->file[i].nr;
	}
	if (!corpus->nr)
		die("no pages are left: all of them are same-filled");
	corpus->page = xmalloc(corpus->nr * sizeof(*corpus->page));
	for (i = 0; i < nr; i++)
		for (j = 0; j < corpus->file[i].nr; j++)
			corpus->page[n++] = corpus->file[i].data + j * PAGE_SIZE;
}
