/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: page compression with static entropy tables
 */
#ifndef _LINUX_SEQLZ_H
#define _LINUX_SEQLZ_H

#include <linux/types.h>

/**
 * enum seqlz_level - compression levels of seqlz_compress()
 * @SEQLZ_LEVEL_MIN: lowest and fastest level
 * @SEQLZ_LEVEL_DEFAULT: level for swap: small pages at little cost
 * @SEQLZ_LEVEL_MAX: highest level, smallest pages
 *
 * Every level writes the same format, and seqlz_decompress() needs not know
 * which one was used.
 */
enum seqlz_level {
	SEQLZ_LEVEL_MIN = 1,
	SEQLZ_LEVEL_DEFAULT = 2,
	SEQLZ_LEVEL_MAX = 4,
};

/**
 * seqlz_workmem_size() - memory that seqlz_compress() needs at a level
 * @level: compression level, %SEQLZ_LEVEL_MIN to %SEQLZ_LEVEL_MAX
 *
 * Context: Any context.
 * Return: the size in bytes, or 0 for a level out of range.
 */
size_t seqlz_workmem_size(int level);

/**
 * seqlz_compress() - compress one page
 * @src: the page, exactly %PAGE_SIZE bytes, any alignment
 * @dst: (output) the compressed page, any alignment
 * @dst_len: size of @dst in bytes; nothing is written beyond it. Every page
 *	fits in 2 * %PAGE_SIZE bytes.
 * @workmem: memory of at least seqlz_workmem_size(@level) bytes, aligned to 8
 *	bytes. It need not be initialised, and holds nothing between calls.
 * @level: compression level, %SEQLZ_LEVEL_MIN to %SEQLZ_LEVEL_MAX
 *
 * The bytes written depend on the page and on @level only: they are the same
 * on every architecture. After an error the contents of @dst are undefined.
 *
 * Context: Any context. Does not sleep, allocate memory or take locks.
 * Return: the length of the compressed page in bytes (> 0), -ENOSPC if it does
 * not fit in @dst_len bytes, or -EINVAL if @level is out of range.
 */
int seqlz_compress(const void *src, void *dst, size_t dst_len, void *workmem,
		   int level);

/**
 * seqlz_decompress() - decompress one page
 * @src: a compressed page as written by seqlz_compress(), any alignment
 * @src_len: its exact length in bytes; nothing beyond it is read
 * @dst: (output) the page, exactly %PAGE_SIZE bytes, any alignment
 *
 * Safe for any input. It succeeds only if every byte of the page was written
 * and every byte of the input was used. After an error the contents of @dst
 * are undefined.
 *
 * Context: Any context. Does not sleep, allocate memory or take locks, and
 * needs no work memory.
 * Return: 0, or -EBADMSG if @src is not a valid compressed page.
 */
int seqlz_decompress(const void *src, size_t src_len, void *dst);

#endif /* _LINUX_SEQLZ_H */
