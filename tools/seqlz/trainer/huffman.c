// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Length-limited Huffman codes by package-merge
 *
 * A package is a symbol or a pair of packages from the level below, where the
 * codes are one bit longer. Of the last level the 2 * nr - 2 cheapest packages
 * are taken; a symbol's length is the number of them that it is part of.
 */
#include <stdlib.h>
#include <string.h>
#include "huffman.h"

struct package {
	double weight;
	int symbol;			/* -1: a pair of the level below */
};

struct leaf {
	double weight;
	int symbol;
};

static int leaf_cmp(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	return x->symbol - y->symbol;
}

void huffman_lengths(const double *counts, int nr, int limit, uint8_t *lengths)
{
	struct leaf *leaves = malloc(nr * sizeof(*leaves));
	struct package *level = malloc((size_t)limit * 2 * nr * sizeof(*level));
	int *size = calloc(limit, sizeof(*size));
	int l, i, take;

	for (i = 0; i < nr; i++)
		leaves[i] = (struct leaf){ counts[i] > 0 ? counts[i] : 1e-9, i };
	qsort(leaves, nr, sizeof(*leaves), leaf_cmp);

	for (l = 0; l < limit; l++) {
		struct package *out = level + (size_t)l * 2 * nr;
		const struct package *below = l ? out - 2 * nr : NULL;
		int pairs = l ? size[l - 1] / 2 : 0, pair = 0, leaf = 0;

		while (leaf < nr || pair < pairs) {
			double w = pair < pairs ? below[2 * pair].weight +
				below[2 * pair + 1].weight : 0;

			if (pair == pairs ||
			    (leaf < nr && leaves[leaf].weight <= w)) {
				out[size[l]++] = (struct package){
					leaves[leaf].weight, leaves[leaf].symbol };
				leaf++;
			} else {
				out[size[l]++] = (struct package){ w, -1 };
				pair++;
			}
		}
	}

	memset(lengths, 0, nr);
	for (l = limit - 1, take = 2 * nr - 2; l >= 0; l--) {
		const struct package *p = level + (size_t)l * 2 * nr;
		int pairs = 0;

		for (i = 0; i < take; i++) {
			if (p[i].symbol >= 0)
				lengths[p[i].symbol]++;
			else
				pairs++;
		}
		take = 2 * pairs;
	}
	free(size);
	free(level);
	free(leaves);
}
