// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an object takes in zsmalloc: its share of the pages that its class
 * chains, when all objects of them are in use. Classes of the same shape are
 * merged. An object that reaches the first class of one object a page is
 * stored as a page. zs-tree.c holds this against the tree's own functions.
 */
#include "bench.h"

/* the smallest class wherever an object's index has bits enough */
#define MIN_CLASS	32U
#define CLASS_STEP	(PAGE_SIZE >> 8)
#define NR_SIZES	((PAGE_SIZE - MIN_CLASS + CLASS_STEP - 1) / CLASS_STEP + 1)
#define HANDLE_SIZE	sizeof(unsigned long)

static struct zs_class classes[NR_SIZES];	/* merged ones are equal */
static unsigned int huge_size;
static unsigned int nr_classes;

/* as many pages as leave the least of them unused at the end */
static unsigned int pages_of_class(unsigned int size)
{
	unsigned int best = 1, least = PAGE_SIZE, n;

	if (!(size & (size - 1)))
		return 1;
	for (n = 1; n <= CONFIG_ZSMALLOC_CHAIN_SIZE; n++) {
		unsigned int waste = n * PAGE_SIZE % size;

		if (waste < least) {
			least = waste;
			best = n;
		}
	}
	return best;
}

void zs_init(void)
{
	struct zs_class *above = NULL;
	unsigned int i;

	for (i = NR_SIZES; i-- > 0; ) {
		struct zs_class class = { .size = MIN_CLASS + i * CLASS_STEP };

		if (class.size > PAGE_SIZE)
			class.size = PAGE_SIZE;
		class.pages = pages_of_class(class.size);
		class.objects = class.pages * PAGE_SIZE / class.size;
		/* the largest that shares its pages; the handle comes on top */
		if (class.pages != 1 && class.objects != 1 && !huge_size)
			huge_size = class.size - (HANDLE_SIZE - 1);

		if (above && above->pages == class.pages &&
		    above->objects == class.objects)
			class = *above;
		else
			class.rank = nr_classes++;
		classes[i] = class;
		above = &classes[i];
	}
	for (i = 0; i < NR_SIZES; i++)
		classes[i].rank = nr_classes - 1 - classes[i].rank;
}

const struct zs_class *zs_class_of(unsigned int len)
{
	unsigned int size = len + HANDLE_SIZE;
	unsigned int i = 0;

	if (len >= huge_size)
		return &classes[NR_SIZES - 1];
	if (size > MIN_CLASS)
		i = (size - MIN_CLASS + CLASS_STEP - 1) / CLASS_STEP;
	return &classes[i < NR_SIZES ? i : NR_SIZES - 1];
}

unsigned int zs_huge_size(void)
{
	return huge_size;
}

unsigned int zs_nr_classes(void)
{
	return nr_classes;
}

double zs_cost(unsigned int len)
{
	const struct zs_class *class = zs_class_of(len);

	return (double)class->pages * PAGE_SIZE / class->objects;
}
