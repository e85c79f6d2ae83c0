/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs that are process 1 of a guest have in common
 *
 * Lines for the program outside start with '@', and the last of them is @done.
 */
#ifndef SEQLZ_GUEST_H
#define SEQLZ_GUEST_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <time.h>
#include <unistd.h>

#define ZRAM "/sys/block/zram0/"
#define SWAP "/dev/zram0"

struct zram_stat {
	unsigned long long orig, compr, used, limit, max, same, compacted, huge;
};

/* Set by start(). */
static size_t page_size;

/* In one write, so that the lines of several processes do not mix. */
__attribute__((format(printf, 2, 3)))
static inline void print(const char *kind, const char *format, ...)
{
	char line[512];
	va_list args;
	int n;

	n = snprintf(line, sizeof(line), "@%s ", kind);
	va_start(args, format);
	vsnprintf(line + n, sizeof(line) - n - 1, format, args);
	va_end(args);
	strcat(line, "\n");
	if (write(STDOUT_FILENO, line, strlen(line)) < 0)
		abort();
}

static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Returns 0 or an errno. */
static inline int try_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	int err = 0;

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err = errno;
	if (fd >= 0)
		close(fd);
	return err;
}

static inline int write_file(const char *path, const char *text)
{
	int err = try_write(path, text);

	if (err)
		print("fail", "writing '%s' to %s: %s", text, path,
		      strerror(err));
	return err;
}

static inline void read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	text[n < 0 ? 0 : n] = 0;
	if (fd >= 0)
		close(fd);
}

static inline struct zram_stat read_zram_stat(void)
{
	struct zram_stat s = {};
	char text[512];

	read_file(ZRAM "mm_stat", text, sizeof(text));
	if (sscanf(text, "%llu %llu %llu %llu %llu %llu %llu %llu", &s.orig,
		   &s.compr, &s.used, &s.limit, &s.max, &s.same, &s.compacted,
		   &s.huge) != 8)
		print("fail", "mm_stat is not understood: %s", text);
	return s;
}

/* Give zram an algorithm, NAME[:LEVEL], and a size in bytes. */
static inline int init_zram(const char *alg, unsigned long long bytes)
{
	const char *level = strchr(alg, ':');
	char name[32], text[64];
	int err;

	snprintf(name, sizeof(name), "%.*s",
		 level ? (int)(level - alg) : (int)strlen(alg), alg);
	err = write_file(ZRAM "reset", "1");
	if (!err)
		err = write_file(ZRAM "comp_algorithm", name);
	if (!err && level) {
		snprintf(text, sizeof(text), "algo=%s level=%s", name, level + 1);
		err = write_file(ZRAM "algorithm_params", text);
	}
	snprintf(text, sizeof(text), "%llu", bytes);
	if (!err)
		err = write_file(ZRAM "disksize", text);
	if (err)
		print("fail", "%s: zram refused it", alg);
	return err;
}

/* What mkswap(8) writes: version, last page and magic in the first page. */
static inline int make_swap(size_t pages)
{
	uint32_t *header = calloc(1, page_size);
	int fd = open(SWAP, O_RDWR);
	int err = -1;

	header[1024 / 4] = 1;
	header[1024 / 4 + 1] = pages - 1;
	memcpy((char *)header + page_size - 10, "SWAPSPACE2", 10);
	if (fd >= 0) {
		if (write(fd, header, page_size) == (ssize_t)page_size && !fsync(fd))
			err = 0;
		close(fd);
	}
	free(header);
	if (err || swapon(SWAP, 0)) {
		print("fail", "swapon " SWAP ": %s", strerror(errno));
		return -1;
	}
	return 0;
}

/* What process 1 does first. */
static inline void start(void)
{
	page_size = sysconf(_SC_PAGESIZE);
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/dev", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sys", "/sys", "sysfs", 0, NULL);
	mount("debug", "/sys/kernel/debug", "debugfs", 0, NULL);
	/* The kernel may have mounted it already. */
	mount("dev", "/dev", "devtmpfs", 0, NULL);
}

/*
 * What it does last. QEMU without ACPI ends on a reset, not on a power-off.
 */
static inline int finish(void)
{
	print("done", "%.1f s", now());
	reboot(getenv("guest_reset") ? RB_AUTOBOOT : RB_POWER_OFF);
	return 1;
}

#endif /* SEQLZ_GUEST_H */
