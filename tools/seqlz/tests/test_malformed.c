// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The decoder and inputs that no encoder wrote. try_decompress() checks what
 * holds for all of them: nothing read or written outside, -EBADMSG or success,
 * and after success a page of which every byte was written.
 */
#include <errno.h>
#include <string.h>
#include "test.h"

/* every byte of a 4 KiB page's object; of longer ones all near the ends, and as many */
static size_t next_place(size_t i, size_t len)
{
	size_t step = (PAGE_SIZE / 4096) * (PAGE_SIZE / 4096) * (quick ? 11 : 1);

	return i + (i < 64 || i + 64 > len ? 1 : step);
}

/* an object that lost bytes at its end, or got more, is none */
static void check_other_length(const u8 *obj, size_t len)
{
	check(try_decompress(obj, len) == -EBADMSG, "%zu bytes are accepted", len);
}

static void truncate_everywhere(const u8 *page, const char *name)
{
	static u8 obj[DST_MAX];

	for_each_level(level) {
		size_t len = must_compress(page, obj, level);

		at("%s, level %d, truncated", name, level);
		for (size_t cut = 0; cut < len; cut = next_place(cut, len))
			check_other_length(obj, cut);
	}
}

static void test_truncated(void)
{
	for_some_pages(truncate_everywhere);
}

static void extend(const u8 *page, const char *name)
{
	static u8 obj[16 * PAGE_SIZE];

	for_each_level(level) {
		size_t len = must_compress(page, obj, level);

		at("%s, level %d, with more bytes at its end", name, level);
		for (int byte = 0; byte < 256; byte += quick ? 15 : 1) {
			memset(obj + len, byte, 64);
			for (size_t more = 1; more <= 64; more += 1 + more / 4)
				check_other_length(obj, len + more);
		}
		rnd_fill(obj + len, sizeof(obj) - len);
		check_other_length(obj, sizeof(obj));
	}
}

static void test_extended(void)
{
	for_some_pages(extend);
}

static void flip_bits(const u8 *page, const char *name)
{
	static u8 obj[DST_MAX];

	for_each_level(level) {
		size_t len = must_compress(page, obj, level);

		for (size_t i = 0; i < len; i = next_place(i, len)) {
			at("%s, level %d, bit flips in byte %zu", name, level, i);
			for (int bit = 0; bit < 8; bit++) {
				obj[i] ^= (u8)(1 << bit);
				try_decompress(obj, len);
				obj[i] ^= (u8)(1 << bit);
			}
		}
	}
}

static void test_bit_flips(void)
{
	for_some_pages(flip_bits);
}

/* several changes at once, as a fuzzer makes them; also where there is none */
static void mutate(const u8 *page, const char *name)
{
	static u8 obj[DST_MAX], changed[DST_MAX];
	int rounds = (quick ? 400 : 6000) / (int)(PAGE_SIZE / 4096);

	for_each_level(level) {
		size_t len = must_compress(page, obj, level);

		for (int i = 0; i < rounds; i++) {
			size_t n = len;

			at("%s, level %d, mutation %d", name, level, i);
			memcpy(changed, obj, len);
			for (u32 k = rnd_below(6) + 1; k > 0; k--) {
				/* headers matter most */
				size_t pos = rnd_below(rnd_below(2) ? (u32)len : 1 + (u32)len / 32);

				changed[pos] = (u8)(rnd_below(2) ? rnd() : 0 - rnd_below(2));
			}
			if (rnd_below(4) == 0)
				n = rnd_below((u32)len + 1);
			try_decompress(changed, n);
		}
	}
}

static void test_mutations(void)
{
	for_some_pages(mutate);
}

static void test_short_inputs(void)
{
	u8 obj[300];

	at("no bytes");
	check(try_decompress(obj, 0) == -EBADMSG, "accepted");
	for (u32 first = 0; first < 256; first++) {
		at("first byte %#x", first);
		obj[0] = (u8)first;
		try_decompress(obj, 1);
		for (u32 second = 0; second < 256; second++) {
			obj[1] = (u8)second;
			try_decompress(obj, 2);
			for (int fill = 0; fill < 256; fill += 255) {
				memset(obj + 2, fill, sizeof(obj) - 2);
				for (size_t len = 3; len < (quick ? 8 : 20); len++)
					try_decompress(obj, len);
			}
		}
		for (size_t len = 1; len < sizeof(obj); len++) {
			rnd_fill(obj + 1, len - 1);
			try_decompress(obj, len);
		}
	}
}

static void test_garbage(void)
{
	static u8 obj[16 * PAGE_SIZE];
	int rounds = (quick ? 2000 : 30000) / (int)(PAGE_SIZE / 4096);

	for (int i = 0; i < rounds; i++) {
		size_t len = rnd_below(i % 64 ? PAGE_SIZE + PAGE_SIZE / 8 : sizeof(obj));

		at("random input %d of %zu bytes", i, len);
		if (i & 1)
			rnd_fill(obj, len);
		else
			memset(obj, (int)rnd(), len);
		for (u32 k = rnd_below(12); k > 0 && len; k--)
			obj[rnd_below(len < 32 ? (u32)len : 32)] = (u8)rnd();
		try_decompress(obj, len);
	}
}

/*
 * Bits that fill up a byte must be zero, and streams must meet: else a page would
 * have objects that no encoder writes. They are looked for in pages of letters of
 * which no three come a second time, and then copies of all of them.
 */
static void make_letters(u8 *page, size_t period)
{
	static const u8 letters[12] = " etaoinsrhdl";
	bool seen[12][12][12] = { 0 };
	u32 a = 0, b = 0;

	for (size_t i = 0; i < PAGE_SIZE; i++) {
		u32 c = rnd_below(12);

		if (i >= period) {
			page[i] = page[i - period];
			continue;
		}
		for (u32 tries = 0; tries < 12 && seen[a][b][c]; tries++)
			c = (c + 1) % 12;
		seen[a][b][c] = true;
		page[i] = letters[c];
		a = b;
		b = c;
	}
}

static void check_other_page(const u8 *obj, size_t len, const u8 *page)
{
	check(try_decompress(obj, len) || memcmp(decompressed, page, PAGE_SIZE),
	      "another object holds the same page");
}

/* where the head of the last block is; those before have their lengths in front */
static size_t last_head(const u8 *obj)
{
	const size_t block = PAGE_SIZE < 16384 ? 4096 : 16384;
	size_t head = 0;

	for (size_t left = PAGE_SIZE; left > block; left -= block)
		head += 2 + (obj[head] | (size_t)obj[head + 1] << 8);
	return head;
}

/*
 * In the last block, but not the choice of tables, which is in the first byte, and
 * not the end of the sequences before the last byte: what they copy can stand in
 * several places.
 */
static void flip_last_block(u8 *obj, size_t len, const u8 *page)
{
	for (size_t i = last_head(obj) + 1; i < len; i++) {
		if (i + 5 > len && i + 1 < len)
			continue;
		for (int bit = 0; bit < 8; bit++) {
			obj[i] ^= (u8)(1 << bit);
			check_other_page(obj, len, page);
			obj[i] ^= (u8)(1 << bit);
		}
	}
}

/* a zero byte between others, which a size or a count near the head allows for */
static void insert_zero(const u8 *obj, size_t len, const u8 *page)
{
	static u8 longer[DST_MAX + 1];
	size_t head = last_head(obj);

	for (size_t i = head + 1; i <= len; i++) {
		memcpy(longer, obj, i);
		longer[i] = 0;
		memcpy(longer + i + 1, obj + i, len - i);
		for (size_t k = head + 1; k < head + 10 && k < i; k++) {
			longer[k]++;
			check_other_page(longer, len + 1, page);
			longer[k]--;
		}
	}
}

static void test_other_objects(void)
{
	static u8 page[PAGE_SIZE], obj[DST_MAX];

	for (size_t period = 20; period < 320; period += quick && period > 48 ? 23 : 3) {
		make_letters(page, period);
		for_each_level(level) {
			size_t len = must_compress(page, obj, level);

			at("%zu letters, level %d", period, level);
			flip_last_block(obj, len, page);
			insert_zero(obj, len, page);
		}
	}
}

const struct test malformed_tests[] = {
	{ "truncated at every byte", test_truncated },
	{ "longer than written", test_extended },
	{ "single bit flips", test_bit_flips },
	{ "mutated objects", test_mutations },
	{ "short inputs", test_short_inputs },
	{ "random inputs", test_garbage },
	{ "no other object holds the same page", test_other_objects },
	{ }
};
