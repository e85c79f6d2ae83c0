// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* limits of the interface: sizes, levels, alignment, memory */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include "test.h"

/*
 * Either the page fits, and then these are the bytes a large buffer would have
 * got, or the answer is -ENOSPC; it fits from its own length on.
 */
static void check_dst_len(const u8 *page, size_t dst_len, int level, const u8 *obj, size_t len)
{
	int ret = try_compress(page, dst_len, level);

	if (dst_len < len)
		check(ret == -ENOSPC, "level %d: %d for %zu bytes, %zu are needed", level, ret,
		      dst_len, len);
	else
		check(ret == (int)len && memcmp(compressed, obj, len) == 0,
		      "level %d: %d for %zu bytes, %zu are enough", level, ret, dst_len, len);
}

static bool near(size_t a, size_t b)
{
	return a + 20 > b && b + 20 > a;
}

/* each one for a fourth of the 4 KiB pages; otherwise all near the borders, and some */
static void every_dst_len(const u8 *page, const char *name)
{
	static unsigned int pages;
	size_t step = (PAGE_SIZE / 4096) * (PAGE_SIZE / 4096) * (quick || pages++ % 4 ? 29 : 1);
	static u8 obj[DST_MAX];

	(void)name;
	for_each_level(level) {
		size_t len = must_compress(page, obj, level);

		for (size_t dst_len = 0; dst_len <= DST_MAX; dst_len++) {
			if (dst_len % step == 0 || dst_len < 40 || near(dst_len, len) ||
			    near(dst_len, PAGE_SIZE) || near(dst_len, DST_MAX))
				check_dst_len(page, dst_len, level, obj, len);
		}
		check_dst_len(page, 16 * PAGE_SIZE, level, obj, len);
	}
}

static void test_dst_len(void)
{
	for_some_pages(every_dst_len);
}

static void every_alignment(const u8 *page, const char *name)
{
	static u8 src[PAGE_SIZE + 16], out[DST_MAX + 16], obj[DST_MAX], back[PAGE_SIZE + 32];
	static u64 work[(1 << 18) / 8];

	for_each_level(level) {
		size_t len = must_compress(page, obj, level);

		check(seqlz_workmem_size(level) < sizeof(work), "work memory too large");
		for (int i = 0; i < 256; i += PAGE_SIZE > 4096 ? 7 : 1) {
			int a = i & 15, b = i >> 4;
			int ret;

			at("%s, level %d, alignments %d and %d", name, level, a, b);
			memcpy(src + a, page, PAGE_SIZE);
			ret = seqlz_compress(src + a, out + b, DST_MAX, work + (i & 1), level);
			check(ret == (int)len && memcmp(out + b, obj, len) == 0, "other bytes");
			memset(back, 0x5a, sizeof(back));
			check(seqlz_decompress(out + b, len, back + a) == 0, "refused");
			check(memcmp(back + a, page, PAGE_SIZE) == 0, "came back different");
			for (size_t p = a + PAGE_SIZE; p < sizeof(back); p++)
				check(back[p] == 0x5a, "wrote behind the page");
		}
	}
}

static void test_alignment(void)
{
	for_some_pages(every_alignment);
}

static void test_levels(void)
{
	static const int wrong[] = { INT_MIN, -1, 0, SEQLZ_LEVEL_MAX + 1, 1000, INT_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		at("level %d", wrong[i]);
		check(seqlz_workmem_size(wrong[i]) == 0, "has work memory");
		check(try_compress(sample, DST_MAX, wrong[i]) == -EINVAL, "is accepted");
		check(try_compress(sample, 0, wrong[i]) == -EINVAL, "is accepted");
	}
	for_each_level(level) {
		at("level %d", level);
		check(seqlz_workmem_size(level) > 0, "has no work memory");
	}
}

/* the sizes that design and documentation promise */
static void test_workmem_budget(void)
{
	for_each_level(level) {
		size_t limit = level > 2 ? 32768 * (PAGE_SIZE / 4096) :
			       PAGE_SIZE == 4096 ? 12288 : 16416;

		at("level %d", level);
		check(seqlz_workmem_size(level) <= limit, "needs %zu bytes, %zu are allowed",
		      seqlz_workmem_size(level), limit);
	}
}

static void test_incompressible(void)
{
	static u8 page[PAGE_SIZE];

	for (int i = 0; i < (quick ? 50 : 500); i++) {
		rnd_fill(page, PAGE_SIZE);
		at("random page %d", i);
		for_each_level(level) {
			size_t len = round_trip(page, level);

			check(len <= PAGE_SIZE + 64, "level %d: %zu bytes", level, len);
		}
	}
}

const struct test bounds_tests[] = {
	{ "any destination length", test_dst_len },
	{ "source and destination at any alignment", test_alignment },
	{ "levels out of range are refused", test_levels },
	{ "work memory within its budget", test_workmem_budget },
	{ "incompressible pages grow little", test_incompressible },
	{ }
};
