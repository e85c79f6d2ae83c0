// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program of the guest of "make speed": how long a page takes to zram and
 * back, and how fast fio reads from it
 *
 * It is process 1 of a kernel whose root is the host's, read-only. First every
 * algorithm gets the pages of a block device, to find those that zram would
 * store uncompressed. Then, pass by pass and in each of them algorithm by
 * algorithm, three sets of pages are paged out and faulted in, each page once:
 * "real" ones, "huge" ones (random bytes) and "same" ones (one word repeated).
 * The tree's settings of swap stay as they are. At last zram is filled with the
 * real pages as a block device and read by fio. Everything that comes back is
 * compared. Parameters from the kernel's command line:
 *
 *	speed_algs=NAME[:LEVEL],...
 *	speed_passes=N
 *	speed_fio=N	passes of fio
 *	speed_mib=N	what fio reads
 *	speed_seconds=N	for how long, each time
 *
 * Lines for the program outside: @sets, @speed, @undisturbed and @fio
 * KEY=VALUE..., @plain, @progress TEXT, @fail TEXT, @done.
 */
#define _GNU_SOURCE
#include <linux/fs.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "faults.h"
#include "guest.h"
#include "pages.h"

#define MAX_BATCHES 512
/* Pages of random bytes, and of one word each. */
#define MADE 2048
#define MAX_ALGS 16
/* Processes and bytes a read of fio, as in "iozone -t 4 -r 16K". */
#define JOBS 4
#define RECORD 16384

enum { REAL, HUGE, SAME, SETS };
/* Paged out, faulted in by the program, by the kernel. */
enum { OUT, FAULT, IN, WAYS };

static const char * const set_names[SETS] = { "real", "huge", "same" };

struct set {
	unsigned char *data;
	size_t count;
};

struct counts {
	unsigned long long in, out, faults;
};

static struct set sets[SETS];
static char *algs[MAX_ALGS];
static unsigned int alg_count;
/*
 * The least time that each batch took in any pass. The host takes the processor
 * away now and then; that one batch is hit by it in every pass is unlikely.
 */
static double best[MAX_ALGS][SETS][WAYS][MAX_BATCHES];

static unsigned long parameter(const char *name, unsigned long value)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : value;
}

static void *anonymous(size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED) {
		print("fail", "no memory for %zu bytes", size);
		exit(finish());
	}
	return mem;
}

/* Pages read from and written to the device, and faults that took a read. */
static struct counts read_counts(void)
{
	unsigned long long sectors = PAGE / 512;
	static char text[16384];
	struct counts c = {};
	const char *p;

	read_file(ZRAM "stat", text, sizeof(text));
	if (sscanf(text, "%*u %*u %llu %*u %*u %*u %llu", &c.in, &c.out) != 2)
		print("fail", "the device's stat is not understood: %s", text);
	c.in /= sectors;
	c.out /= sectors;
	read_file("/proc/vmstat", text, sizeof(text));
	p = strstr(text, "\npgmajfault ");
	if (!p || sscanf(p, "\npgmajfault %llu", &c.faults) != 1)
		print("fail", "there is no pgmajfault in /proc/vmstat");
	return c;
}

/* Write or read pages of the device, past the page cache. */
static int transfer(bool write, unsigned char *buffer, size_t first, size_t n)
{
	static int fd = -1;
	ssize_t done;

	if (!n) {
		if (fd >= 0)
			close(fd);
		fd = -1;
		return 0;
	}
	if (fd < 0)
		fd = open(SWAP, O_RDWR | O_DIRECT);
	done = write ? pwrite(fd, buffer, n * PAGE, first * PAGE) :
		       pread(fd, buffer, n * PAGE, first * PAGE);
	if (done == (ssize_t)(n * PAGE))
		return 0;
	print("fail", "%s zram: %s", write ? "writing to" : "reading from",
	      strerror(errno));
	return -1;
}

static bool same_filled(const unsigned char *page)
{
	return !memcmp(page, page + sizeof(long), PAGE - sizeof(long));
}

/* Leave out of the real pages what any algorithm would store as it is. */
static void sort_out_pages(const unsigned char *pages, size_t count)
{
	unsigned char *buffer = anonymous(PAGE), *huge = anonymous(count);
	size_t i, same = 0, set_aside = 0;
	unsigned long long before, after;
	unsigned int a;

	for (a = 0; a < alg_count; a++) {
		if (init_zram(algs[a], count * PAGE))
			return;
		before = read_zram_stat().huge;
		for (i = 0; i < count; i++, before = after) {
			memcpy(buffer, pages + i * PAGE, PAGE);
			if (transfer(true, buffer, i, 1))
				return;
			after = read_zram_stat().huge;
			if (after != before)
				huge[i] = 1;
		}
		transfer(false, NULL, 0, 0);
	}
	for (i = 0; i < count; i++) {
		if (same_filled(pages + i * PAGE)) {
			same++;
		} else if (huge[i]) {
			set_aside++;
		} else {
			memcpy(sets[REAL].data + sets[REAL].count++ * PAGE,
			       pages + i * PAGE, PAGE);
		}
	}
	print("sets", "pages=%zu real=%zu same=%zu huge=%zu made=%d", count,
	      sets[REAL].count, same, set_aside, MADE);
}

static int make_sets(void)
{
	uint64_t x = 1, word;
	unsigned long long size;
	unsigned char *pages;
	size_t i, j;
	int fd = open("/dev/ubda", O_RDONLY);

	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &size) || size < PAGE) {
		print("fail", "/dev/ubda: %s", strerror(errno));
		return -1;
	}
	pages = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	for (i = 0; i < SETS; i++)
		sets[i].data = anonymous(i == REAL ? size : MADE * PAGE);
	sort_out_pages(pages, size / PAGE);
	munmap(pages, size);
	close(fd);
	sets[HUGE].count = MADE;
	fill_random(sets[HUGE].data, MADE * PAGE, &x);
	sets[SAME].count = MADE;
	for (i = 0; i < MADE; i++) {
		word = next(&x) | 1;
		for (j = 0; j < PAGE; j += sizeof(word))
			memcpy(sets[SAME].data + i * PAGE + j, &word, sizeof(word));
	}
	return sets[REAL].count ? 0 : -1;
}

/* A permutation of 0 .. count - 1. */
static void shuffle(uint32_t *order, size_t count, uint64_t seed)
{
	uint32_t tmp;
	size_t i, j;

	for (i = 0; i < count; i++)
		order[i] = i;
	for (i = count - 1; i > 0; i--) {
		j = next(&seed) % (i + 1);
		tmp = order[i];
		order[i] = order[j];
		order[j] = tmp;
	}
}

static void note(double *best, double us, double *sum)
{
	if (!*best || us < *best)
		*best = us;
	*sum += us;
}

/*
 * Fault in every page in random order, the same in each pass: batches in turn by
 * the program and by the kernel, and in the next pass the other way round. The
 * pages stay, so that nothing but faults happens meanwhile.
 */
static void read_back(unsigned char *mem, const uint32_t *order, size_t count,
		      unsigned int pass, double (*least)[MAX_BATCHES],
		      double us[WAYS])
{
	unsigned int way = pass % 2 ? IN : FAULT;
	size_t done, n, touched[WAYS] = {};
	static int fds[2];
	double start;

	if (!fds[1] && pipe(fds))
		print("fail", "pipe: %s", strerror(errno));
	for (done = 0; done < count; done += n) {
		n = count - done < BATCH ? count - done : BATCH;
		start = now();
		if (way == IN)
			touch_by_kernel(mem, order + done, n, fds);
		else
			touch(mem, order + done, n);
		note(&least[way][done / BATCH], (now() - start) * 1e6, &us[way]);
		touched[way] += n;
		way = FAULT + IN - way;
	}
	us[FAULT] /= touched[FAULT] ? touched[FAULT] : 1;
	us[IN] /= touched[IN] ? touched[IN] : 1;
}

/* Returns how many pages this left in RAM, which it pages out untimed. */
static size_t page_out(unsigned char *mem, size_t count, double *least,
		       double *us)
{
	struct counts begin = read_counts(), end;
	size_t done, n, left;
	double start;
	int tries;

	for (done = 0; done < count; done += n) {
		n = count - done < BATCH ? count - done : BATCH;
		start = now();
		madvise(mem + done * PAGE, n * PAGE, MADV_PAGEOUT);
		note(&least[done / BATCH], (now() - start) * 1e6, us);
	}
	*us /= count;
	end = read_counts();
	left = count - (end.out - begin.out);
	for (tries = 0; tries < 10 && end.out - begin.out < count; tries++) {
		madvise(mem, count * PAGE, MADV_PAGEOUT);
		end = read_counts();
	}
	return left;
}

/* One set of pages out to zram and back. */
static void time_set(unsigned int alg, unsigned int pass, unsigned int which)
{
	const struct set *set = &sets[which];
	size_t size = set->count * PAGE, left, i, different = 0;
	uint32_t *order = anonymous(set->count * sizeof(*order));
	unsigned char *mem = anonymous(size);
	struct counts begin, out, in;
	double us[WAYS] = {};

	shuffle(order, set->count, 1);
	memcpy(mem, set->data, size);
	begin = read_counts();
	left = page_out(mem, set->count, best[alg][which][OUT], &us[OUT]);
	out = read_counts();
	read_back(mem, order, set->count, pass, best[alg][which], us);
	in = read_counts();
	for (i = 0; i < set->count; i++)
		different += !!memcmp(mem + i * PAGE, set->data + i * PAGE, PAGE);
	print("speed", "alg=%s pass=%u set=%s pages=%zu left=%zu out=%llu in=%llu faults=%llu us_out=%.3f us_in=%.3f us_fault=%.3f different=%zu",
	      algs[alg], pass, set_names[which], set->count, left,
	      out.out - begin.out, in.in - out.in, in.faults - out.faults,
	      us[OUT], us[IN], us[FAULT], different);
	if (different)
		print("fail", "%s: %zu %s pages came back different", algs[alg],
		      different, set_names[which]);
	munmap(mem, size);
	munmap(order, set->count * sizeof(*order));
}

static double undisturbed(unsigned int alg, unsigned int which, unsigned int way)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < MAX_BATCHES; i++)
		sum += best[alg][which][way][i];
	return sum / sets[which].count;
}

static void report(unsigned int alg)
{
	unsigned int i;

	for (i = 0; i < SETS; i++)
		print("undisturbed", "alg=%s set=%s us_out=%.3f us_in=%.3f us_fault=%.3f",
		      algs[alg], set_names[i], undisturbed(alg, i, OUT),
		      undisturbed(alg, i, IN), undisturbed(alg, i, FAULT));
}

static void time_swap(unsigned int alg, unsigned int pass)
{
	size_t pages = 2 * (sets[REAL].count + 2 * MADE);
	unsigned int i;

	if (init_zram(algs[alg], pages * PAGE) || make_swap(pages))
		return;
	for (i = 0; i < SETS; i++)
		time_set(alg, pass, i);
	if (swapoff(SWAP))
		print("fail", "swapoff: %s", strerror(errno));
}

/* The real pages, one after the other, as often as fit. */
static int fill_device(size_t pages)
{
	size_t i, j, n = RECORD / PAGE;
	unsigned char *buffer = anonymous(RECORD);

	for (i = 0; i < pages; i += n) {
		for (j = 0; j < n; j++)
			memcpy(buffer + j * PAGE, sets[REAL].data +
			       (i + j) % sets[REAL].count * PAGE, PAGE);
		if (transfer(true, buffer, i, n))
			return -1;
	}
	transfer(false, NULL, 0, 0);
	munmap(buffer, RECORD);
	return 0;
}

static size_t compare_device(size_t pages)
{
	size_t i, different = 0;
	unsigned char *buffer = anonymous(PAGE);

	for (i = 0; i < pages && !transfer(false, buffer, i, 1); i++)
		different += !!memcmp(buffer, sets[REAL].data +
				      i % sets[REAL].count * PAGE, PAGE);
	transfer(false, NULL, 0, 0);
	munmap(buffer, PAGE);
	return different + pages - i;
}

/* Its terse output has error, KiB, KiB/s and IOPS in fields 5 to 8. */
static void run_fio(const char *alg, unsigned int pass, const char *mode,
		    size_t pages)
{
	unsigned long long kib = 0, speed = 0, iops = 0;
	char text[4096], args[8][64];
	int status, error = -1;
	pid_t pid;

	snprintf(args[0], 64, "--rw=%s", mode);
	snprintf(args[1], 64, "--bs=%d", RECORD);
	snprintf(args[2], 64, "--numjobs=%d", JOBS);
	snprintf(args[3], 64, "--size=%zu", pages / JOBS * PAGE);
	snprintf(args[4], 64, "--offset_increment=%zu", pages / JOBS * PAGE);
	snprintf(args[5], 64, "--runtime=%lu", parameter("speed_seconds", 2));
	unlink("/mnt/out");
	pid = fork();
	if (!pid) {
		dup2(open("/mnt/out", O_CREAT | O_WRONLY, 0600), 1);
		execl("/usr/bin/fio", "fio", "--name=read", "--filename=" SWAP,
		      "--readonly", "--direct=1", "--ioengine=psync", "--thread",
		      "--time_based", "--group_reporting", "--randrepeat=1",
		      "--output-format=terse", "--terse-version=3", args[0],
		      args[1], args[2], args[3], args[4], args[5], NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
		print("fail", "%s: fio ended with status %#x", alg, status);
		return;
	}
	read_file("/mnt/out", text, sizeof(text));
	if (sscanf(text, "%*[^;];%*[^;];%*[^;];%*[^;];%d;%llu;%llu;%llu;",
		   &error, &kib, &speed, &iops) != 4 || error || !kib)
		print("fail", "%s: fio said: %.200s", alg, text);
	print("fio", "alg=%s pass=%u mode=%s kib=%llu kibs=%llu iops=%llu", alg,
	      pass, mode, kib, speed, iops);
}

static void time_fio(const char *alg, unsigned int pass)
{
	size_t pages = parameter("speed_mib", 64) * 256, different;

	if (init_zram(alg, pages * PAGE) || fill_device(pages))
		return;
	run_fio(alg, pass, "read", pages);
	run_fio(alg, pass, "randread", pages);
	different = compare_device(pages);
	if (different)
		print("fail", "%s: fio left %zu pages different", alg, different);
}

/*
 * Microseconds of a fault that only allocates and maps a page, least of some
 * tries: at first the host has to find the guest's memory.
 */
static double time_plain_fault(void)
{
	size_t i, count = 1024;
	double start, us, least = 0;
	unsigned char *mem;
	int tries;

	for (tries = 0; tries < 10; tries++) {
		mem = anonymous(count * PAGE);
		start = now();
		for (i = 0; i < count; i++)
			mem[i * PAGE] = 1;
		us = (now() - start) * 1e6 / count;
		if (!tries || us < least)
			least = us;
		munmap(mem, count * PAGE);
	}
	return least;
}

int main(void)
{
	unsigned int pass, a, passes;
	char *list, *alg;

	start();
	passes = parameter("speed_passes", 6);
	if (mount("tmp", "/mnt", "tmpfs", 0, NULL) || chdir("/mnt"))
		print("fail", "/mnt: %s", strerror(errno));
	list = strdup(getenv("speed_algs") ? getenv("speed_algs") : "seqlz");
	for (alg = strtok(list, ","); alg; alg = strtok(NULL, ","))
		if (alg_count < MAX_ALGS)
			algs[alg_count++] = alg;
	print("progress", "looking for pages that do not compress");
	if (make_sets())
		return finish();
	if (sets[REAL].count > MAX_BATCHES * BATCH) {
		print("fail", "more than %d pages", MAX_BATCHES * BATCH);
		return finish();
	}
	mlockall(MCL_CURRENT);
	for (pass = 0; pass < passes; pass++) {
		print("progress", "pass %u of %u", pass + 1, passes);
		for (a = 0; a < alg_count; a++)
			time_swap(a, pass);
	}
	for (a = 0; a < alg_count; a++)
		report(a);
	for (pass = 0; pass < parameter("speed_fio", 3); pass++) {
		print("progress", "fio, pass %u", pass + 1);
		for (a = 0; a < alg_count; a++)
			time_fio(algs[a], pass);
	}
	print("plain", "us=%.3f", time_plain_fault());
	return finish();
}
