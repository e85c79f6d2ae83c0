// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program of the guest of "make workload": switches between programs that
 * together are larger than RAM, with each algorithm in the same RAM
 *
 * It is process 1 of a kernel whose root is the host's, read-only, and works in
 * the directory workload_dir, with the file "text" and the programs of
 * tools/seqlz/guest/workload. They read the text, say "ready" and wait. Then one
 * at a time is asked for a round through a half of its memory and answers with a
 * sum; the next round is the same again, when all of it is in RAM. In the end
 * more and more programs are started, until one is killed for want of memory or
 * is not ready in time. What a program answers must be the same each time and
 * with each algorithm. Parameters from the kernel's command line:
 *
 *	workload_algs=NAME[:LEVEL],...	or none, without swap
 *	workload_dir=PATH
 *	workload_cycles=N	how often each program is switched to
 *	workload_seconds=N	for a program to be ready
 *
 * Lines for the program outside: @switch KEY=VALUE... of every switch, times in
 * milliseconds; @pool and @fit KEY=VALUE... of every algorithm; @progress TEXT,
 * @fail TEXT, @done.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "guest.h"

#define KINDS 6
#define MAX_PROGRAMS 32
#define DISK (768ull << 20)

static const struct kind {
	const char *name;
	const char *request[2];
	char * const argv[10];
} kinds[KINDS] = {
	{ "python", { "0\n", "1\n" },
	  { "/usr/bin/python3", "-IS", "python.py", "text", "300000" } },
	{ "perl", { "0\n", "1\n" },
	  { "/usr/bin/perl", "perl.pl", "text", "300000" } },
	{ "lua", { "0\n", "1\n" },
	  { "/usr/bin/lua5.4", "lua.lua", "text", "160000" } },
	{ "ruby", { "0\n", "1\n" },
	  { "/usr/bin/ruby", "--disable-gems", "ruby.rb", "text", "280000" } },
	{ "awk", { "0\n", "1\n" },
	  { "/usr/bin/gawk", "-v", "text=text", "-v", "lines=150000", "-f",
	    "awk.awk" } },
	{ "sqlite", {
	  "SELECT sum(length(line) + unicode(line)) FROM t WHERE rowid <= (SELECT max(rowid) / 2 FROM t);\n",
	  "SELECT sum(length(line) + unicode(line)) FROM t WHERE rowid > (SELECT max(rowid) / 2 FROM t);\n" },
	  { "/usr/bin/sqlite3", "-batch", "-init", "sqlite.sql", ":memory:" } },
};

static struct program {
	pid_t pid;
	int in, out;
	unsigned int turns;
} programs[MAX_PROGRAMS];
static unsigned int count;
/* The first answers, which all others must be like. */
static char answers[KINDS][2][64];

struct counts {
	unsigned long long pswpin, pswpout, faults;
};

static unsigned long parameter(const char *name, unsigned long value)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : value;
}

static unsigned long long field(const char *text, const char *name)
{
	const char *p = strstr(text, name);

	if (p)
		return strtoull(p + strlen(name), NULL, 10);
	print("fail", "/proc/vmstat has no%s", name + 1);
	return 0;
}

static struct counts read_counts(void)
{
	static char text[16384];

	read_file("/proc/vmstat", text, sizeof(text));
	return (struct counts){ field(text, "\npswpin "),
				field(text, "\npswpout "),
				field(text, "\npgmajfault ") };
}

static void start_program(void)
{
	struct program *p = &programs[count];
	const struct kind *kind = &kinds[count % KINDS];
	int in[2], out[2];

	*p = (struct program){ .pid = -1 };
	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) {
		print("fail", "pipe: %s", strerror(errno));
		return;
	}
	p->pid = fork();
	if (!p->pid) {
		munlockall();
		write_file("/proc/self/oom_score_adj", "0");
		dup2(in[0], 0);
		dup2(out[1], 1);
		execv(kind->argv[0], kind->argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	p->in = in[1];
	p->out = out[0];
	count++;
}

static bool killed_one(void);

/* Its next line. False if there is none in time, or one was killed. */
static bool read_line(struct program *p, char *line, size_t size, double seconds)
{
	struct pollfd pollfd = { .fd = p->out, .events = POLLIN };
	double end = now() + seconds;
	size_t n = 0;

	while (n < size - 1 && now() < end) {
		if (killed_one())
			return false;
		if (poll(&pollfd, 1, 200) <= 0)
			continue;
		if (read(p->out, line + n, 1) != 1)
			continue;
		if (line[n] == '\n') {
			line[n] = 0;
			return true;
		}
		n++;
	}
	return false;
}

static const struct kind *kind_of(const struct program *p)
{
	return &kinds[(p - programs) % KINDS];
}

/* Whether a program is gone, which nothing but a want of memory may do. */
static bool killed_one(void)
{
	unsigned int i;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (i = 0; i < count; i++)
			if (programs[i].pid == pid)
				programs[i].pid = 0;
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
			print("fail", "a program ended with status %#x", status);
	}
	for (i = 0; i < count; i++)
		if (!programs[i].pid)
			return true;
	return false;
}

static void end_programs(void)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (programs[i].pid > 0) {
			kill(programs[i].pid, SIGKILL);
			waitpid(programs[i].pid, NULL, 0);
		}
		close(programs[i].in);
		close(programs[i].out);
	}
	count = 0;
}

/* One more program, and whether it is ready, and all others are alive. */
static bool load_program(double *seconds)
{
	double begin = now();
	char line[64];
	bool ready;

	start_program();
	ready = read_line(&programs[count - 1], line, sizeof(line),
			  parameter("workload_seconds", 60));
	*seconds = now() - begin;
	if (ready && strcmp(line, "ready"))
		print("fail", "%s said '%s'", kind_of(&programs[count - 1])->name,
		      line);
	return ready;
}

/* Milliseconds of a round, or less than 0. */
static double ask(struct program *p, unsigned int half)
{
	const struct kind *kind = kind_of(p);
	const char *request = kind->request[half];
	char *expected = answers[kind - kinds][half], line[64];
	double begin = now(), ms;

	if (write(p->in, request, strlen(request)) != (ssize_t)strlen(request) ||
	    !read_line(p, line, sizeof(line), 120))
		return -1;
	ms = (now() - begin) * 1e3;
	if (!*expected)
		strcpy(expected, line);
	else if (strcmp(expected, line))
		print("fail", "%s answered %s, before it was %s", kind->name, line,
		      expected);
	return ms;
}

/* Switch to each program in turn, in another order each time. */
static bool switch_programs(const char *alg)
{
	unsigned int cycles = parameter("workload_cycles", 10), i, j, c, tmp;
	unsigned int order[KINDS] = { 0, 1, 2, 3, 4, 5 }, x = 1;
	struct counts before, after;
	struct program *p;
	double ms, again;

	for (c = 0; c < cycles; c++) {
		for (i = KINDS - 1; i > 0; i--) {
			x = x * 1103515245 + 12345;
			j = (x >> 16) % (i + 1);
			tmp = order[i];
			order[i] = order[j];
			order[j] = tmp;
		}
		for (i = 0; i < KINDS; i++) {
			p = &programs[order[i]];
			before = read_counts();
			ms = ask(p, p->turns % 2);
			after = read_counts();
			again = ms < 0 ? -1 : ask(p, p->turns++ % 2);
			if (ms < 0 || again < 0)
				return false;
			print("switch", "alg=%s program=%s ms=%.2f again=%.2f in=%llu out=%llu faults=%llu",
			      alg, kind_of(p)->name, ms, again,
			      after.pswpin - before.pswpin,
			      after.pswpout - before.pswpout,
			      after.faults - before.faults);
		}
	}
	return true;
}

static void report_pool(const char *alg)
{
	struct zram_stat s = read_zram_stat();

	print("pool", "alg=%s orig=%llu compr=%llu used=%llu max=%llu same=%llu huge=%llu",
	      alg, s.orig, s.compr, s.used, s.max, s.same, s.huge);
}

static void run(const char *alg)
{
	bool swap = strcmp(alg, "none"), all = true, switched = false;
	const char *end = "no-more";
	double seconds = 0, loading = 0;
	unsigned int fit = 0;

	if (swap && (init_zram(alg, DISK) || make_swap(DISK / page_size)))
		return;
	write_file("/proc/sys/vm/drop_caches", "3");
	print("progress", "%s: loading", alg);
	while (all && fit < KINDS) {
		all = load_program(&seconds);
		loading += seconds;
		fit += all;
	}
	if (all) {
		print("progress", "%s: switching", alg);
		switched = switch_programs(alg);
		report_pool(alg);
		print("progress", "%s: loading until it does not fit", alg);
	}
	while (all && switched && count < MAX_PROGRAMS) {
		all = load_program(&seconds);
		fit += all;
	}
	if (all && !switched)
		end = killed_one() ? "killed-in-switch" : "slow-switch";
	else if (!all)
		end = killed_one() ? "killed" : "slow";
	print("fit", "alg=%s programs=%u end=%s loading=%.1f last=%.1f", alg, fit,
	      end, loading, seconds);
	end_programs();
	if (swap && swapoff(SWAP))
		print("fail", "swapoff: %s", strerror(errno));
}

/* At first the host has to find the guest's memory, which takes time. */
static void touch_memory(void)
{
	size_t size = parameter("workload_mib", 100) << 20;
	unsigned char *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		return;
	memset(mem, 1, size);
	munmap(mem, size);
}

int main(void)
{
	const char *algs = getenv("workload_algs"), *dir = getenv("workload_dir");
	char *list, *alg;

	start();
	signal(SIGPIPE, SIG_IGN);
	setenv("LC_ALL", "C", 1);
	setenv("PATH", "/usr/bin:/bin", 1);
	if (!dir || chdir(dir))
		print("fail", "workload_dir: %s", strerror(errno));
	mlockall(MCL_CURRENT | MCL_FUTURE);
	touch_memory();
	/* What is usual with zram. */
	write_file("/proc/sys/vm/page-cluster", "0");
	write_file("/proc/sys/vm/swappiness", "100");
	list = strdup(algs ? algs : "seqlz");
	for (alg = strtok(list, ","); alg; alg = strtok(NULL, ","))
		run(alg);
	return finish();
}
