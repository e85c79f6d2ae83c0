/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Unit tests of lib/seqlz in user space: what the test files share.
 *
 * A check that fails ends the process: nothing after the first wrong byte is
 * worth reading, and a stray write may already have changed the tests' own
 * data. The message names the case, so that it can be found again.
 */
#ifndef SEQLZ_TEST_H
#define SEQLZ_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/seqlz.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

#define PAGE_SIZE ((size_t)1 << PAGE_SHIFT)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define for_each_level(level) \
	for (int level = SEQLZ_LEVEL_MIN; level <= SEQLZ_LEVEL_MAX; level++)

/* every page fits in this many bytes */
#define DST_MAX (2 * PAGE_SIZE)

/* what is being tested, for the message of a failed check or a crash */
void at(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void fail(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), noreturn));

#define check(cond, ...)						\
	do {								\
		checks_done++;						\
		if (!(cond))						\
			fail(__FILE__, __LINE__, __VA_ARGS__);		\
	} while (0)

extern unsigned long checks_done;

/* xorshift64*: the same numbers everywhere */
u64 rnd(void);
u32 rnd_below(u32 n);
void rnd_seed(u64 seed);
void rnd_fill(u8 *buf, size_t len);

/*
 * A buffer whose end is an unmapped page, and which begins behind one.
 * guard_end(g, len) is the place of the last @len bytes.
 */
struct guard {
	u8 *end;
	size_t size;
};

void guard_init(struct guard *g, size_t size);
u8 *guard_end(const struct guard *g, size_t len);

/*
 * The codec with its rules checked on each call: guard pages behind the
 * source, the destination and the work memory, and nothing changed in front of
 * the destination. Both return what the codec returned.
 */
int try_compress(const u8 *page, size_t dst_len, int level);
int try_decompress(const u8 *obj, size_t len);
extern const u8 *compressed;	/* by the last try_compress() */
extern const u8 *decompressed;	/* by the last try_decompress() */

/* compress @page into @obj (DST_MAX bytes) and return the length; it must fit */
size_t must_compress(const u8 *page, u8 *obj, int level);
/* compress, decompress, compare */
size_t round_trip(const u8 *page, int level);

/* pages: from the files on the command line, and made up ones */
struct page_kind {
	const char *name;
	void (*make)(u8 *page, unsigned int variant);
	unsigned int variants;
};

extern const struct page_kind page_kinds[];
extern const size_t nr_page_kinds;
extern const u8 *sample;
extern size_t sample_pages;

/* call fn for a few sample pages and for a page of each made up kind */
void for_some_pages(void (*fn)(const u8 *page, const char *name));

/* the compressed bytes of each level, to be compared between builds */
void hash_output(int level, const u8 *obj, size_t len);

extern bool quick;

struct test {
	const char *name;
	void (*run)(void);
};

extern const struct test roundtrip_tests[], bounds_tests[], malformed_tests[], limits_tests[];

#endif
