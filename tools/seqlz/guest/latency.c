// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program of the guest of "make latency": how long a process that must not
 * wait does wait for a page of zram, while less important ones use it too
 *
 * It is process 1. For each algorithm zram is filled with the pages of a block
 * device and read, page by page, past the page cache, by a thread of real-time
 * priority that sleeps for a random time before each read: alone, beside threads
 * with the lowest priority that write other pages, and beside some that read
 * other pages. Every second read is of a page of one word repeated, for which
 * zram needs neither an algorithm nor its locks: what these reads take is what
 * the machine adds. All that is read is compared. Parameters from the kernel's
 * command line:
 *
 *	latency_algs=NAME[:LEVEL],...
 *	latency_reads=N	for each case
 *	latency_others=N	threads of low priority
 *
 * Lines for the program outside: @latency KEY=VALUE..., times in microseconds,
 * @progress TEXT, @fail TEXT, @done.
 */
#define _GNU_SOURCE
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "guest.h"
#include "pages.h"

/* Pages on the device that the reader reads, the others use, and of one word. */
#define READ 4096
#define OTHERS 4096
#define SAME 256
#define MAX_THREADS 32
#define WORD 0x6c7a716573ull

enum { ALONE, WRITERS, READERS, CASES };

static const char * const case_names[CASES] = { "alone", "writers", "readers" };

static struct samples samples;
static int device = -1;
static atomic_bool stop;
static atomic_ulong other_pages, different;

static unsigned long parameter(const char *name, unsigned long value)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : value;
}

static void *page_buffer(void)
{
	void *page = aligned_alloc(PAGE, PAGE);

	if (!page)
		abort();
	return page;
}

/* What page i of the device holds, whoever wrote it last. */
static const unsigned char *expected(size_t i)
{
	static uint64_t same[PAGE / sizeof(uint64_t)];
	size_t j;

	if (i < READ + OTHERS)
		return samples.data + i % samples.count * PAGE;
	if (!same[0])
		for (j = 0; j < PAGE / sizeof(*same); j++)
			same[j] = WORD;
	return (const unsigned char *)same;
}

static void write_page(unsigned char *buffer, size_t i)
{
	memcpy(buffer, expected(i), PAGE);
	if (pwrite(device, buffer, PAGE, i * PAGE) != PAGE) {
		print("fail", "writing to zram: %s", strerror(errno));
		stop = true;
	}
}

static void read_page(unsigned char *buffer, size_t i)
{
	if (pread(device, buffer, PAGE, i * PAGE) != PAGE) {
		print("fail", "reading from zram: %s", strerror(errno));
		stop = true;
	}
}

static void compare(const unsigned char *buffer, size_t i)
{
	if (memcmp(buffer, expected(i), PAGE))
		different++;
}

/* A thread of low priority. */
static void *other(void *mode)
{
	unsigned char *buffer = page_buffer();
	uint64_t x = (uintptr_t)buffer;
	size_t i;

	setpriority(PRIO_PROCESS, syscall(SYS_gettid), 19);
	while (!stop) {
		i = READ + next(&x) % OTHERS;
		if ((uintptr_t)mode == WRITERS) {
			write_page(buffer, i);
		} else {
			read_page(buffer, i);
			compare(buffer, i);
		}
		other_pages++;
	}
	free(buffer);
	return NULL;
}

static int by_time(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

static void report(const char *alg, unsigned int mode, const char *what,
		   float *us, size_t count, double seconds)
{
	size_t i, over = 0;
	double sum = 0;

	qsort(us, count, sizeof(*us), by_time);
	for (i = 0; i < count; i++) {
		sum += us[i];
		over += us[i] > 1000;
	}
	print("latency", "alg=%s case=%s what=%s reads=%zu mean=%.2f p50=%.2f p90=%.2f p99=%.2f p99.9=%.2f p99.99=%.2f max=%.2f over=%.3f others=%.0f",
	      alg, case_names[mode], what, count, sum / count, us[count / 2],
	      us[count * 9 / 10], us[count * 99 / 100], us[count * 999 / 1000],
	      us[count * 9999 / 10000], us[count - 1], over * 1e3 / count,
	      other_pages / seconds);
}

/* The reader's reads, of compressed pages and of same-filled ones in turn. */
static void *reader(void *us_)
{
	size_t count = parameter("latency_reads", 30000), i, page;
	const struct sched_param priority = { .sched_priority = 50 };
	unsigned char *buffer = page_buffer();
	struct timespec pause = {};
	float **us = us_;
	uint64_t x = 1;
	double start;

	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		print("fail", "real-time priority: %s", strerror(errno));
	for (i = 0; i < 2 * count && !stop; i++) {
		pause.tv_nsec = 20000 + next(&x) % 100000;
		nanosleep(&pause, NULL);
		page = i % 2 ? READ + OTHERS + next(&x) % SAME :
			       next(&x) % READ;
		start = now();
		read_page(buffer, page);
		us[i % 2][i / 2] = (now() - start) * 1e6;
		compare(buffer, page);
	}
	free(buffer);
	return NULL;
}

static void measure(const char *alg, unsigned int mode)
{
	size_t count = parameter("latency_reads", 30000);
	unsigned int threads = parameter("latency_others", 4), i;
	pthread_t thread[MAX_THREADS], main_thread;
	float *us[2];
	double begin;

	us[0] = calloc(count, sizeof(float));
	us[1] = calloc(count, sizeof(float));
	if (mode == ALONE)
		threads = 0;
	else if (threads > MAX_THREADS)
		threads = MAX_THREADS;
	stop = false;
	different = 0;
	other_pages = 0;
	begin = now();
	for (i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, other, (void *)(uintptr_t)mode))
			print("fail", "no thread");
	if (pthread_create(&main_thread, NULL, reader, us))
		print("fail", "no thread");
	pthread_join(main_thread, NULL);
	begin = now() - begin;
	if (stop)
		return;
	stop = true;
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	report(alg, mode, "page", us[0], count, begin);
	report(alg, mode, "same", us[1], count, begin);
	if (different)
		print("fail", "%s, %s: %lu pages came back different", alg,
		      case_names[mode], different);
	if (threads && !other_pages)
		print("fail", "%s: the %s did nothing", alg, case_names[mode]);
	free(us[0]);
	free(us[1]);
}

/* Give zram the algorithm, NAME[:LEVEL], and all its pages. */
static int prepare(const char *alg)
{
	unsigned char *buffer = page_buffer();
	size_t i;

	if (device >= 0)
		close(device);
	device = -1;
	if (init_zram(alg, (READ + OTHERS + SAME) * PAGE))
		return -1;
	device = open(SWAP, O_RDWR | O_DIRECT);
	if (device < 0) {
		print("fail", "%s: %s", SWAP, strerror(errno));
		return -1;
	}
	stop = false;
	for (i = 0; i < READ + OTHERS + SAME && !stop; i++)
		write_page(buffer, i);
	free(buffer);
	if (read_zram_stat().same < SAME)
		print("fail", "zram has too few same-filled pages");
	return stop ? -1 : 0;
}

/* All others may have changed what they wrote, but not what it is. */
static void compare_all(const char *alg)
{
	unsigned char *buffer = page_buffer();
	size_t i;

	stop = false;
	different = 0;
	for (i = 0; i < READ + OTHERS + SAME && !stop; i++) {
		read_page(buffer, i);
		compare(buffer, i);
	}
	free(buffer);
	if (different)
		print("fail", "%s: %lu pages are different in the end", alg,
		      different);
}

static int load_samples(void)
{
	unsigned long long size;
	unsigned char *data;
	int fd = open("/dev/ubda", O_RDONLY);

	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &size) || size < PAGE) {
		print("fail", "/dev/ubda: %s", strerror(errno));
		return -1;
	}
	data = malloc(size);
	samples.data = data;
	samples.count = size / PAGE;
	if (!data || pread(fd, data, size, 0) != (ssize_t)size) {
		print("fail", "the pages cannot be read");
		return -1;
	}
	return 0;
}

int main(void)
{
	const char *algs = getenv("latency_algs");
	char *list, *alg;
	unsigned int i;

	start();
	if (load_samples())
		return finish();
	mlockall(MCL_CURRENT | MCL_FUTURE);
	list = strdup(algs ? algs : "seqlz");
	for (alg = strtok(list, ","); alg; alg = strtok(NULL, ",")) {
		print("progress", "%s", alg);
		if (prepare(alg))
			break;
		for (i = 0; i < CASES; i++)
			measure(alg, i);
		compare_all(alg);
	}
	return finish();
}
