/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages that a number determines: real ones with changes, and made ones
 *
 * Whoever knows the number can make the page again to compare with it, so no
 * copy is kept. The kinds and their shares are meant to reach all of a codec:
 * real pages, pages that do not compress, lengths around every limit.
 */
#ifndef SEQLZ_GUEST_PAGES_H
#define SEQLZ_GUEST_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAGE 4096

/* The real pages. */
struct samples {
	const unsigned char *data;
	size_t count;
};

/* splitmix64 */
static inline uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static inline void fill_random(unsigned char *page, size_t size, uint64_t *x)
{
	uint64_t word;
	size_t i;

	for (i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
		word = next(x);
		memcpy(page + i, &word, sizeof(word));
	}
	for (; i < size; i++)
		page[i] = next(x);
}

static inline const unsigned char *sample(const struct samples *samples,
					  uint64_t *x)
{
	return samples->data + next(x) % samples->count * PAGE;
}

/* A real page, of which up to 24 words changed since. */
static inline void fill_changed(unsigned char *page,
				const struct samples *samples, uint64_t *x)
{
	unsigned int n = next(x) % 25;
	uint64_t word;

	memcpy(page, sample(samples, x), PAGE);
	while (n--) {
		word = next(x);
		memcpy(page + word % (PAGE / 8) * 8, &word,
		       1 + (word >> 32) % 8);
	}
}

/* Parts of two real pages. */
static inline void fill_spliced(unsigned char *page,
				const struct samples *samples, uint64_t *x)
{
	size_t cut = next(x) % (PAGE + 1);

	memcpy(page, sample(samples, x), cut);
	memcpy(page + cut, sample(samples, x), PAGE - cut);
}

/* One word repeated, zero in one case of four. */
static inline void fill_same(unsigned char *page, uint64_t *x)
{
	uint64_t word = next(x) % 4 ? next(x) : 0;
	size_t i;

	for (i = 0; i < PAGE; i += sizeof(word))
		memcpy(page + i, &word, sizeof(word));
}

/* Random bytes, and something else behind them: every length there is. */
static inline void fill_part_random(unsigned char *page,
				    const struct samples *samples, uint64_t *x)
{
	size_t cut = next(x) % (PAGE + 1);

	memcpy(page, sample(samples, x), PAGE);
	if (next(x) % 2)
		memset(page, 0, PAGE);
	fill_random(page, cut, x);
}

/* Literals of an alphabet of 1 to 256 and matches of all lengths. */
static inline void fill_sequences(unsigned char *page, uint64_t *x)
{
	unsigned int bits = next(x) % 9, shift = next(x) % 12;
	size_t pos = 0, len, offset;
	uint64_t r;

	while (pos < PAGE) {
		r = next(x);
		len = 1 + (r >> 40) % (1u << (r % (shift + 1)));
		if (len > PAGE - pos)
			len = PAGE - pos;
		offset = pos ? 1 + (r >> 20) % pos : 0;
		for (; len; len--, pos++)
			page[pos] = offset && (r & 0x10000) ?
				    page[pos - offset] :
				    next(x) & ((1u << bits) - 1);
	}
}

/* Pointers and counters. */
static inline void fill_words(unsigned char *page, uint64_t *x)
{
	uint64_t base = next(x) >> next(x) % 32, step = next(x) >> 52, word;
	size_t i;

	for (i = 0; i < PAGE; i += sizeof(word)) {
		word = base + i * step + (next(x) & 7);
		memcpy(page + i, &word, sizeof(word));
	}
}

static inline void make_page(unsigned char *page, const struct samples *samples,
			     uint64_t number)
{
	uint64_t x = number;
	unsigned int kind = next(&x) % 100;

	if (kind < 60)
		fill_changed(page, samples, &x);
	else if (kind < 70)
		fill_spliced(page, samples, &x);
	else if (kind < 77)
		fill_random(page, PAGE, &x);
	else if (kind < 82)
		fill_same(page, &x);
	else if (kind < 88)
		fill_part_random(page, samples, &x);
	else if (kind < 95)
		fill_sequences(page, &x);
	else
		fill_words(page, &x);
}

#endif /* SEQLZ_GUEST_PAGES_H */
