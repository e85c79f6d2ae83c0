/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the codecs of a kernel tree and zram's backends need of the kernel,
 * in user space. It is included in front of each of their files; the headers
 * they name are empty (see bench.mk) or the tree's own.
 */
#ifndef BENCH_KERNEL_H
#define BENCH_KERNEL_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAGE_SIZE	(1UL << PAGE_SHIFT)
#define BITS_PER_LONG	(__SIZEOF_LONG__ * 8)

typedef uint8_t u8;
typedef uint16_t u16, __be16, __le16;
typedef uint32_t u32, __be32, __le32;
typedef uint64_t u64, __be64, __le64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned char uch;
typedef long ssize_t;

/* one of the two is defined, as in the kernel */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define __LITTLE_ENDIAN	1234
#else
#define __BIG_ENDIAN	4321
#endif

#if defined(__x86_64__)
#define CONFIG_X86_64	1
#define CONFIG_X86	1
#elif defined(__aarch64__)
#define CONFIG_ARM64	1
#endif
#if __SIZEOF_LONG__ == 8
#define CONFIG_64BIT	1
#endif
#define CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS	1
#define IS_ENABLED(option)	0

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#undef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#define noinline	__attribute__((__noinline__))
#define fallthrough	__attribute__((__fallthrough__))
#define __maybe_unused	__attribute__((__unused__))
#define __force
#define ____cacheline_aligned __attribute__((__aligned__(64)))
#define __init
#define __exit
#define __percpu

#define EXPORT_SYMBOL(sym)
#define EXPORT_SYMBOL_GPL(sym)
#define MODULE_LICENSE(text)
#define MODULE_DESCRIPTION(text)
#define MODULE_AUTHOR(text)
#define module_param_named(name, value, type, perm)
#define module_init(fn)
#define module_exit(fn)
#define static_assert(cond, ...)	_Static_assert(cond, #cond)
#define BUILD_BUG_ON(cond)	((void)sizeof(char[1 - 2 * !!(cond)]))
#define BUG_ON(cond)	((void)((cond) && (__builtin_trap(), 0)))
#define WARN_ON(cond)	(cond)
#define WARN(cond, ...)	(cond)

#define min(a, b)	((a) < (b) ? (a) : (b))
#define max(a, b)	((a) > (b) ? (a) : (b))
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define MAX(a, b)	max(a, b)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define round_up(n, to)	((((n) - 1) | ((__typeof__(n))((to) - 1))) + 1)
#define round_down(n, to)	((n) & ~((__typeof__(n))((to) - 1)))
#define swap(a, b)	do { __typeof__(a) t = (a); (a) = (b); (b) = t; } while (0)
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define __AC(x, suffix)	x##suffix
#define _AC(x, suffix)	__AC(x, suffix)

#define __ffs(x)	((unsigned long)__builtin_ctzl(x))
#define GENMASK_ULL(high, low)	((~0ULL >> (63 - (high))) & (~0ULL << (low)))
#define is_power_of_2(n)	((n) && !((n) & ((n) - 1)))

static inline int ilog2(u64 n)
{
	return 63 - __builtin_clzll(n);
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u32 div_u64_rem(u64 dividend, u32 divisor, u32 *remainder)
{
	*remainder = dividend % divisor;
	return dividend / divisor;
}

/* as include/linux/unaligned.h: through a packed structure */
#define get_unaligned(ptr) __extension__ ({				\
	const struct { __typeof__(*(ptr)) x; } __attribute__((__packed__)) \
		*__p = (const void *)(ptr);				\
	__p->x; })
#define put_unaligned(val, ptr) __extension__ ({			\
	struct { __typeof__(*(ptr)) x; } __attribute__((__packed__))	\
		*__p = (void *)(ptr);					\
	__p->x = (val); })

#define swab16(x)	__builtin_bswap16(x)
#define swab32(x)	__builtin_bswap32(x)
#define swab64(x)	__builtin_bswap64(x)

#ifdef __LITTLE_ENDIAN
#define BENCH_LE(bits, x)	((u##bits)(x))
#define BENCH_BE(bits, x)	__builtin_bswap##bits(x)
#else
#define BENCH_LE(bits, x)	__builtin_bswap##bits(x)
#define BENCH_BE(bits, x)	((u##bits)(x))
#endif

#define cpu_to_be16(x)	BENCH_BE(16, x)
#define cpu_to_be32(x)	BENCH_BE(32, x)
#define cpu_to_be64(x)	BENCH_BE(64, x)
#define be16_to_cpu(x)	BENCH_BE(16, x)
#define be32_to_cpu(x)	BENCH_BE(32, x)
#define be64_to_cpu(x)	BENCH_BE(64, x)
#define le16_to_cpu(x)	BENCH_LE(16, x)
#define le32_to_cpu(x)	BENCH_LE(32, x)
#define le64_to_cpu(x)	BENCH_LE(64, x)
#define cpu_to_le16(x)	BENCH_LE(16, x)
#define cpu_to_le32(x)	BENCH_LE(32, x)
#define cpu_to_le64(x)	BENCH_LE(64, x)

#define BENCH_UNALIGNED(bits)						\
static inline u##bits get_unaligned_le##bits(const void *p)		\
{									\
	return BENCH_LE(bits, get_unaligned((const u##bits *)p));	\
}									\
static inline void put_unaligned_le##bits(u##bits val, void *p)		\
{									\
	put_unaligned(BENCH_LE(bits, val), (u##bits *)p);		\
}

BENCH_UNALIGNED(16)
BENCH_UNALIGNED(32)
BENCH_UNALIGNED(64)

/* memory, counted: a context's size is what its backend asked for */
#define GFP_KERNEL	0
#define GFP_NOIO	0
#define __GFP_NOWARN	0

enum bench_allocator {
	BENCH_KMALLOC,
	BENCH_VMALLOC,
};

void *bench_alloc(size_t size, enum bench_allocator allocator);
void bench_free(const void *mem);

#define kmalloc(size, gfp)	bench_alloc(size, BENCH_KMALLOC)
#define kzalloc(size, gfp)	bench_alloc(size, BENCH_KMALLOC)
#define kzalloc_obj(obj, ...)	((__typeof__(obj) *)bench_alloc(sizeof(obj), BENCH_KMALLOC))
#define kvmalloc(size, gfp)	bench_alloc(size, BENCH_KMALLOC)
#define kvzalloc(size, gfp)	bench_alloc(size, BENCH_KMALLOC)
#define vmalloc(size)		bench_alloc(size, BENCH_VMALLOC)
#define vzalloc(size)		bench_alloc(size, BENCH_VMALLOC)
#define kfree(mem)		bench_free(mem)
#define kvfree(mem)		bench_free(mem)
#define vfree(mem)		bench_free(mem)

void bench_error(const char *format, ...)
	__attribute__((__format__(__printf__, 1, 2)));

#define pr_err(format, ...)	bench_error(pr_fmt(format), ##__VA_ARGS__)
#define pr_debug(format, ...)	do { } while (0)

/* for zcomp.h, which declares more than the backends use */
struct mutex {
	int unused;
};

struct rw_semaphore {
	int unused;
};

/* of <linux/list.h>; kernel-842.h has more of it */
struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

#endif /* BENCH_KERNEL_H */
