// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only program in the guest of "make stress": swaps more memory than there
 * is through seqlz, and looks at every page that comes back
 *
 * It is process 1. For each part of stress_parts it makes zram the only swap
 * and lets several threads read, compare and write anonymous and shared memory
 * for some time. What a page should hold follows from its place and from how
 * often it was written, see pages.h, and /pages holds the real ones among them.
 * Parameters from the kernel's command line:
 *
 *	stress_parts=LEVEL[+LEVEL],...	a second level recompresses meanwhile
 *	stress_seconds=N	for all parts together
 *	stress_threads=N
 *	stress_mib=N		memory to use; default: 5/3 of what is available,
 *				which leaves room if nothing compresses well
 *	stress_seed=N
 *	stress_hotplug=1	take processor 1 away and give it back, for ever
 *
 * Lines for the program outside: @count part=P out=N in=N compared=N wrong=N,
 * every few seconds and at the end of a part, @guest cpus=N once, @different
 * and @fail TEXT.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "guest.h"
#include "pages.h"

/* Pages that are read or written together, under one lock. */
#define BLOCK 32
#define MAX_THREADS 16
#define CPU1 "/sys/devices/system/cpu/cpu1/online"

struct block {
	/* Threads that read it, or -1 for one that writes it. */
	atomic_int users;
	/* How often it was written. */
	uint32_t version;
};

static struct {
	struct samples samples;
	uint64_t seed;
	size_t blocks;
	struct block *block;
	/* The first half of the blocks is anonymous memory, the rest shared. */
	unsigned char *mem[2];
	int self_mem;
	const char *part;
	atomic_bool stop;
	atomic_ulong compared, wrong;
} s;

static unsigned long parameter(const char *name, unsigned long value)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : value;
}

static unsigned char *address(size_t b)
{
	size_t half = s.blocks / 2;

	return s.mem[b >= half] + (b - (b >= half) * half) * BLOCK * PAGE;
}

static uint64_t page_number(size_t b, unsigned int i)
{
	return (s.seed << 40) ^ ((uint64_t)s.block[b].version << 24) ^
	       (b * BLOCK + i);
}

static bool enter(size_t b, bool write)
{
	int users = atomic_load(&s.block[b].users);

	if (users < 0 || (write && users))
		return false;
	return atomic_compare_exchange_strong(&s.block[b].users, &users,
					      write ? -1 : users + 1);
}

static void leave(size_t b, bool write)
{
	if (write)
		atomic_store(&s.block[b].users, 0);
	else
		atomic_fetch_sub(&s.block[b].users, 1);
}

static void different(size_t b, unsigned int i, const unsigned char *is,
		      const unsigned char *should)
{
	size_t at = 0;

	while (at < PAGE - 1 && is[at] == should[at])
		at++;
	if (atomic_fetch_add(&s.wrong, 1) < 20)
		print("different",
		      "part=%s page=%zu version=%u number=%#llx at=%zu is=%#x should=%#x",
		      s.part, b * BLOCK + i, s.block[b].version,
		      (unsigned long long)page_number(b, i), at, is[at],
		      should[at]);
}

/*
 * Compare the pages of a block: where they are, by faults of the program, or
 * in a copy that the kernel makes, which costs less in user-mode Linux.
 */
static void compare(size_t b, unsigned char *copy, bool fault)
{
	const unsigned char *mem = address(b);
	unsigned char page[PAGE];
	unsigned int i;

	if (!fault) {
		if (pread(s.self_mem, copy, BLOCK * PAGE, (uintptr_t)mem) !=
		    BLOCK * PAGE) {
			atomic_fetch_add(&s.wrong, 1);
			print("fail", "block %zu could not be read: %s", b,
			      strerror(errno));
			return;
		}
		mem = copy;
	}
	for (i = 0; i < BLOCK; i++) {
		make_page(page, &s.samples, page_number(b, i));
		if (memcmp(mem + i * PAGE, page, PAGE))
			different(b, i, mem + i * PAGE, page);
	}
	atomic_fetch_add(&s.compared, BLOCK);
}

static void write_block(size_t b, unsigned char *copy, bool fault)
{
	unsigned char *to = fault ? address(b) : copy;
	unsigned int i;

	s.block[b].version++;
	for (i = 0; i < BLOCK; i++)
		make_page(to + i * PAGE, &s.samples, page_number(b, i));
	if (!fault && pwrite(s.self_mem, copy, BLOCK * PAGE,
			     (uintptr_t)address(b)) != BLOCK * PAGE)
		print("fail", "block %zu could not be written: %s", b,
		      strerror(errno));
}

/* Reads and writes blocks at random; arg is the number of the thread. */
static void *work(void *arg)
{
	uint64_t x = s.seed * MAX_THREADS + (uintptr_t)arg, r;
	unsigned char *copy = mmap(NULL, BLOCK * PAGE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED,
				   -1, 0);
	bool write;
	size_t b;

	while (!s.stop) {
		r = next(&x);
		b = r % s.blocks;
		write = r >> 63;
		if (!enter(b, write))
			continue;
		if (s.block[b].version)
			compare(b, copy, r >> 62 & 1);
		if (write) {
			write_block(b, copy, r >> 61 & 1);
			if (r >> 60 & 1)
				madvise(address(b), BLOCK * PAGE, MADV_PAGEOUT);
		}
		leave(b, write);
	}
	return NULL;
}

/* Recompresses everything again and again. */
static void *recompress(void *arg)
{
	static const char * const types[] = {
		"type=idle", "type=huge", "type=huge_idle",
		"type=idle threshold=1000",
	};
	unsigned int i;
	int err;

	(void)arg;
	for (i = 0; !s.stop; i++) {
		usleep(300000);
		write_file(ZRAM "idle", "all");
		err = try_write(ZRAM "recompress", types[i % 4]);
		if (err && err != ENOMEM)
			print("fail", "recompress: %s", strerror(err));
	}
	return NULL;
}

static void *hotplug(void *arg)
{
	uint64_t x = s.seed;
	unsigned int n = 0;

	(void)arg;
	while (!s.stop) {
		usleep(next(&x) % 400000);
		n += !try_write(CPU1, "0");
		usleep(next(&x) % 400000);
		write_file(CPU1, "1");
	}
	print(n ? "hotplug" : "fail", "processor 1 was taken away %u times", n);
	return NULL;
}

static void count(void)
{
	unsigned long long in = 0, out = 0;
	char text[512];

	read_file(ZRAM "stat", text, sizeof(text));
	sscanf(text, "%*u %*u %llu %*u %*u %*u %llu", &in, &out);
	print("count", "part=%s out=%llu in=%llu compared=%lu wrong=%lu",
	      s.part, out * 512 / PAGE, in * 512 / PAGE, s.compared, s.wrong);
}

static unsigned char *map(size_t size, int type)
{
	unsigned char *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
				  MAP_ANONYMOUS | MAP_NORESERVE | type, -1, 0);

	if (mem == MAP_FAILED) {
		print("fail", "no %zu bytes of memory", size);
		_exit(1);
	}
	return mem;
}

/*
 * Runs as a process of its own: should the guest run out of memory, this one
 * is killed and process 1 can tell.
 */
static int swap_pages(double seconds)
{
	unsigned long i, n = 0, threads = parameter("stress_threads", 4);
	size_t half = s.blocks / 2 * BLOCK * PAGE;
	pthread_t thread[MAX_THREADS + 2];
	double end = now() + seconds;

	if (threads > MAX_THREADS)
		threads = MAX_THREADS;
	s.block = calloc(s.blocks, sizeof(*s.block));
	s.self_mem = open("/proc/self/mem", O_RDWR);
	/* From here on, nothing of this process but the pages goes to swap. */
	if (!s.block || s.self_mem < 0 || mlockall(MCL_CURRENT))
		return 2;
	s.mem[0] = map(half, MAP_PRIVATE);
	s.mem[1] = map(half, MAP_SHARED);
	if (strchr(s.part, '+') && !pthread_create(&thread[n], NULL, recompress, NULL))
		n++;
	if (getenv("stress_hotplug") && !pthread_create(&thread[n], NULL, hotplug, NULL))
		n++;
	for (i = 0; i < threads; i++)
		if (!pthread_create(&thread[n], NULL, work, (void *)i))
			n++;
	while (now() < end) {
		sleep(end - now() < 5 ? 1 : 5);
		count();
	}
	s.stop = true;
	while (n)
		pthread_join(thread[--n], NULL);
	count();
	return s.wrong ? 1 : 0;
}

/* Make zram, with this level and perhaps a second one, the only swap. */
static int setup_swap(const char *part)
{
	const char *second = strchr(part, '+');
	size_t pages = s.blocks * BLOCK * 3 / 2;
	char text[64];
	int err;

	err = write_file(ZRAM "reset", "1");
	if (!err)
		err = write_file(ZRAM "comp_algorithm", "seqlz");
	snprintf(text, sizeof(text), "priority=0 level=%d", atoi(part));
	if (!err)
		err = write_file(ZRAM "algorithm_params", text);
	if (!err && second) {
		err = write_file(ZRAM "recomp_algorithm",
				 "algo=seqlz priority=1");
		snprintf(text, sizeof(text), "priority=1 level=%d",
			 atoi(second + 1));
		if (!err)
			err = write_file(ZRAM "algorithm_params", text);
	}
	snprintf(text, sizeof(text), "%zu", pages * PAGE);
	if (!err)
		err = write_file(ZRAM "disksize", text);
	return err ? err : make_swap(pages);
}

static void run(const char *part, double seconds)
{
	int status = 0;
	pid_t pid;

	s.part = part;
	if (setup_swap(part)) {
		print("fail", "part %s: zram refused it", part);
		return;
	}
	pid = fork();
	if (!pid) {
		write_file("/proc/self/oom_score_adj", "1000");
		_exit(swap_pages(seconds));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		print("fail", "part %s: no process: %s", part, strerror(errno));
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		print("fail", "part %s: the guest ran out of memory", part);
	else if (status)
		print("fail", "part %s: failed with status %#x", part, status);
	if (swapoff(SWAP))
		print("fail", "swapoff: %s", strerror(errno));
}

/* The file is in memory twice until it is removed. */
static int load_samples(void)
{
	struct stat st;
	int fd = open("/pages", O_RDONLY);
	unsigned char *data;
	off_t done = 0;
	ssize_t n = 0;

	if (fd < 0 || fstat(fd, &st) || st.st_size < PAGE)
		return -1;
	data = malloc(st.st_size);
	for (; data && done < st.st_size; done += n) {
		n = read(fd, data + done, st.st_size - done);
		if (n <= 0)
			return -1;
	}
	close(fd);
	unlink("/pages");
	s.samples = (struct samples){ data, done / PAGE };
	return data ? 0 : -1;
}

static size_t available_mib(void)
{
	unsigned long long kib = 0;
	char text[2048], *p;

	read_file("/proc/meminfo", text, sizeof(text));
	p = strstr(text, "MemAvailable:");
	if (!p || sscanf(p, "MemAvailable: %llu", &kib) != 1)
		print("fail", "there is no MemAvailable in /proc/meminfo");
	return kib >> 10;
}

int main(void)
{
	const char *parts = getenv("stress_parts");
	unsigned int n = 1;
	double seconds;
	char *list, *part;
	const char *p;

	start();
	s.seed = parameter("stress_seed", 1);
	if (page_size != PAGE || load_samples())
		print("fail", "there are no pages of %ld bytes in /pages",
		      page_size);
	mlockall(MCL_CURRENT);
	s.blocks = parameter("stress_mib", available_mib() * 5 / 3) * 256 / BLOCK;
	print("guest", "cpus=%ld swapping=%zu available=%zu MiB",
	      sysconf(_SC_NPROCESSORS_ONLN), s.blocks * BLOCK / 256,
	      available_mib());
	list = strdup(parts ? parts : "2");
	for (p = list; *p; p++)
		n += *p == ',';
	seconds = parameter("stress_seconds", 60) * 1.0 / n;
	if (s.samples.count)
		for (part = strtok(list, ","); part; part = strtok(NULL, ","))
			run(part, seconds);
	return finish();
}
