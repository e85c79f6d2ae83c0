/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Kinds of page that the seqlz tests compress
 *
 * Every page depends on its kind and its number within the kind alone, so that
 * a failure message that names both is enough to make the page again.
 */
#ifndef SEQLZ_TESTPAGES_H
#define SEQLZ_TESTPAGES_H

#include <linux/minmax.h>
#include <linux/prandom.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "seqlz-testvecs.h"

#define SEQLZ_TEST_SEED		42

static struct rnd_state rng;

/**
 * struct seqlz_kind - a kind of page
 * @name: what the pages look like
 * @fill: writes page number @i, for which the generator was just seeded
 * @count: number of pages of this kind
 */
struct seqlz_kind {
	const char *name;
	void (*fill)(u8 *page, unsigned int i);
	unsigned int count;
};

/* not twice in one expression: its order would be the compiler's choice */
static u32 rand_below(u32 limit)
{
	return prandom_u32_state(&rng) % limit;
}

/* Append up to @len random bytes, and return the new end of the page. */
static size_t put_literals(u8 *page, size_t pos, size_t len)
{
	len = min(len, PAGE_SIZE - pos);
	prandom_bytes_state(&rng, page + pos, len);
	return pos + len;
}

/* Append a match of up to @len bytes, and return the new end of the page. */
static size_t put_match(u8 *page, size_t pos, size_t offset, size_t len)
{
	size_t end = min(pos + len, PAGE_SIZE);

	for (; pos < end; pos++)
		page[pos] = page[pos - offset];
	return pos;
}

/* The same, and one literal that ends the match exactly there. */
static size_t put_exact_match(u8 *page, size_t pos, size_t offset, size_t len)
{
	pos = put_match(page, pos, offset, len);
	if (pos < PAGE_SIZE) {
		page[pos] = ~page[pos - offset];
		pos++;
	}
	return pos;
}

static void fill_sample(u8 *page, unsigned int i)
{
	for (size_t pos = 0; pos < PAGE_SIZE; i++) {
		const u64 *words = seqlz_sample_pages[i % ARRAY_SIZE(seqlz_sample_pages)].words;

		for (size_t w = 0; w < ARRAY_SIZE(seqlz_sample_pages[0].words); w++, pos += 8)
			put_unaligned_le64(words[w], page + pos);
	}
}

/* Pointers into one heap, more or less far apart */
static void fill_pointers(u8 *page, unsigned int i)
{
	for (size_t pos = 0; pos < PAGE_SIZE; pos += 8)
		put_unaligned_le64(0xffff888004000000ULL + 16 * rand_below(16U << i), page + pos);
}

/* Structures with a counter, a pointer, a few flags and a mostly zero rest */
static void fill_structs(u8 *page, unsigned int i)
{
	size_t size = 24 + 8 * i;

	memset(page, 0, PAGE_SIZE);
	for (size_t pos = 0; pos + size <= PAGE_SIZE; pos += size) {
		put_unaligned_le32(1000 + pos / size, page + pos);
		put_unaligned_le32(rand_below(3), page + pos + 4);
		put_unaligned_le64(0x7f0000001000ULL + 64 * rand_below(500), page + pos + 8);
		put_unaligned_le64(1ULL << rand_below(8), page + pos + size - 8);
	}
}

static void fill_text(u8 *page, unsigned int i)
{
	static const char * const words[] = {
		"page ", "swap ", "the ", "memory ", "of ", "\n\t", "return ", "= ", "0x00",
		"(struct ", "); ", "if ", "compressed ", "ENOMEM", "{\n", "a", "<td>", "</td>",
	};
	size_t pos = 0;

	while (pos < PAGE_SIZE) {
		const char *word = words[rand_below(min(4 + 2 * i, ARRAY_SIZE(words)))];
		size_t len = min(strlen(word), PAGE_SIZE - pos);

		memcpy(page + pos, word, len);
		pos += len;
	}
}

/* 2, 4, ... 256 different bytes, the low ones more often */
static void fill_alphabet(u8 *page, unsigned int i)
{
	for (size_t pos = 0; pos < PAGE_SIZE; pos++)
		page[pos] = 37 * rand_below(1 + rand_below(2U << i));
}

static void fill_random(u8 *page, unsigned int i)
{
	prandom_bytes_state(&rng, page, PAGE_SIZE);
}

/* Random but for @i matches */
static void fill_nearly_random(u8 *page, unsigned int i)
{
	prandom_bytes_state(&rng, page, PAGE_SIZE);
	while (i--) {
		size_t pos = 1 + rand_below(PAGE_SIZE - 1);
		size_t offset = 1 + rand_below(pos);

		put_match(page, pos, offset, 4 + rand_below(60));
	}
}

static void fill_period(u8 *page, unsigned int i)
{
	size_t pos = put_literals(page, 0, i + 1);

	put_match(page, pos, i + 1, PAGE_SIZE);
}

/* One byte differs: at the start, at the end, and spread between them */
static void fill_single(u8 *page, unsigned int i)
{
	size_t pos = i / 2;

	if (i >= 64)
		pos = (i - 64) * (PAGE_SIZE / 64) + i % 8;
	else if (i & 1)
		pos = PAGE_SIZE - 1 - pos;
	memset(page, 0xff * (i % 3 == 1), PAGE_SIZE);
	page[pos] ^= 1 + rand_below(255);
}

/* Zero, but for ever more random bytes */
static void fill_noise(u8 *page, unsigned int i)
{
	memset(page, 0, PAGE_SIZE);
	for (size_t n = (PAGE_SIZE >> 12) << i; n; n--) {
		size_t pos = rand_below(PAGE_SIZE);

		page[pos] = rand_below(256);
	}
}

/* Ascending numbers of 1, 2, 4 or 8 bytes, by larger and larger steps */
static void fill_ascending(u8 *page, unsigned int i)
{
	size_t width = 1U << (i % 4);
	u64 value = 0x10000000fffff00ULL;

	for (size_t pos = 0; pos < PAGE_SIZE; pos += width, value += 1ULL << i)
		for (size_t k = 0; k < width; k++)
			page[pos + k] = value >> (8 * k);
}

/* Numbers of 1, 2, 4 or 8 bytes that wander */
static void fill_wandering(u8 *page, unsigned int i)
{
	size_t width = 1U << (i % 4);
	u64 value = 0x12345678;

	for (size_t pos = 0; pos < PAGE_SIZE; pos += width) {
		value += (s32)(rand_below(4U << i) - (2U << i));
		for (size_t k = 0; k < width; k++)
			page[pos + k] = value >> (8 * k);
	}
}

/* Two random blocks by turns, with a byte changed now and then */
static void fill_alternating(u8 *page, unsigned int i)
{
	size_t size = 2U << (i % 8);
	size_t pos = put_literals(page, 0, 2 * size);

	while (pos < PAGE_SIZE) {
		pos = put_match(page, pos, 2 * size, size);
		if (i >= 8)
			page[pos - 1]++;
	}
}

/* Matches of exactly i + 4 bytes at any offset */
static void fill_match_length(u8 *page, unsigned int i)
{
	size_t pos = put_literals(page, 0, 16);

	while (pos < PAGE_SIZE) {
		size_t near = min(pos, 64);

		pos = put_exact_match(page, pos, 1 + rand_below(rand_below(2) ? near : pos), i + 4);
		pos = put_literals(page, pos, rand_below(8));
	}
}

/* One match as long as the page allows, less ever longer ends of random bytes */
static void fill_long_match(u8 *page, unsigned int i)
{
	size_t offset = 1U << (i % 8);
	size_t pos = put_literals(page, 0, offset + i % 3);

	pos = put_exact_match(page, pos, offset, PAGE_SIZE - pos - i * (PAGE_SIZE / 128));
	put_literals(page, pos, PAGE_SIZE);
}

/* Matches at exactly this offset: 1 to 300, then every eighth (at 4 KiB) */
#define SEQLZ_OFFSET_STEP	(8 * (PAGE_SIZE / SZ_4K))
#define SEQLZ_NUM_OFFSETS	(300 + PAGE_SIZE / SEQLZ_OFFSET_STEP - 1)

static void fill_offset(u8 *page, unsigned int i)
{
	size_t offset = i < 300 ? i + 1 : (i - 299) * SEQLZ_OFFSET_STEP;
	size_t pos = put_literals(page, 0, offset);

	for (size_t len = 4; pos < PAGE_SIZE; len = len % 64 + 4) {
		pos = put_exact_match(page, pos, offset, len);
		pos = put_literals(page, pos, rand_below(4));
	}
}

/* Exactly @i literals between two matches */
static void fill_literal_length(u8 *page, unsigned int i)
{
	size_t pos = put_literals(page, 0, 32);

	while (pos < PAGE_SIZE) {
		size_t offset = i ? 8 + rand_below(24) : 1 + rand_below(pos);
		size_t len = 8 + rand_below(8);

		if (i) {
			pos = put_exact_match(page, pos, offset, len);
			pos = put_literals(page, pos, i - 1);
		} else {
			pos = put_match(page, pos, offset, len);
		}
	}
}

/* The page ends @i bytes after the start of a match, or of a literal run */
static void fill_tail(u8 *page, unsigned int i)
{
	size_t end = PAGE_SIZE - i / 2;

	if (i & 1) {
		put_literals(page, 0, end);
		put_match(page, end, 100, PAGE_SIZE);
	} else {
		memset(page, 0, end);
		put_literals(page, end, PAGE_SIZE);
	}
}

/* A sample page of which one quarter became random and one zero */
static void fill_mixed(u8 *page, unsigned int i)
{
	fill_sample(page, i);
	put_literals(page, i % 4 * (PAGE_SIZE / 4), PAGE_SIZE / 4);
	memset(page + i / 4 % 4 * (PAGE_SIZE / 4), 0, PAGE_SIZE / 4);
}

static const struct seqlz_kind seqlz_kinds[] = {
	{ "sample", fill_sample, ARRAY_SIZE(seqlz_sample_pages) },
	{ "pointers", fill_pointers, 16 },
	{ "structs", fill_structs, 16 },
	{ "text", fill_text, 8 },
	{ "alphabet", fill_alphabet, 8 },
	{ "random", fill_random, 64 },
	{ "nearly random", fill_nearly_random, 32 },
	{ "period", fill_period, 64 },
	{ "single byte", fill_single, 128 },
	{ "noise", fill_noise, 13 },
	{ "ascending", fill_ascending, 32 },
	{ "wandering", fill_wandering, 24 },
	{ "alternating", fill_alternating, 16 },
	{ "match length", fill_match_length, 297 },
	{ "long match", fill_long_match, 120 },
	{ "offset", fill_offset, SEQLZ_NUM_OFFSETS },
	{ "literal length", fill_literal_length, 301 },
	{ "tail", fill_tail, 64 },
	{ "mixed", fill_mixed, 16 },
};

static void seqlz_make_page(u8 *page, const struct seqlz_kind *kind, unsigned int i)
{
	prandom_seed_state(&rng, SEQLZ_TEST_SEED + i);
	kind->fill(page, i);
}

#endif /* SEQLZ_TESTPAGES_H */
