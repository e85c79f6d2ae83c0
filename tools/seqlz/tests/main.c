// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz-test [-q] PAGEFILE...: run every unit test on one build of the codec.
 *
 * Each test is a process of its own, so that one that crashes is one failed
 * test. The last line is "N passed, N failed" with the name of the program in
 * front; the lines "hash ..." must be the same for all builds of a page size.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "test.h"

/* a test that takes longer has hung; sanitizers on a busy machine are slow */
#define TEST_SECONDS 600

unsigned long checks_done;
bool quick;
const u8 *sample;
size_t sample_pages;

static char where[256];

void at(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(where, sizeof(where), fmt, ap);
	va_end(ap);
}

void fail(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("    %s:%d: %s: ", file, line, where);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	_exit(1);
}

static void on_signal(int sig)
{
	static const char head[] = "    crashed or hung at: ";
	ssize_t ignored;

	ignored = write(STDOUT_FILENO, head, sizeof(head) - 1);
	ignored = write(STDOUT_FILENO, where, strlen(where));
	ignored = write(STDOUT_FILENO, "\n", 1);
	(void)ignored;
	signal(sig, SIG_DFL);
	raise(sig);
}

/* called by AddressSanitizer before its report */
void __asan_on_error(void);
void __asan_on_error(void)
{
	dprintf(STDOUT_FILENO, "    AddressSanitizer at: %s\n", where);
}

static void *map_or_die(size_t size, int prot)
{
	void *p = mmap(NULL, size, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		fprintf(stderr, "seqlz-test: no memory for %zu bytes\n", size);
		exit(2);
	}
	return p;
}

void guard_init(struct guard *g, size_t size)
{
	size_t unit = (size_t)sysconf(_SC_PAGESIZE);
	u8 *map;

	g->size = (size + unit - 1) / unit * unit;
	map = map_or_die(g->size + 2 * unit, PROT_NONE);
	if (mprotect(map + unit, g->size, PROT_READ | PROT_WRITE)) {
		fprintf(stderr, "seqlz-test: mprotect failed\n");
		exit(2);
	}
	g->end = map + unit + g->size;
}

u8 *guard_end(const struct guard *g, size_t len)
{
	if (len > g->size)
		fail(__FILE__, __LINE__, "test bug: %zu bytes of %zu", len, g->size);
	return g->end - len;
}

/* append the file to the sample; whole pages only, the rest is left out */
static void read_pages(const char *path)
{
	static size_t room;
	static u8 *buf;
	FILE *f = fopen(path, "rb");

	if (!f) {
		fprintf(stderr, "seqlz-test: cannot read %s\n", path);
		exit(2);
	}
	for (;;) {
		if (sample_pages == room) {
			room = 2 * room + 64;
			buf = realloc(buf, room * PAGE_SIZE);
			if (!buf)
				exit(2);
		}
		if (fread(buf + sample_pages * PAGE_SIZE, PAGE_SIZE, 1, f) != 1)
			break;
		sample_pages++;
	}
	fclose(f);
	sample = buf;
}

static bool run_test(const struct test *t)
{
	time_t start = time(NULL);
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		signal(SIGSEGV, on_signal);
		signal(SIGBUS, on_signal);
		signal(SIGALRM, on_signal);
		alarm(TEST_SECONDS);
		rnd_seed(1);
		t->run();
		printf("    %lu checks, %ld s\n", checks_done, (long)(time(NULL) - start));
		fflush(stdout);
		/* a test that checked nothing has not passed */
		_exit(checks_done ? 0 : 1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
	static const struct test *const suites[] = {
		roundtrip_tests, bounds_tests, limits_tests, malformed_tests
	};
	unsigned int passed = 0, failed = 0;
	int i = 1;

	if (i < argc && strcmp(argv[i], "-q") == 0) {
		quick = true;
		i++;
	}
	if (i == argc) {
		fprintf(stderr, "usage: seqlz-test [-q] PAGEFILE...\n");
		return 2;
	}
	for (; i < argc; i++)
		read_pages(argv[i]);
	if (!sample_pages) {
		fprintf(stderr, "seqlz-test: the page files hold no page\n");
		return 2;
	}
	for (size_t s = 0; s < ARRAY_SIZE(suites); s++) {
		for (const struct test *t = suites[s]; t->name; t++) {
			bool ok = run_test(t);

			printf("%s %s\n", ok ? "ok  " : "FAIL", t->name);
			*(ok ? &passed : &failed) += 1;
		}
	}
	printf("%zu KiB pages: %u passed, %u failed\n", PAGE_SIZE / 1024, passed, failed);
	return failed || !passed;
}
