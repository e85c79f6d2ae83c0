// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only program in the guest of "make run": swaps pages through zram
 *
 * It is process 1 of a kernel without any other user space. For each algorithm
 * it makes zram the only swap, fills anonymous memory beyond the guest's RAM
 * with the pages of a block device, so that reclaim swaps them out, reads every
 * page back through a page fault, in random order, and compares it. The kernel
 * command line gives the parameters as environment variables:
 *
 *	swap_algs=NAME[:LEVEL],...
 *	swap_copies=N	how many copies of all pages of the device to use
 *	swap_dev=NAME	the block device with the pages (ubda), unless there is a
 *			file /pages
 *	swap_modules=NAME,...	load the modules /NAME.ko first, in this order, and
 *			unload them at the end
 *
 * Without swap_algs and with modules nothing is swapped.
 *
 * Lines for the program outside start with '@': @progress TEXT, @fail TEXT,
 * @result and @time KEY=VALUE..., and at the very end @done.
 */
#define _GNU_SOURCE
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "faults.h"
#include "guest.h"

/* So much is filled, then paged out by one timed call. */
#define CHUNK ((2 << 20) / page_size)
/* At least so many pages are paged out to measure the time of it. */
#define TIMED_PAGES ((64 << 20) / page_size)

/* The pages to swap: a file of them, and how often each of them is used. */
struct pages {
	int fd;
	const unsigned char *data;
	size_t count;
	size_t total;
};

/* Pages read from and written to the zram device, and pages in swap. */
struct swap_stat {
	unsigned long long in, out, held;
};

/*
 * A page of zeroes is held in swap without being written to the device, so
 * both are of interest.
 */
static struct swap_stat read_swap_stat(void)
{
	unsigned long long in = 0, out = 0, held = 0, sectors = page_size / 512;
	char text[4096], *p;

	read_file(ZRAM "stat", text, sizeof(text));
	if (sscanf(text, "%*u %*u %llu %*u %*u %*u %llu", &in, &out) != 2)
		print("fail", "the device's stat is not understood: %s", text);
	read_file("/proc/self/status", text, sizeof(text));
	p = strstr(text, "\nVmSwap:");
	if (!p || sscanf(p, "\nVmSwap: %llu", &held) != 1)
		print("fail", "there is no VmSwap in /proc/self/status");
	return (struct swap_stat){ in / sectors, out / sectors,
				   held * 1024 / page_size };
}

/* The page cache holds them, and gives way to anonymous pages. */
static int map_pages(struct pages *pages)
{
	pages->data = mmap(NULL, pages->count * page_size, PROT_READ,
			   MAP_SHARED, pages->fd, 0);
	return pages->data == MAP_FAILED ? -1 : 0;
}

static const unsigned char *page(const struct pages *pages, size_t i)
{
	return pages->data + i % pages->count * page_size;
}

static void fill(unsigned char *mem, const struct pages *pages, size_t first,
		 size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		memcpy(mem + i * page_size, page(pages, first + i), page_size);
}

/* Reclaim did the most of it; this swaps out what is still in RAM. */
static struct swap_stat page_out_rest(unsigned char *mem, size_t count)
{
	struct swap_stat s = read_swap_stat();
	int tries;

	for (tries = 0; tries < 10 && s.held < count; tries++) {
		madvise(mem, count * page_size, MADV_PAGEOUT);
		s = read_swap_stat();
	}
	return s;
}

/* A permutation of 0 .. count - 1, the same one each time. */
static void shuffle(uint32_t *order, size_t count)
{
	uint64_t x = 88172645463325252ull;
	uint32_t tmp;
	size_t i, j;

	for (i = 0; i < count; i++)
		order[i] = i;
	for (i = count - 1; i > 0; i--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		j = x % (i + 1);
		tmp = order[i];
		order[i] = order[j];
		order[j] = tmp;
	}
}

/* Give these pages back, by one system call for all of them. */
static void drop(unsigned char *mem, const uint32_t *order, size_t count,
		 int self)
{
	struct iovec vec[BATCH];
	size_t i;

	for (i = 0; i < count; i++)
		vec[i] = (struct iovec){ mem + order[i] * page_size,
					 page_size };
	if (syscall(SYS_process_madvise, self, vec, count, MADV_DONTNEED, 0) !=
	    (long)(count * page_size))
		print("fail", "pages could not be given back: %s",
		      strerror(errno));
}

static size_t compare(const unsigned char *mem, const struct pages *pages,
		      size_t i)
{
	if (!memcmp(mem + i * page_size, page(pages, i), page_size))
		return 0;
	print("different", "page %zu", i);
	return 1;
}

/*
 * Fault in every page once, in random order, and compare it: one batch by
 * touch(), the next by touch_by_kernel(), which gives the times us[0] and
 * us[1]. A page that was compared is given back, so that nothing is swapped
 * out meanwhile.
 */
static size_t read_back(unsigned char *mem, const uint32_t *order,
			const struct pages *pages, double us[2])
{
	size_t done, i, n, count[2] = {}, different = 0;
	double start, told = now();
	int self = syscall(SYS_pidfd_open, getpid(), 0);
	int by = 0, fds[2];

	if (self < 0 || pipe(fds))
		print("fail", "pidfd_open or pipe: %s", strerror(errno));
	us[0] = us[1] = 0;
	for (done = 0; done < pages->total; done += n, by = !by) {
		n = pages->total - done < BATCH ? pages->total - done : BATCH;
		start = now();
		if (by)
			touch_by_kernel(mem, order + done, n, fds);
		else
			touch(mem, order + done, n);
		us[by] += (now() - start) * 1e6;
		count[by] += n;
		for (i = done; i < done + n; i++)
			different += compare(mem, pages, order[i]);
		drop(mem, order + done, n, self);
		if (now() > told + 15) {
			told = now();
			print("progress", "%zu of %zu pages compared", done + n,
			      pages->total);
		}
	}
	for (by = 0; by < 2; by++)
		us[by] /= count[by] ? count[by] : 1;
	return different;
}

/* Microseconds a page to swap out pages by MADV_PAGEOUT, without pressure. */
static double time_page_out(unsigned char *mem, const struct pages *pages)
{
	struct swap_stat before = read_swap_stat(), after;
	double seconds = 0, start;
	size_t done;

	for (done = 0; done < TIMED_PAGES || done < pages->count;
	     done += CHUNK) {
		fill(mem, pages, done, CHUNK);
		start = now();
		madvise(mem, CHUNK * page_size, MADV_PAGEOUT);
		seconds += now() - start;
		madvise(mem, CHUNK * page_size, MADV_DONTNEED);
	}
	after = read_swap_stat();
	return after.out > before.out ?
		       seconds * 1e6 / (after.out - before.out) : 0;
}

/* Microseconds of a fault that only allocates and maps a page. */
static double time_plain_fault(void)
{
	size_t i, count = 4096;
	unsigned char *mem = mmap(NULL, count * page_size,
				  PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double start = now();

	if (mem == MAP_FAILED)
		return 0;
	for (i = 0; i < count; i++)
		mem[i * page_size] = 1;
	start = now() - start;
	munmap(mem, count * page_size);
	return start * 1e6 / count;
}

static void report(const char *alg, const struct zram_stat *empty,
		   const struct zram_stat *full, const struct swap_stat swap[4])
{
	print("result",
	      "alg=%s reclaimed=%llu held=%llu out=%llu in=%llu stored=%llu same=%llu huge=%llu compr=%llu used=%llu",
	      alg, swap[1].out - swap[0].out, swap[2].held,
	      swap[2].out - swap[0].out, swap[3].in - swap[2].in,
	      (full->orig - empty->orig) / page_size, full->same - empty->same,
	      full->huge - empty->huge, full->compr - empty->compr,
	      full->used - empty->used);
}

/*
 * Runs as a process of its own: should the guest run out of memory, this one
 * is killed and process 1 can tell.
 */
static int swap_pages(const char *alg, struct pages *pages)
{
	struct zram_stat empty = read_zram_stat(), full;
	struct swap_stat swap[4];
	uint32_t *order = malloc(pages->total * sizeof(*order));
	size_t size = pages->total * page_size, different, done, n;
	double us_in[2], us_out;
	unsigned char *mem;

	if (!order)
		return 2;
	shuffle(order, pages->total);
	/* From here on, nothing of this process but the pages goes to swap. */
	if (mlockall(MCL_CURRENT) || map_pages(pages))
		return 2;
	mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mem == MAP_FAILED)
		return 2;

	print("progress", "%s: filling %zu MiB", alg, size >> 20);
	swap[0] = read_swap_stat();
	for (done = 0; done < pages->total; done += n) {
		n = pages->total - done < CHUNK ? pages->total - done : CHUNK;
		fill(mem + done * page_size, pages, done, n);
	}
	swap[1] = read_swap_stat();
	swap[2] = page_out_rest(mem, pages->total);
	full = read_zram_stat();

	print("progress", "%s: reading back and comparing", alg);
	different = read_back(mem, order, pages, us_in);
	swap[3] = read_swap_stat();
	us_out = time_page_out(mem, pages);

	report(alg, &empty, &full, swap);
	print("time", "alg=%s us_out=%.3f us_in=%.3f us_fault=%.3f different=%zu",
	      alg, us_out, us_in[1], us_in[0], different);
	return different ? 1 : 0;
}

static void run(char *alg, struct pages *pages)
{
	/* For all pages and for the slots that are being freed. */
	size_t room = pages->total + pages->total / 4 + TIMED_PAGES;
	int status = 0;
	pid_t pid;

	if (init_zram(alg, room * page_size) || make_swap(room))
		return;
	pid = fork();
	if (!pid) {
		write_file("/proc/self/oom_score_adj", "1000");
		_exit(swap_pages(alg, pages));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		print("fail", "%s: no process: %s", alg, strerror(errno));
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		print("fail", "%s: the guest ran out of memory, these pages compress too little",
		      alg);
	else if (status)
		print("fail", "%s: failed with status %#x", alg, status);
	if (swapoff(SWAP))
		print("fail", "swapoff: %s", strerror(errno));
}

static int open_pages(struct pages *pages)
{
	const char *dev = getenv("swap_dev"), *copies = getenv("swap_copies");
	unsigned long long size = 0;
	char path[64] = "/pages";
	struct stat st;

	if (stat(path, &st))
		snprintf(path, sizeof(path), "/dev/%s", dev ? dev : "ubda");
	else
		size = st.st_size;
	pages->fd = open(path, O_RDONLY);
	if (pages->fd < 0 || (!size && ioctl(pages->fd, BLKGETSIZE64, &size))) {
		print("fail", "%s: %s", path, strerror(errno));
		return -1;
	}
	pages->count = size / page_size;
	pages->total = pages->count * (copies ? atoi(copies) : 1);
	if (!pages->total) {
		print("fail", "%s holds no pages", path);
		return -1;
	}
	return 0;
}

/* Stops at the first that the kernel refuses. */
static int load_modules(const char *names)
{
	char *list = strdup(names), *name, path[64];
	int fd, err = 0;

	for (name = strtok(list, ","); name && !err; name = strtok(NULL, ",")) {
		snprintf(path, sizeof(path), "/%s.ko", name);
		fd = open(path, O_RDONLY);
		err = fd < 0 || syscall(SYS_finit_module, fd, "", 0);
		if (err)
			print("fail", "%s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	free(list);
	return err;
}

/* The last one first: those before it may be in use by it. */
static void unload_modules(const char *names)
{
	char *list = strdup(names), *comma, *name;

	do {
		comma = strrchr(list, ',');
		name = comma ? comma + 1 : list;
		if (syscall(SYS_delete_module, name, O_NONBLOCK))
			print("fail", "unloading %s: %s", name, strerror(errno));
		else
			print("unloaded", "%s", name);
		if (comma)
			*comma = 0;
	} while (comma);
	free(list);
}

int main(void)
{
	const char *algs = getenv("swap_algs"), *modules = getenv("swap_modules");
	struct pages pages;
	char *list, *alg;

	start();
	if (modules && load_modules(modules))
		return finish();
	mlockall(MCL_CURRENT);
	/* One page per fault, and anonymous pages before the file's. */
	write_file("/proc/sys/vm/page-cluster", "0");
	write_file("/proc/sys/vm/swappiness", "200");
	if ((algs || !modules) && !open_pages(&pages)) {
		list = strdup(algs ? algs : "seqlz");
		for (alg = strtok(list, ","); alg; alg = strtok(NULL, ","))
			run(alg, &pages);
		print("plain", "us=%.3f", time_plain_fault());
	}
	if (modules)
		unload_modules(modules);
	return finish();
}
