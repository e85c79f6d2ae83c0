// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz stat|verify [-p 4k|16k|64k] [-l LEVEL] FILE...
 *
 * stat prints the mean compressed bytes of the pages in each file, verify
 * compresses and decompresses each page and compares. Files are pages one after
 * the other, or such files compressed by zstd (*.zst). The codec is that of the
 * shared libraries beside this program; lz4 and zstd stand beside it in the
 * table of stat where the machine has their libraries.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/seqlz.h>

struct codec {
	size_t (*workmem_size)(int level);
	int (*compress)(const void *src, void *dst, size_t dst_len, void *workmem, int level);
	int (*decompress)(const void *src, size_t src_len, void *dst);
	int (*lz4)(const char *src, char *dst, int src_len, int dst_len);
	size_t (*zstd)(void *dst, size_t dst_len, const void *src, size_t src_len, int level);
};

static struct codec codec;
static size_t page_size = 4096;
static int min_level = SEQLZ_LEVEL_MIN, max_level = SEQLZ_LEVEL_MAX;

static void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

static void die(const char *fmt, ...)
{
	va_list ap;

	fputs("seqlz: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

static void *symbol(void *lib, const char *name)
{
	void *sym = dlsym(lib, name);

	if (!sym)
		die("the library has no %s: run make -C tools/seqlz", name);
	return sym;
}

static void load_codec(const char *size)
{
	char name[32];
	void *lib;

	snprintf(name, sizeof(name), "libseqlz-%s.so", size);
	lib = dlopen(name, RTLD_NOW);
	if (!lib)
		die("%s is not beside this program: run make -C tools/seqlz", name);
	codec.workmem_size = symbol(lib, "seqlz_workmem_size");
	codec.compress = symbol(lib, "seqlz_compress");
	codec.decompress = symbol(lib, "seqlz_decompress");

	lib = dlopen("liblz4.so.1", RTLD_NOW);
	if (lib)
		codec.lz4 = symbol(lib, "LZ4_compress_default");
	lib = dlopen("libzstd.so.1", RTLD_NOW);
	if (lib)
		codec.zstd = symbol(lib, "ZSTD_compress");
}

static void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size);

	if (!p)
		die("no memory for %zu bytes: give fewer pages at a time", size);
	return p;
}

static unsigned char *read_all(FILE *f, size_t *len)
{
	size_t room = 0, n;
	unsigned char *buf = NULL;

	*len = 0;
	do {
		if (*len == room) {
			room = room ? 2 * room : 1 << 20;
			buf = xrealloc(buf, room);
		}
		n = fread(buf + *len, 1, room - *len, f);
		*len += n;
	} while (n);
	return buf;
}

/* what zstd makes of a file; no shell sees its name */
static unsigned char *unpack(const char *path, size_t *len)
{
	unsigned char *buf;
	int fds[2], status;
	pid_t pid;
	FILE *f;

	if (pipe(fds))
		die("cannot make a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		die("cannot start zstd: %s", strerror(errno));
	if (pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		close(fds[0]);
		close(fds[1]);
		freopen("/dev/null", "w", stderr);
		execlp("zstd", "zstd", "-dcq", "--", path, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	f = fdopen(fds[0], "rb");
	if (!f)
		die("cannot read from zstd: %s", strerror(errno));
	buf = read_all(f, len);
	fclose(f);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status)) {
		if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
			die("zstd is not installed: unpack %s yourself", path);
		die("zstd cannot unpack %s: is it complete?", path);
	}
	return buf;
}

static unsigned char *read_pages(const char *path, size_t *pages)
{
	const char *end = strrchr(path, '.');
	unsigned char *buf;
	struct stat st;
	size_t len;
	FILE *f = fopen(path, "rb");

	if (!f)
		die("cannot read %s: %s", path, strerror(errno));
	if (fstat(fileno(f), &st) || S_ISDIR(st.st_mode))
		die("%s is a directory: name files of pages", path);
	buf = end && strcmp(end, ".zst") == 0 ? unpack(path, &len) : read_all(f, &len);
	fclose(f);
	if (!len)
		die("%s is empty: give a file of pages of %zu bytes", path, page_size);
	if (len % page_size)
		die("%s has %zu bytes, not a multiple of %zu: give whole pages, or another -p",
		    path, len, page_size);
	*pages = len / page_size;
	return buf;
}

struct buffers {
	unsigned char *obj;
	unsigned char *page;
	void *work;
};

static size_t compress_page(const struct buffers *b, const unsigned char *page, int level)
{
	int ret = codec.compress(page, b->obj, 2 * page_size, b->work, level);

	if (ret <= 0)
		die("level %d cannot compress a page: error %d", level, ret);
	return ret;
}

static void print_mean(size_t bytes, size_t pages)
{
	printf(" %8.1f", (double)bytes / pages);
}

static void stat_file(const struct buffers *b, const char *path)
{
	size_t pages, bytes;
	unsigned char *buf = read_pages(path, &pages);
	const char *name = strrchr(path, '/');

	printf("%-28s %7zu", name ? name + 1 : path, pages);
	for (int level = min_level; level <= max_level; level++) {
		bytes = 0;
		for (size_t i = 0; i < pages; i++)
			bytes += compress_page(b, buf + i * page_size, level);
		print_mean(bytes, pages);
	}
	bytes = 0;
	for (size_t i = 0; codec.lz4 && i < pages; i++)
		bytes += codec.lz4((char *)buf + i * page_size, (char *)b->obj, page_size,
				   2 * page_size);
	if (codec.lz4)
		print_mean(bytes, pages);
	bytes = 0;
	for (size_t i = 0; codec.zstd && i < pages; i++)
		bytes += codec.zstd(b->obj, 2 * page_size, buf + i * page_size, page_size, 3);
	if (codec.zstd)
		print_mean(bytes, pages);
	printf("\n");
	free(buf);
}

static void stat_head(void)
{
	printf("%-28s %7s", "mean bytes a page", "pages");
	for (int level = min_level; level <= max_level; level++)
		printf("  seqlz:%d", level);
	printf("%s%s\n", codec.lz4 ? "      lz4" : "", codec.zstd ? "   zstd:3" : "");
}

/* the number of pages that came back different, at any level */
static size_t verify_file(const struct buffers *b, const char *path)
{
	size_t pages, bad = 0;
	unsigned char *buf = read_pages(path, &pages);

	for (int level = min_level; level <= max_level; level++) {
		for (size_t i = 0; i < pages; i++) {
			const unsigned char *page = buf + i * page_size;
			size_t len = compress_page(b, page, level);

			memset(b->page, 0xa5, page_size);
			if (codec.decompress(b->obj, len, b->page) ||
			    memcmp(b->page, page, page_size)) {
				printf("%s: page %zu came back different at level %d\n", path, i,
				       level);
				bad++;
			}
		}
	}
	printf("%s: %zu pages, levels %d to %d, %zu came back different\n", path, pages,
	       min_level, max_level, bad);
	free(buf);
	return bad;
}

static void parse_level(const char *arg)
{
	char *end;
	long level = strtol(arg, &end, 10);

	if (end == arg || *end || level < SEQLZ_LEVEL_MIN || level > SEQLZ_LEVEL_MAX)
		die("there is no level '%s': use %d to %d", arg, SEQLZ_LEVEL_MIN, SEQLZ_LEVEL_MAX);
	min_level = max_level = (int)level;
}

static const char *parse_options(int argc, char **argv)
{
	const char *size = "4k";
	int opt;

	opterr = 0;
	while ((opt = getopt(argc, argv, "p:l:")) != -1) {
		if (opt == 'p')
			size = optarg;
		else if (opt == 'l')
			parse_level(optarg);
		else
			die("'%s' is no option, or lacks its value: -p 4k|16k|64k, -l LEVEL",
			    argv[optind - 1]);
	}
	if (strcmp(size, "4k") == 0)
		page_size = 4096;
	else if (strcmp(size, "16k") == 0)
		page_size = 16384;
	else if (strcmp(size, "64k") == 0)
		page_size = 65536;
	else
		die("there is no page size '%s': use 4k, 16k or 64k", size);
	return size;
}

int main(int argc, char **argv)
{
	struct buffers b;
	bool verify;
	size_t bad = 0, work_size = 0;

	if (argc < 2 || (strcmp(argv[1], "stat") && strcmp(argv[1], "verify")))
		die("usage: seqlz stat|verify [-p 4k|16k|64k] [-l LEVEL] FILE...");
	verify = strcmp(argv[1], "verify") == 0;
	load_codec(parse_options(argc - 1, argv + 1));
	if (optind == argc - 1)
		die("no file: give files of pages");
	b.obj = xrealloc(NULL, 2 * page_size);
	b.page = xrealloc(NULL, page_size);
	for (int level = min_level; level <= max_level; level++)
		if (codec.workmem_size(level) > work_size)
			work_size = codec.workmem_size(level);
	b.work = xrealloc(NULL, work_size);
	if (!verify)
		stat_head();
	for (int i = optind + 1; i < argc; i++) {
		if (verify)
			bad += verify_file(&b, argv[i]);
		else
			stat_file(&b, argv[i]);
	}
	if (fflush(stdout))
		die("cannot write the result: %s", strerror(errno));
	return bad != 0;
}
