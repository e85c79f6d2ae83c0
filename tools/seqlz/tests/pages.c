// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* made up pages, each kind with variants */
#include <stdio.h>
#include <string.h>
#include "test.h"

/*
 * Two random numbers never are in one expression: which comes first there is the
 * compiler's choice, and the pages must be the same in all builds.
 */
static u64 rnd_state;

void rnd_seed(u64 seed)
{
	rnd_state = seed * 0x9e3779b97f4a7c15u + 1;
}

u64 rnd(void)
{
	rnd_state ^= rnd_state >> 12;
	rnd_state ^= rnd_state << 25;
	rnd_state ^= rnd_state >> 27;
	return rnd_state * 0x2545f4914f6cdd1du;
}

u32 rnd_below(u32 n)
{
	return (u32)(((rnd() >> 32) * n) >> 32);
}

void rnd_fill(u8 *buf, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf[i] = (u8)(rnd() >> 56);
}

/* little-endian on every machine, as the hashes are compared between them */
static void put_le(u8 *p, u64 value, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		p[i] = (u8)(value >> (8 * i));
}

static void make_filled(u8 *page, unsigned int variant)
{
	static const u8 fill[] = { 0x00, 0x01, 0x20, 0x7f, 0x80, 0xff };

	memset(page, fill[variant], PAGE_SIZE);
}

static void make_random(u8 *page, unsigned int variant)
{
	(void)variant;
	rnd_fill(page, PAGE_SIZE);
}

/* random bytes of few values: worth coding, without matches */
static void make_skewed(u8 *page, unsigned int variant)
{
	for (size_t i = 0; i < PAGE_SIZE; i++)
		page[i] = (u8)rnd_below(1 + rnd_below(2u << variant));
}

/* random but for a few copies */
static void make_nearly_random(u8 *page, unsigned int variant)
{
	rnd_fill(page, PAGE_SIZE);
	for (unsigned int i = 0; i <= variant; i++) {
		u32 len = 4 + rnd_below(60);
		u32 from = rnd_below(PAGE_SIZE - len);
		u32 to = rnd_below(PAGE_SIZE - len);

		memmove(page + to, page + from, len);
	}
}

static void make_period(u8 *page, unsigned int variant)
{
	size_t period = variant + 1;

	rnd_fill(page, period);
	for (size_t i = period; i < PAGE_SIZE; i++)
		page[i] = page[i - period];
}

/* a periodic page with bytes changed in a few places */
static void make_broken_period(u8 *page, unsigned int variant)
{
	make_period(page, variant);
	for (unsigned int i = rnd_below(20); i > 0; i--) {
		u32 pos = rnd_below(PAGE_SIZE);

		page[pos] ^= (u8)(1 + rnd_below(255));
	}
}

/* one byte that differs, near the borders and across the page */
static void make_one_byte(u8 *page, unsigned int variant)
{
	size_t pos = variant < 32 ? variant : variant < 64 ? PAGE_SIZE - (variant - 31) :
		     rnd_below(PAGE_SIZE);

	memset(page, 0, PAGE_SIZE);
	page[pos] = 0xa5;
}

static void make_zero_noise(u8 *page, unsigned int variant)
{
	memset(page, 0, PAGE_SIZE);
	for (size_t i = PAGE_SIZE >> (9 - variant); i > 0; i--) {
		u32 pos = rnd_below(PAGE_SIZE);

		page[pos] = (u8)rnd();
	}
}

static void make_pointers(u8 *page, unsigned int variant)
{
	u64 base = 0x7f3a00000000u + ((u64)rnd_below(1u << 30) << 4);

	for (size_t i = 0; i < PAGE_SIZE; i += 8)
		put_le(page + i, rnd_below(4) ? base + rnd_below(1u << (8 + variant)) * 16 : 0, 8);
}

static void make_structs(u8 *page, unsigned int variant)
{
	size_t size = 12 + 4 * variant;

	for (size_t i = 0, n = 0; i < PAGE_SIZE; i += size, n++) {
		u8 record[64] = { 0 };

		put_le(record, 0x100 + n, 4);
		put_le(record + 4, rnd_below(200), 4);
		put_le(record + size - 4, 0xdeadbe00 + rnd_below(3), 4);
		memcpy(page + i, record, PAGE_SIZE - i < size ? PAGE_SIZE - i : size);
	}
}

static void make_text(u8 *page, unsigned int variant)
{
	static const char *const words[] = {
		"page ", "swap ", "the ", "memory ", "of ", "compress", "ion ", "a\n",
		"{\"id\": ", "null, ", "\"name\": ", "}\n", "0.", "1024", "static ", "int ",
	};
	size_t pos = 0;

	while (pos < PAGE_SIZE) {
		const char *word = words[rnd_below(4 + 4 * variant)];
		size_t len = strlen(word);

		if (len > PAGE_SIZE - pos)
			len = PAGE_SIZE - pos;
		memcpy(page + pos, word, len);
		pos += len;
	}
}

static void make_ascending(u8 *page, unsigned int variant)
{
	unsigned int bytes = 1u << (variant & 3);
	u64 step = variant < 4 ? 1 : 0x10f;

	for (size_t i = 0; i < PAGE_SIZE; i += bytes)
		put_le(page + i, (i / bytes) * step, bytes);
}

static void make_float_walk(u8 *page, unsigned int variant)
{
	u64 value = 0x4059000000000000u;

	for (size_t i = 0; i < PAGE_SIZE; i += 8) {
		value += rnd_below(1u << 30) << variant;
		put_le(page + i, value, 8);
	}
}

static void make_utf16(u8 *page, unsigned int variant)
{
	make_text(page, variant);
	memmove(page + PAGE_SIZE / 2, page, PAGE_SIZE / 2);
	for (size_t i = 0; i < PAGE_SIZE / 2; i++)
		put_le(page + 2 * i, page[PAGE_SIZE / 2 + i], 2);
}

/* the second half repeats the first, which is random: the farthest offset */
static void make_far_copy(u8 *page, unsigned int variant)
{
	size_t half = PAGE_SIZE / 2 + variant;

	rnd_fill(page, half);
	memcpy(page + half, page, PAGE_SIZE - half);
}

/* halves of different nature, as slabs and stacks have them */
static void make_mixed(u8 *page, unsigned int variant)
{
	size_t cut = rnd_below(PAGE_SIZE);

	make_text(page, variant);
	if (variant & 1)
		rnd_fill(page + cut, PAGE_SIZE - cut);
	else
		memset(page, 0, cut);
}

/* text first, then noise with some repeats: the beginning says little of the rest */
static void make_noise_behind_text(u8 *page, unsigned int variant)
{
	size_t start = PAGE_SIZE / 4 + 104;

	make_text(page, variant & 3);
	rnd_fill(page + start, PAGE_SIZE - start);
	for (unsigned int i = 0; i < variant * PAGE_SIZE / 4096; i++) {
		u32 from = rnd_below(200);
		u32 to = 300 + rnd_below(PAGE_SIZE - start - 340);

		memcpy(page + start + to, page + start + from, 40);
	}
}

/* more short matches than a block may have sequences, a random byte before each */
static void make_short_matches(u8 *page, unsigned int variant)
{
	size_t fresh = 256, len = 4 + variant;

	rnd_fill(page, PAGE_SIZE);
	for (size_t i = fresh; i + len < PAGE_SIZE; i += len + 1)
		memcpy(page + i + 1, page + rnd_below(fresh - (u32)len), len);
}

const struct page_kind page_kinds[] = {
	{ "filled", make_filled, 6 },
	{ "random", make_random, 4 },
	{ "skewed", make_skewed, 7 },
	{ "nearly random", make_nearly_random, 12 },
	{ "period", make_period, 64 },
	{ "broken period", make_broken_period, 64 },
	{ "one byte", make_one_byte, 96 },
	{ "zero with noise", make_zero_noise, 9 },
	{ "pointers", make_pointers, 12 },
	{ "structs", make_structs, 12 },
	{ "text", make_text, 4 },
	{ "ascending", make_ascending, 8 },
	{ "float walk", make_float_walk, 12 },
	{ "utf-16", make_utf16, 4 },
	{ "far copy", make_far_copy, 8 },
	{ "mixed", make_mixed, 4 },
	{ "noise behind text", make_noise_behind_text, 16 },
	{ "short matches", make_short_matches, 4 },
};

const size_t nr_page_kinds = ARRAY_SIZE(page_kinds);

void for_some_pages(void (*fn)(const u8 *page, const char *name))
{
	size_t step = sample_pages / (quick ? 4 : 12) + 1;
	static u8 page[PAGE_SIZE];
	char name[64];

	for (size_t i = step / 2; i < sample_pages; i += step) {
		snprintf(name, sizeof(name), "sample page %zu", i);
		at("%s", name);
		fn(sample + i * PAGE_SIZE, name);
	}
	for (size_t k = 0; k < nr_page_kinds; k++) {
		unsigned int variant = page_kinds[k].variants / 2;

		snprintf(name, sizeof(name), "%s %u", page_kinds[k].name, variant);
		at("%s", name);
		page_kinds[k].make(page, variant);
		fn(page, name);
	}
}
