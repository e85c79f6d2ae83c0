// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* every page comes back, from the same bytes in every build */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "test.h"

static u64 hashes[SEQLZ_LEVEL_MAX + 1];
static unsigned long long total[SEQLZ_LEVEL_MAX + 1];

/* FNV-1a, the length first, so that moved borders between objects show */
void hash_output(int level, const u8 *obj, size_t len)
{
	u64 h = hashes[level] ^ len;

	for (size_t i = 0; i < len; i++)
		h = (h ^ obj[i]) * 0x100000001b3u;
	hashes[level] = h * 0x100000001b3u;
	total[level] += len;
}

static void print_hashes(const char *what)
{
	for_each_level(level)
		printf("hash %zuk %s level %d %016" PRIx64 " %llu bytes\n", PAGE_SIZE / 1024,
		       what, level, hashes[level], total[level]);
}

static void test_sample(void)
{
	for (size_t i = 0; i < sample_pages; i++) {
		at("sample page %zu", i);
		for_each_level(level)
			round_trip(sample + i * PAGE_SIZE, level);
	}
	at("whole sample");
	for (int level = SEQLZ_LEVEL_MIN + 1; level <= SEQLZ_LEVEL_MAX; level++)
		check(total[level] <= total[level - 1], "level %d stores more than level %d", level,
		      level - 1);
	print_hashes("sample");
}

static void test_made_pages(void)
{
	static u8 page[PAGE_SIZE];

	for (size_t k = 0; k < nr_page_kinds; k++) {
		for (unsigned int v = 0; v < page_kinds[k].variants; v++) {
			page_kinds[k].make(page, v);
			at("%s %u", page_kinds[k].name, v);
			for_each_level(level)
				round_trip(page, level);
		}
	}
	print_hashes("made");
}

/*
 * Sequences at the borders of every length and offset class a format can have:
 * fresh bytes, then a copy. Fresh bytes are random over many values or few, so
 * that literals are stored in every way.
 */
struct sequence_writer {
	u8 page[PAGE_SIZE];
	size_t pos;
	unsigned int values;	/* of fresh bytes */
	unsigned long pages;
};

static void page_done(struct sequence_writer *w)
{
	at("sequence page %lu", w->pages);
	for_each_level(level)
		round_trip(w->page, level);
	w->pages++;
	w->pos = 0;
	w->values = w->pages % 3 == 0 ? 256 : w->pages % 3 == 1 ? 12 : 60;
}

static void put_byte(struct sequence_writer *w, u8 byte)
{
	w->page[w->pos++] = byte;
	if (w->pos == PAGE_SIZE)
		page_done(w);
}

static void put_sequence(struct sequence_writer *w, size_t literals, size_t match, size_t offset)
{
	while (literals--)
		put_byte(w, (u8)rnd_below(w->values));
	while (w->pos < offset)
		put_byte(w, (u8)rnd_below(w->values));
	for (; match && w->pos >= offset; match--)
		put_byte(w, w->page[w->pos - offset]);
}

static const u32 border_literals[] = {
	0, 1, 2, 3, 4, 6, 7, 8, 9, 12, 14, 15, 16, 17, 18, 31, 32, 33, 63, 64, 65, 127, 128, 129,
	255, 256, 257, 319, 320, 321, 511, 512, 513, 1023, 1024, 1025,
};

static const u32 border_matches[] = {
	2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 24, 31, 32, 33, 34, 35, 36,
	47, 48, 63, 64, 65, 66, 67, 68, 95, 96, 127, 128, 129, 130, 131, 132, 255, 256, 257, 258,
	259, 260, 511, 512, 513, 514, 515, 516, 1023, 1024, 1025, 2047, 2048, 2049,
};

static const u32 border_offsets[] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 24, 28, 31, 32, 33, 40,
	48, 56, 63, 64, 65, 72, 80, 96, 112, 127, 128, 129, 192, 255, 256, 257, 264, 320, 384, 511,
	512, 513, 520, 640, 768, 1023, 1024, 1025, 1032, 1536, 2047, 2048, 2049, 2056, 3000, 3072,
	3500, 3900, 4000, 4080, 4088, 4090, 4095, 4096, 4097, 8191, 8192, 8193, 12288, 16000,
	16383, 16384, 16385, 32767, 32768, 32769, 49152, 65000, 65528,
};

static void test_sequences(void)
{
	static struct sequence_writer w = { .values = 256 };
	u32 skip = quick ? 40 : 8;

	for (size_t o = 0; o < ARRAY_SIZE(border_offsets); o++) {
		if (border_offsets[o] >= PAGE_SIZE)
			break;
		for (size_t m = 0; m < ARRAY_SIZE(border_matches); m++) {
			for (size_t l = 0; l < ARRAY_SIZE(border_literals); l++) {
				if (rnd_below(skip) == 0)
					put_sequence(&w, border_literals[l], border_matches[m],
						     border_offsets[o]);
			}
		}
	}
	while (w.pos)
		put_byte(&w, 0);
	print_hashes(quick ? "sequences-quick" : "sequences");
}

/* a match that ends, and literals that end, at every place near the page's end */
static void test_page_end(void)
{
	static u8 page[PAGE_SIZE];

	for (size_t match = 0; match < 80; match++) {
		for (size_t tail = 0; tail < 40; tail += 1 + rnd_below(3 * PAGE_SIZE / 4096)) {
			size_t to = PAGE_SIZE - tail - match;

			rnd_fill(page, PAGE_SIZE);
			if (tail & 1)
				memset(page, 0, PAGE_SIZE / 2);
			memcpy(page + to, page + PAGE_SIZE / 2 + tail, match);
			at("match of %zu, %zu bytes before the end", match, tail);
			for_each_level(level)
				round_trip(page, level);
		}
	}
	print_hashes("page-end");
}

static void compress_twice(const u8 *page, const char *name)
{
	static u8 obj[DST_MAX];

	for_each_level(level) {
		size_t len = must_compress(page, obj, level);

		/* a different page, so that other work memory is left behind */
		must_compress(sample, (u8[DST_MAX]){ 0 }, level);
		for (int i = 0; i < 4; i++) {
			int ret = try_compress(page, DST_MAX + i * 3, level);

			at("%s, level %d", name, level);
			check(ret == (int)len && memcmp(compressed, obj, len) == 0,
			      "other bytes in call %d", i + 2);
		}
	}
}

static void test_same_bytes(void)
{
	for_some_pages(compress_twice);
}

const struct test roundtrip_tests[] = {
	{ "every sample page comes back", test_sample },
	{ "every made up page comes back", test_made_pages },
	{ "sequences at the borders of lengths and offsets", test_sequences },
	{ "sequences at the end of the page", test_page_end },
	{ "the same bytes whatever the work memory held", test_same_bytes },
	{ }
};
