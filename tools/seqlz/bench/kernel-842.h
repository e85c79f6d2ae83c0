/* SPDX-License-Identifier: GPL-2.0-only */
/* What 842 needs beside kernel.h: lists for the tree's <linux/hashtable.h>, and no debugfs. */
#ifndef BENCH_KERNEL_842_H
#define BENCH_KERNEL_842_H

/* instead of 842_debugfs.h */
#define __842_DEBUGFS_H__
#define sw842_template_counts	0
#define sw842_debugfs_create()	do { } while (0)
#define sw842_debugfs_remove()	do { } while (0)
#define atomic_inc(counter)	do { } while (0)

#define INIT_HLIST_HEAD(head)	((head)->first = NULL)
#define INIT_HLIST_NODE(node)	((node)->next = NULL, (node)->pprev = NULL)

static inline bool hlist_empty(const struct hlist_head *head)
{
	return !head->first;
}

static inline bool hlist_unhashed(const struct hlist_node *node)
{
	return !node->pprev;
}

static inline void hlist_add_head(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	if (node->next)
		node->next->pprev = &node->next;
	head->first = node;
	node->pprev = &head->first;
}

static inline void hlist_del_init(struct hlist_node *node)
{
	if (hlist_unhashed(node))
		return;
	*node->pprev = node->next;
	if (node->next)
		node->next->pprev = node->pprev;
	INIT_HLIST_NODE(node);
}

#define hlist_del_init_rcu(node)	hlist_del_init(node)

#define hlist_entry_safe(ptr, type, member) __extension__ ({	\
	__typeof__(ptr) __ptr = (ptr);				\
	__ptr ? container_of(__ptr, type, member) : NULL; })

#define hlist_for_each_entry(pos, head, member)					\
	for (pos = hlist_entry_safe((head)->first, __typeof__(*(pos)), member);	\
	     pos;								\
	     pos = hlist_entry_safe((pos)->member.next, __typeof__(*(pos)), member))

#endif /* BENCH_KERNEL_842_H */
