/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* what the fuzz targets and the maker of their seeds share */
#ifndef SEQLZ_FUZZ_H
#define SEQLZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/seqlz.h>

#define PAGE_SIZE ((size_t)1 << PAGE_SHIFT)
#define DST_MAX (2 * PAGE_SIZE)

/* what decides the round trip, in front of the bytes that make the page */
struct roundtrip_head {
	uint8_t level;
	uint8_t generator;	/* one of enum generator */
	uint8_t dst_len[3];	/* little-endian, 0: as much as a page can need */
};

enum generator {
	GEN_REPEAT,		/* the bytes over and over */
	GEN_ZEROES,		/* the bytes, then zeroes */
	GEN_SEQUENCES,		/* literals and copies, as the bytes say */
	NR_GENERATORS,
};

/* like assert(), but never compiled away; libFuzzer keeps the input */
#define must(cond)							\
	do {								\
		if (!(cond)) {						\
			fprintf(stderr, "%s:%d: not true: %s\n",	\
				__FILE__, __LINE__, #cond);		\
			abort();					\
		}							\
	} while (0)

static inline void *must_alloc(size_t size)
{
	/* of exactly this size, so that AddressSanitizer sees one byte more */
	void *p = malloc(size ? size : 1);

	if (!p)
		abort();
	return p;
}

static inline int level_of(unsigned int n)
{
	return SEQLZ_LEVEL_MIN + (int)(n % (SEQLZ_LEVEL_MAX - SEQLZ_LEVEL_MIN + 1));
}

#endif
