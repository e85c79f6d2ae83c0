// SPDX-License-Identifier: GPL-2.0-only
/* The program runs itself again: to measure in several processes, and under valgrind. */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* the new process, with its standard output to be read from *in */
static pid_t fork_to_read(FILE **in)
{
	int ends[2];
	pid_t child;

	fflush(stdout);
	if (pipe(ends))
		die("no pipe: %s", strerror(errno));
	child = fork();
	if (child < 0)
		die("no process: %s", strerror(errno));
	if (child == 0)
		dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	if (child == 0)
		close(ends[0]);
	else
		*in = fdopen(ends[0], "r");
	return child;
}

FILE *start_child(const struct run *run, const char *task, const char *seed,
		  pid_t *child)
{
	FILE *in = NULL;

	*child = fork_to_read(&in);
	if (*child == 0) {
		setenv("BENCH_TASK", task, 1);
		setenv("BENCH_SEED", seed, 1);
		execv("/proc/self/exe", run->options->argv);
		_exit(127);
	}
	return in;
}

/* what the C library has for newer processors is not counted */
#define PLAIN_LIBC "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-AVX2_Usable,-AVX_Usable,-ERMS,-FSRM"

static void exec_valgrind(char **argv, const char *codec, const char *dir)
{
	char self[1024], out[1024];
	char *args[256] = {
		"valgrind", "-q", "--tool=callgrind", "--branch-sim=yes",
		"--collect-atstart=no", out, self,
	};
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	unsigned int n = 7;

	if (len < 0)
		_exit(127);
	self[len] = '\0';
	snprintf(out, sizeof(out), "--callgrind-out-file=%s/out", dir);
	while (*++argv && n < 255)
		args[n++] = *argv;
	if (*argv)
		die("too many files for mode count");
	setenv("BENCH_TASK", "count", 1);
	setenv("BENCH_CODEC", codec, 1);
	setenv("GLIBC_TUNABLES", PLAIN_LIBC, 1);
	execvp("valgrind", args);
	fprintf(stderr, "error: mode count needs valgrind: install the package valgrind\n");
	_exit(127);
}

FILE *start_counting(const struct run *run, const char *codec, const char *dir,
		     pid_t *child)
{
	FILE *in = NULL;

	*child = fork_to_read(&in);
	if (*child == 0)
		exec_valgrind(run->options->argv, codec, dir);
	return in;
}

void end_child(FILE *in, pid_t child)
{
	int status;

	fclose(in);
	if (waitpid(child, &status, 0) != child || status)
		die("a process that measures failed");
}

const char *child_task(void)
{
	return getenv("BENCH_TASK");
}

unsigned long child_seed(unsigned long seed)
{
	const char *value = getenv("BENCH_SEED");

	return value ? strtoul(value, NULL, 10) : seed;
}

const char *child_codec(void)
{
	return getenv("BENCH_CODEC");
}
