// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only program in the guest of roles-test.sh: everything that zram can do
 * with a backend, with seqlz
 *
 * Lines for the program outside: @group NAME when a group of checks begins,
 * @bad TEXT for each check that fails, @inject begin and @inject end around
 * what makes allocations fail, and at the end @roles passed=N failed=N.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "guest.h"
#include "pages.h"

/* Pages of the device, unless a group says otherwise. */
#define PAGES 256
#define DISKSIZE "1048576"
#define CONTROL "/sys/class/zram-control/"
#define FAULTS "/sys/kernel/debug/"
/* How long the groups with several processes run. */
#define RACE_SECONDS 4

static struct samples samples;
static unsigned int passed, failed;

static bool check(bool ok, const char *format, ...)
{
	char text[256];
	va_list args;

	if (ok) {
		passed++;
		return true;
	}
	failed++;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print("bad", "%s", text);
	return false;
}

static bool since_7_3(void)
{
	unsigned int version = 0, patchlevel = 0;
	struct utsname name;

	uname(&name);
	sscanf(name.release, "%u.%u", &version, &patchlevel);
	return version * 100 + patchlevel >= 703;
}

/* Write text made of format to a file of zram0; returns 0 or an errno. */
__attribute__((format(printf, 2, 3)))
static int set(const char *file, const char *format, ...)
{
	char path[128], text[128];
	va_list args;

	snprintf(path, sizeof(path), ZRAM "%s", file);
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return try_write(path, text);
}

/* The n-th number, from 0, in a file. */
static unsigned long long number(const char *path, unsigned int n)
{
	char text[512], *p = text;
	unsigned long long value = 0;

	read_file(path, text, sizeof(text));
	do
		value = strtoull(p, &p, 10);
	while (n--);
	return value;
}

static bool contains(const char *path, const char *word)
{
	char text[1024];

	read_file(path, text, sizeof(text));
	return strstr(text, word);
}

/* Has the kernel said this since the last call of forget_log()? */
static bool kernel_said(const char *text)
{
	static char log[1 << 16];
	int n = klogctl(3, log, sizeof(log) - 1);

	log[n < 0 ? 0 : n] = 0;
	return strstr(log, text);
}

static void forget_log(void)
{
	klogctl(5, NULL, 0);
}

/* --- the contents of the device --- */

static unsigned char *buffer(void)
{
	static unsigned char *mem;

	if (!mem)
		mem = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return mem;
}

static int open_device(void)
{
	return open(SWAP, O_RDWR | O_DIRECT);
}

static bool write_device(uint64_t seed)
{
	unsigned char *mem = buffer();
	int i, fd = open_device();
	bool ok;

	for (i = 0; i < PAGES; i++)
		make_page(mem + i * PAGE, &samples, (seed << 20) + i);
	ok = pwrite(fd, mem, PAGES * PAGE, 0) == PAGES * PAGE;
	close(fd);
	return ok;
}

static bool device_holds(uint64_t seed)
{
	unsigned char page[PAGE], *mem = buffer();
	int i, fd = open_device();
	bool ok = pread(fd, mem, PAGES * PAGE, 0) == PAGES * PAGE;

	close(fd);
	for (i = 0; i < PAGES && ok; i++) {
		make_page(page, &samples, (seed << 20) + i);
		ok = !memcmp(mem + i * PAGE, page, PAGE);
	}
	return ok;
}

static int reset_device(void)
{
	int err, tries;

	/* Something may still have it open for a moment. */
	for (tries = 0; tries < 100; tries++) {
		err = set("reset", "1");
		if (err != EBUSY)
			break;
		usleep(10000);
	}
	return err;
}

/* A fresh device: alg is NAME or NAME:LEVEL. */
static int init_device(const char *alg)
{
	char name[32];
	int level = 0, n, err;

	n = sscanf(alg, "%31[^:]:%d", name, &level);
	err = reset_device();
	if (!err)
		err = set("comp_algorithm", "%s", name);
	if (!err && n == 2)
		err = set("algorithm_params", "algo=%s level=%d", name, level);
	return err ? err : set("disksize", DISKSIZE);
}

/* --- one group of checks after the other --- */

static void test_primary(void)
{
	static const char * const algs[] = {
		"seqlz", "seqlz:1", "seqlz:2", "seqlz:3", "seqlz:4",
	};
	struct zram_stat s;
	unsigned int i;

	for (i = 0; i < sizeof(algs) / sizeof(*algs); i++) {
		check(!init_device(algs[i]), "%s: no device", algs[i]);
		check(contains(ZRAM "comp_algorithm", "[seqlz]"),
		      "%s is not the algorithm", algs[i]);
		check(write_device(i), "%s: write failed", algs[i]);
		s = read_zram_stat();
		check(s.orig <= PAGES * PAGE && s.compr < s.orig &&
		      s.huge && s.same, "%s: mm_stat %llu %llu %llu %llu",
		      algs[i], s.orig, s.compr, s.huge, s.same);
		check(device_holds(i), "%s: other pages came back", algs[i]);
	}
	check(set("comp_algorithm", "lz4") == EBUSY,
	      "the algorithm of a device in use was changed");
	check(set("algorithm_params", "level=1") == EBUSY,
	      "parameters of a device in use were changed");
}

/* Parameters, and what writing them and then the disksize gives. */
static const struct {
	const char *params;
	int write_err, init_err;
	const char *said;
} param_table[] = {
	{ NULL },
	{ "level=1" }, { "level=2" }, { "level=3" }, { "level=4" },
	{ "level=0", 0, EINVAL, "seqlz: invalid compression level 0, must be 1 to 4" },
	{ "level=5", 0, EINVAL, "seqlz: invalid compression level 5, must be 1 to 4" },
	{ "level=-1", 0, EINVAL, "seqlz: invalid compression level -1, must be 1 to 4" },
	{ "level=2147483647", 0, EINVAL, "seqlz: invalid compression level 2147483647" },
	{ "level=-2147483647", 0, EINVAL, "seqlz: invalid compression level -2147483647" },
	/* INT_MIN is how zram says that a level is not set. */
	{ "level=-2147483648" },
	{ "level=2147483648", ERANGE },
	{ "level=-2147483649", ERANGE },
	{ "level=fast", EINVAL },
	{ "level=", EINVAL },
	{ "dict=/dict", 0, EOPNOTSUPP, "seqlz: dictionary is not supported" },
	{ "level=2 dict=/dict", 0, EOPNOTSUPP, "seqlz: dictionary is not supported" },
	{ "dict=/empty", EINVAL },
	{ "dict=/none", ENOENT },
	{ "deflate.winbits=15", 0, EOPNOTSUPP, "seqlz: deflate.winbits is not supported" },
	{ "deflate.winbits=0", 0, EOPNOTSUPP, "seqlz: deflate.winbits is not supported" },
	{ "level=1 deflate.winbits=-1", 0, EOPNOTSUPP, "seqlz: deflate.winbits is not supported" },
};

static void make_file(const char *path, const char *text)
{
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		print("fail", "%s: %s", path, strerror(errno));
	close(fd);
}

static int set_algorithm(int prio, const char *name)
{
	if (prio)
		return set("recomp_algorithm", "algo=%s priority=%d", name,
			   prio);
	return set("comp_algorithm", "%s", name);
}

/* seqlz as the algorithm of this priority, with a row of param_table */
static void test_param(int prio, unsigned int row)
{
	const char *params = param_table[row].params;
	const char *said = param_table[row].said;
	int err;

	reset_device();
	check(!set_algorithm(prio, "seqlz"), "priority %d refused", prio);
	forget_log();
	if (params) {
		err = set("algorithm_params", "priority=%d %s", prio, params);
		check(err == param_table[row].write_err,
		      "priority %d, %s: writing it gives %d", prio, params, err);
		if (err)
			return;
	}
	err = set("disksize", DISKSIZE);
	check(err == param_table[row].init_err,
	      "priority %d, %s: disksize gives %d", prio, params, err);
	check(!said || kernel_said(said), "priority %d, %s: the log does not say '%s'",
	      prio, params, said);
	check(number(ZRAM "initstate", 0) == !err,
	      "priority %d, %s: wrong state after disksize", prio, params);
	check(!err || !number(ZRAM "disksize", 0),
	      "priority %d, %s: there is a disksize after an error", prio,
	      params);
}

static void test_params(void)
{
	unsigned int row;
	int prio;

	make_file("/dict", "a dictionary");
	make_file("/empty", "");
	for (prio = 0; prio <= 3; prio++)
		for (row = 0; row < sizeof(param_table) / sizeof(*param_table); row++)
			test_param(prio, row);
	reset_device();
	check(set("algorithm_params", "priority=4 level=1") == EINVAL,
	      "priority 4 was accepted");
	check(set("algorithm_params", "algo=seqlz priority=1 level=1") == EINVAL,
	      "parameters of a priority without an algorithm were accepted");
	check(set("algorithm_params", "algo=none level=1") == EINVAL,
	      "parameters of an unknown algorithm were accepted");
}

/* Since 7.3 a change of the algorithm drops what was set for the old one. */
static void test_change_after_params(void)
{
	bool dropped = since_7_3();

	reset_device();
	set("comp_algorithm", "zstd");
	check(!set("algorithm_params", "level=9"), "zstd refused level 9");
	set("comp_algorithm", "seqlz");
	check(set("disksize", DISKSIZE) == (dropped ? 0 : EINVAL),
	      "zstd at level 9, then seqlz");
	reset_device();
	set("comp_algorithm", "seqlz");
	check(!set("algorithm_params", "level=5"), "level 5 of seqlz");
	set("comp_algorithm", "lz4");
	check(!set("disksize", DISKSIZE), "seqlz at level 5, then lz4");
	check(!init_device("seqlz"), "seqlz after lz4");
}

/* Reset forgets everything, whatever was there before. */
static void test_reset(void)
{
	static const char * const algs[] = {
		"seqlz:4", "lz4", "seqlz:1", "zstd", "seqlz", "lzo-rle",
		"seqlz:3", "842", "seqlz:2", "deflate", "seqlz", "lz4hc",
	};
	unsigned int i, n = sizeof(algs) / sizeof(*algs);
	char before[256], after[256];

	reset_device();
	read_file(ZRAM "comp_algorithm", before, sizeof(before));
	for (i = 0; i < 4 * n; i++) {
		check(!init_device(algs[i % n]), "%s: no device", algs[i % n]);
		check(write_device(i) && device_holds(i),
		      "%s: other pages came back", algs[i % n]);
		check(!reset_device(), "%s: no reset", algs[i % n]);
		read_file(ZRAM "comp_algorithm", after, sizeof(after));
		check(!strcmp(before, after), "%s: the default is %s",
		      algs[i % n], after);
	}
}

/* Primary NAME:LEVEL, and seqlz at a level to recompress. */
static void init_recompress(const char *primary, int prio, int level)
{
	char name[32];
	int first = 0, n = sscanf(primary, "%31[^:]:%d", name, &first);

	reset_device();
	check(!set("comp_algorithm", "%s", name), "%s refused", name);
	if (n == 2)
		check(!set("algorithm_params", "priority=0 level=%d", first),
		      "%s: level refused", primary);
	check(!set_algorithm(prio, "seqlz"), "seqlz at priority %d refused", prio);
	check(!set("algorithm_params", "priority=%d level=%d", prio, level),
	      "level %d at priority %d refused", level, prio);
	check(!set("disksize", DISKSIZE), "no device with priority %d", prio);
}

static void recompress_once(const char *primary, int prio, const char *type,
			    unsigned int threshold)
{
	static unsigned int seed = 1000;
	struct zram_stat before, after;

	init_recompress(primary, prio, 4);
	check(write_device(++seed), "write failed");
	set("idle", "all");
	before = read_zram_stat();
	check(!set("recompress", "%s threshold=%u priority=%d", type, threshold, prio),
	      "%s threshold %u at priority %d failed", type, threshold, prio);
	after = read_zram_stat();
	check(after.orig == before.orig && after.same == before.same,
	      "%s threshold %u: pages vanished", type, threshold);
	/*
	 * Huge pages that seqlz cannot make smaller stay as they were, and so
	 * do pages that do not get below the threshold.
	 */
	check(strstr(type, "huge") || threshold ? after.compr <= before.compr :
						  after.compr < before.compr,
	      "%s %s threshold %u priority %d: %llu bytes before, %llu after",
	      primary, type, threshold, prio, before.compr, after.compr);
	check(device_holds(seed), "%s %s threshold %u priority %d: other pages came back",
	      primary, type, threshold, prio);
	/* What is done is not done again. */
	set("idle", "all");
	check(!set("recompress", "%s threshold=%u priority=%d", type, threshold, prio),
	      "%s: the second time failed", type);
	check(read_zram_stat().compr == after.compr,
	      "%s: the second time changed something", type);
}

static void test_recompress(void)
{
	static const char * const types[] = {
		"type=idle", "type=huge", "type=huge_idle", "",
	};
	static const unsigned int thresholds[] = { 0, 64, 1000, 2048 };
	static const char * const primaries[] = { "lz4", "seqlz:1", "lzo-rle" };
	unsigned int t, i;
	int prio;

	for (prio = 1; prio <= 3; prio++)
		for (t = 0; t < 4; t++)
			for (i = 0; i < 4; i++)
				recompress_once(primaries[prio - 1], prio,
						types[t], thresholds[i]);
	check(set("recompress", "type=none") == EINVAL, "an unknown type");
	check(set("recompress", "type=idle threshold=4096") == EINVAL,
	      "a threshold of a page");
	check(set("recompress", "type=idle priority=0") == EINVAL, "priority 0");
	check(set("recompress", "type=idle priority=4") == EINVAL, "priority 4");
	check(set("recompress", "type=idle algo=lz4 priority=3") == EINVAL,
	      "the algorithm of another priority");
	check(!set("recompress", "type=idle algo=seqlz"), "seqlz by its name");
	check(!set("recompress", "type=idle algo=seqlz max_pages=1"), "max_pages");
}

/* Levels 1, 2, 4 and then zstd: three secondary algorithms at once. */
static void test_recompress_chain(void)
{
	unsigned long long compr[4];
	int prio;

	init_recompress("seqlz:1", 1, 2);
	reset_device();
	set("comp_algorithm", "seqlz");
	set("algorithm_params", "priority=0 level=1");
	for (prio = 1; prio <= 3; prio++) {
		check(!set_algorithm(prio, prio == 3 ? "zstd" : "seqlz"), "priority %d", prio);
		check(!set("algorithm_params", "priority=%d level=%d", prio, prio * 2),
		      "level of priority %d", prio);
	}
	check(!set("disksize", DISKSIZE) && write_device(77), "chain: no device");
	compr[0] = read_zram_stat().compr;
	for (prio = 1; prio <= 3; prio++) {
		check(!set("recompress", "priority=%d", prio), "chain: priority %d", prio);
		compr[prio] = read_zram_stat().compr;
		check(compr[prio] <= compr[prio - 1], "chain: priority %d grew", prio);
		check(device_holds(77), "chain: other pages after priority %d", prio);
	}
	check(compr[2] < compr[0], "chain: levels 2 and 4 saved nothing");
}

/* --- several processes --- */

/* Runs function(i) in n processes, RACE_SECONDS long; they exit with 0 if well. */
static bool in_processes(int n, void (*function)(int))
{
	bool ok = true;
	int i, status;

	for (i = 0; i < n; i++)
		if (!fork()) {
			function(i);
			_exit(0);
		}
	for (i = 0; i < n; i++)
		if (wait(&status) < 0 || status) {
			print("progress", "a process ended with %#x", status);
			ok = false;
		}
	return ok;
}

static void read_names(int device, const char *file)
{
	char path[96], text[512];

	snprintf(path, sizeof(path), "/sys/block/zram%d/%s", device, file);
	read_file(path, text, sizeof(text));
	/* Either it is not there, or it is whole. */
	if (*text && (!strchr(text, '[') || !strstr(text, "seqlz")))
		_exit(1);
}

/* Put a device that was added into use, and reset it again. */
static void use_device(int id)
{
	char path[96], text[32];
	int fd;

	snprintf(path, sizeof(path), "/sys/block/zram%d/recomp_algorithm", id);
	try_write(path, "algo=seqlz priority=1");
	snprintf(path, sizeof(path), "/sys/block/zram%d/comp_algorithm", id);
	try_write(path, "seqlz");
	snprintf(path, sizeof(path), "/sys/block/zram%d/disksize", id);
	if (try_write(path, DISKSIZE))
		_exit(2);
	snprintf(path, sizeof(path), "/dev/zram%d", id);
	fd = open(path, O_RDWR | O_DIRECT);
	make_page(buffer(), &samples, id);
	if (fd < 0 || pwrite(fd, buffer(), PAGE, 0) != PAGE)
		_exit(3);
	close(fd);
	snprintf(path, sizeof(path), "/sys/block/zram%d/reset", id);
	snprintf(text, sizeof(text), "1");
	try_write(path, text);
}

static void race_hotplug(int i)
{
	double end = now() + RACE_SECONDS;
	char text[32];
	int n, id;

	for (n = 0; now() < end; n++) {
		if (i > 1) {
			read_names(1 + n % 2, n % 4 < 2 ? "comp_algorithm" :
							  "recomp_algorithm");
			continue;
		}
		read_file(CONTROL "hot_add", text, sizeof(text));
		id = atoi(text);
		if (id < 1)
			_exit(4);
		use_device(id);
		while (try_write(CONTROL "hot_remove", text) == EBUSY)
			usleep(1000);
	}
	/* In an emulator it takes half a second to remove a device. */
	if (n < 2)
		_exit(5);
}

static void test_hotplug_races(void)
{
	DIR *dir = opendir("/sys/block");
	struct dirent *d;
	int n = 0;

	reset_device();
	check(in_processes(4, race_hotplug), "adding, removing and reading devices");
	while ((d = readdir(dir)))
		n += !strncmp(d->d_name, "zram", 4);
	closedir(dir);
	check(n == 1, "%d devices are left", n);
}

static void race_reset(int i)
{
	static const char * const algs[] = { "seqlz", "lz4", "seqlz:4", "zstd" };
	double end = now() + RACE_SECONDS;
	unsigned int n;

	for (n = 0; now() < end; n++) {
		if (i)
			read_names(0, i == 1 ? "comp_algorithm" : "recomp_algorithm");
		else if (init_device(algs[n % 4]) || !write_device(n) ||
			 !device_holds(n))
			_exit(1);
		if (!i && set_algorithm(1, "seqlz") != EBUSY)
			_exit(2);
	}
}

static void test_reset_races(void)
{
	check(in_processes(3, race_reset), "reset against readers of comp_algorithm");
}

/* All write the same places; every page must be one that someone wrote. */
static void race_overwrite(int i)
{
	uint64_t range[2] = { 0, 64 * PAGE }, x = i;
	double end = now() + RACE_SECONDS;
	unsigned char *mem = buffer();
	int fd = open_device(), n;

	for (n = 0; n < 64; n++)
		make_page(mem + n * PAGE, &samples, n * 4 + i % 4);
	while (now() < end) {
		n = next(&x) % 64;
		if (pwrite(fd, mem + n * PAGE, PAGE, n * PAGE) != PAGE)
			_exit(1);
		range[0] = next(&x) % 4096;
		range[1] = (1 + next(&x) % 8) * PAGE;
		range[0] = range[0] % 56 * PAGE;
		if (!(next(&x) % 16) && ioctl(fd, BLKDISCARD, range))
			_exit(2);
	}
	close(fd);
}

static bool someone_wrote(const unsigned char *page, int n)
{
	static const unsigned char zero[PAGE];
	unsigned char should[PAGE];
	int i;

	for (i = 0; i < 4; i++) {
		make_page(should, &samples, n * 4 + i);
		if (!memcmp(page, should, PAGE))
			return true;
	}
	return !memcmp(page, zero, PAGE);
}

static void check_empty(const char *alg)
{
	uint64_t range[2] = { 0, PAGES * PAGE };
	int fd = open_device();
	struct zram_stat s;

	check(!ioctl(fd, BLKDISCARD, range), "%s: no discard", alg);
	close(fd);
	s = read_zram_stat();
	check(!s.orig && !s.compr && !s.used && !s.same && !s.huge,
	      "%s: after discard of all mm_stat is %llu %llu %llu %llu %llu",
	      alg, s.orig, s.compr, s.used, s.same, s.huge);
}

static void test_overwrites(void)
{
	static const char * const algs[] = { "seqlz:1", "seqlz:2", "seqlz:4" };
	unsigned char *mem = buffer();
	unsigned int i;
	int fd, n;

	for (i = 0; i < 3; i++) {
		check(!init_device(algs[i]), "%s: no device", algs[i]);
		check(in_processes(4, race_overwrite), "%s: overwriting", algs[i]);
		fd = open_device();
		check(pread(fd, mem, 64 * PAGE, 0) == 64 * PAGE, "%s: read", algs[i]);
		close(fd);
		for (n = 0; n < 64; n++)
			check(someone_wrote(mem + n * PAGE, n),
			      "%s: nobody wrote what page %d is", algs[i], n);
		check_empty(algs[i]);
	}
}

/* --- writeback --- */

static void writeback_once(const char *type, bool compressed, unsigned int seed)
{
	unsigned long long before;

	reset_device();
	check(!set("backing_dev", "/dev/ram0"), "no backing device");
	if (compressed)
		check(!set("compressed_writeback", "1"), "no compressed writeback");
	set("comp_algorithm", "seqlz");
	check(!set("disksize", DISKSIZE) && write_device(seed), "no device");
	set("idle", "all");
	before = number(ZRAM "bd_stat", 2);
	check(!set("writeback", "%s", type), "writeback %s failed", type);
	check(number(ZRAM "bd_stat", 2) > before, "writeback %s wrote nothing", type);
	check(device_holds(seed), "writeback %s, compressed %d: other pages came back",
	      type, compressed);
	check(number(ZRAM "bd_stat", 1) > 0, "writeback %s: nothing was read back", type);
	check(write_device(seed + 1) && device_holds(seed + 1),
	      "writeback %s: other pages after writing anew", type);
	check_empty("writeback");
	check(!number(ZRAM "bd_stat", 0), "writeback %s: blocks are left", type);
}

static void test_writeback(void)
{
	static const char * const types[] = { "huge", "idle", "huge_idle" };
	bool compressed = !access(ZRAM "compressed_writeback", W_OK);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		writeback_once(types[i], false, 2000 + i);
		if (compressed)
			writeback_once(types[i], true, 3000 + i);
	}
	reset_device();
}

/* --- allocations that fail --- */

static void fault(const char *file, const char *value)
{
	static const char * const dirs[] = { "failslab/", "fail_page_alloc/" };
	char path[128];
	int i;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), FAULTS "%s%s", dirs[i], file);
		if (try_write(path, value))
			check(false, "%s: no fault injection", path);
	}
}

static void prepare_faults(void)
{
	fault("verbose", "0");
	fault("ignore-gfp-wait", "0");
	write_file(FAULTS "fail_page_alloc/min-order", "0");
	fault("interval", "1");
	fault("times", "-1");
	fault("stacktrace-depth", "32");
}

/*
 * Write the disksize while the n-th allocation of it fails. Returns false if
 * there are not so many.
 */
static bool fail_nth(const char *alg, unsigned int n)
{
	char text[32];
	int nth = open("/proc/thread-self/fail-nth", O_RDWR), fd, err = 0;
	bool happened;

	reset_device();
	set("comp_algorithm", "seqlz");
	set("recomp_algorithm", "algo=seqlz priority=1");
	set("algorithm_params", "algo=seqlz level=%s", alg);
	fd = open(ZRAM "disksize", O_WRONLY);
	snprintf(text, sizeof(text), "%u", n);
	if (nth < 0 || fd < 0 || write(nth, text, strlen(text)) < 0)
		check(false, "fail-nth cannot be set");
	if (write(fd, DISKSIZE, strlen(DISKSIZE)) < 0)
		err = errno;
	happened = pread(nth, text, sizeof(text) - 1, 0) > 0 && atoi(text) == 0;
	write(nth, "0", 1);
	close(nth);
	close(fd);
	if (!happened)
		check(!err, "level %s: error %d without a fault", alg, err);
	else
		check(!err || err == ENOMEM, "level %s, allocation %u: error %d",
		      alg, n, err);
	check(number(ZRAM "initstate", 0) == !err, "level %s, allocation %u: state",
	      alg, n);
	return happened;
}

/* KiB that the kernel holds for itself and does not give back. */
static unsigned long long kernel_memory(void)
{
	static const char * const keys[] = { "SUnreclaim:", "VmallocUsed:", "Percpu:" };
	unsigned long long sum = 0, n;
	char text[2048], *p;
	unsigned int i;

	read_file("/proc/meminfo", text, sizeof(text));
	for (i = 0; i < 3; i++) {
		p = strstr(text, keys[i]);
		if (p && sscanf(p + strlen(keys[i]), "%llu", &n) == 1)
			sum += n;
	}
	return sum;
}

static unsigned int fail_each(const char *level)
{
	unsigned int n = 1;

	while (n < 500 && fail_nth(level, n))
		n++;
	return n - 1;
}

static void test_setup_faults(void)
{
	static const char * const levels[] = { "1", "2", "3", "4" };
	unsigned long long before, after;
	unsigned int i, n, sum = 0;

	prepare_faults();
	fail_each("2");
	reset_device();
	before = kernel_memory();
	for (i = 0; i < 16; i++) {
		n = fail_each(levels[i % 4]);
		sum += n;
		check(n >= 10 && n < 499, "level %s: %u allocations failed",
		      levels[i % 4], n);
	}
	check(!init_device("seqlz"), "no device after the faults");
	check(write_device(5) && device_holds(5), "other pages after the faults");
	reset_device();
	after = kernel_memory();
	print("progress", "%u allocations failed; the kernel had %llu KiB before and %llu after",
	      sum, before, after);
	/* One compression context of each round would be more than this. */
	check(after < before + 1024, "%llu KiB before, %llu after: a leak?",
	      before, after);
}

/* The addresses of a function of the kernel, in a list that is sorted. */
static bool function_range(const char *name, unsigned long long range[2])
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	char type, symbol[256];

	range[0] = range[1] = 0;
	while (f && fscanf(f, "%llx %c %255s%*[^\n]", &address, &type, symbol) == 3) {
		if (!strcmp(symbol, name) && strchr("tT", type))
			range[0] = address;
		else if (range[0] && !range[1] && address > range[0])
			range[1] = address;
	}
	if (f)
		fclose(f);
	return check(range[0] && range[1], "there is no function %s", name);
}

static void fail_inside(const char *name)
{
	unsigned long long range[2] = {};
	char text[32];

	/* First, because half a range could be everywhere. */
	fault("probability", "0");
	if (!name || !function_range(name, range))
		return;
	snprintf(text, sizeof(text), "%#llx", range[0]);
	fault("require-start", text);
	snprintf(text, sizeof(text), "%#llx", range[1]);
	fault("require-end", text);
	fault("times", "1000000");
	fault("probability", "100");
}

static unsigned long long hits(void)
{
	unsigned long long n = 2000000 - number(FAULTS "failslab/times", 0) -
			       number(FAULTS "fail_page_alloc/times", 0);

	fail_inside(NULL);
	return n;
}

/*
 * No allocation while a page is compressed or decompressed; functions that do
 * allocate show that one would have been seen.
 */
static void test_no_allocation(void)
{
	static const char * const levels[] = { "seqlz:1", "seqlz:2", "seqlz:3", "seqlz:4" };
	unsigned int i;

	prepare_faults();
	reset_device();
	set("comp_algorithm", "seqlz");
	fail_inside("seqlz_create");
	check(set("disksize", DISKSIZE) == ENOMEM, "seqlz_create() did not fail");
	check(hits() > 0, "no hit in seqlz_create()");
	check(!init_device("seqlz"), "no device");
	fail_inside("zs_malloc");
	write_device(1);
	check(hits() > 0, "no hit in zs_malloc()");
	for (i = 0; i < 4; i++) {
		check(!init_device(levels[i]), "no device");
		fail_inside("seqlz_zcompress");
		check(write_device(i), "%s: write failed", levels[i]);
		check(hits() == 0, "%s: an allocation in compression", levels[i]);
		fail_inside("seqlz_zdecompress");
		check(device_holds(i), "%s: other pages", levels[i]);
		check(hits() == 0, "%s: an allocation in decompression", levels[i]);
	}
}

static int load_samples(void)
{
	struct stat st;
	int fd = open("/pages", O_RDONLY);

	if (fd < 0 || fstat(fd, &st) || st.st_size < PAGE)
		return -1;
	samples.data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	samples.count = st.st_size / PAGE;
	return samples.data == MAP_FAILED ? -1 : 0;
}

static const struct {
	const char *name;
	void (*run)(void);
	/* It makes allocations fail, of which the kernel tells. */
	bool inject;
} groups[] = {
	{ "primary", test_primary },
	{ "params", test_params },
	{ "change", test_change_after_params },
	{ "reset", test_reset },
	{ "recompress", test_recompress },
	{ "chain", test_recompress_chain },
	{ "hotplug", test_hotplug_races },
	{ "races", test_reset_races },
	{ "overwrites", test_overwrites },
	{ "writeback", test_writeback },
	{ "faults", test_setup_faults, true },
	{ "noalloc", test_no_allocation, true },
};

int main(void)
{
	const char *only = getenv("roles_only");
	unsigned int i, before, bad;
	double begun;

	start();
	if (page_size != PAGE || load_samples()) {
		print("fail", "there are no pages of %ld bytes in /pages", page_size);
		return finish();
	}
	for (i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		if (only && !strstr(only, groups[i].name))
			continue;
		before = passed;
		bad = failed;
		begun = now();
		if (groups[i].inject)
			print("inject", "begin");
		groups[i].run();
		if (groups[i].inject)
			print("inject", "end");
		print("group", "%s: %u passed, %u failed, %.0f s", groups[i].name,
		      passed - before, failed - bad, now() - begun);
	}
	reset_device();
	print("roles", "passed=%u failed=%u groups=%u", passed, failed, i);
	return finish();
}
