// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model of zsmalloc.c against the tree: bench.mk cuts the macros of the
 * size classes and the functions that make and find them out of the tree's
 * mm/zsmalloc.c, and objects of every size must get the same class from both.
 */
#include "kernel.h"
#include "bench.h"

/* as x86-64 and arm64 have it */
#define MAX_POSSIBLE_PHYSMEM_BITS	52
#include "zs-macros.h"

/* what zs_create_pool() sets up beside its classes */
#define NR_FULLNESS_GROUPS	1
#define ZS_INUSE_RATIO_0	0
#define INIT_LIST_HEAD(list)	((void)(list))
#define spin_lock_init(lock)	((void)(lock))
#define rwlock_init(lock)	((void)(lock))
#define atomic_set(v, i)	((void)(v))
#define init_deferred_free(pool)	((void)(pool))
#define kstrdup(string, gfp)	(string)
#define zs_pool_stat_create(pool, name)	((void)(pool))
#define zs_register_shrinker(pool)	((void)(pool))
#define zs_destroy_pool(pool)	((void)(pool))

static size_t huge_class_size;

struct size_class {
	int lock;
	int fullness_list[NR_FULLNESS_GROUPS];
	int size;
	int objs_per_zspage;
	int pages_per_zspage;
	unsigned int index;
};

struct zs_pool {
	const char *name;
	struct size_class *size_class[ZS_SIZE_CLASSES];
	int lock;
	int compaction_in_progress;
};

#include "zs-functions.h"

static bool same_class(const struct size_class *tree, const struct zs_class *model)
{
	return tree->size == (int)model->size &&
		tree->pages_per_zspage == (int)model->pages &&
		tree->objs_per_zspage == (int)model->objects;
}

void zs_tree_check(void)
{
	struct zs_pool *pool = zs_create_pool("bench");
	unsigned int len;

	if (huge_class_size != zs_huge_size())
		die("the tree's huge class begins at %zu bytes, not at %u: zsmalloc.c must follow mm/zsmalloc.c",
		    huge_class_size, zs_huge_size());
	for (len = 1; len < huge_class_size; len++) {
		int index = get_size_class_index(len + sizeof(unsigned long));

		if (!same_class(pool->size_class[index], zs_class_of(len)))
			die("an object of %u bytes has another class in the tree: zsmalloc.c must follow mm/zsmalloc.c",
			    len);
	}
	/* zram stores what reaches the huge class as a page */
	if (!same_class(pool->size_class[get_size_class_index(PAGE_SIZE)],
			zs_class_of(huge_class_size)))
		die("the class of whole pages is another in the tree: zsmalloc.c must follow mm/zsmalloc.c");
}
