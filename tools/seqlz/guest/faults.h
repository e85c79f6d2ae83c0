/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ways to fault in pages, of which each batch is timed
 */
#ifndef SEQLZ_GUEST_FAULTS_H
#define SEQLZ_GUEST_FAULTS_H

#include <sys/uio.h>

#include "guest.h"

/* Pages that are paged out or faulted in between two readings of the clock. */
#define BATCH 64

/* Fault in these pages as a program does, by reading from them. */
static inline void touch(const unsigned char *mem, const uint32_t *order,
			 size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		*(const volatile unsigned char *)(mem + order[i] * page_size);
}

/*
 * Let the kernel fault in these pages, by a system call that reads a byte of
 * each. In user-mode Linux the way from a program into the kernel and back
 * takes longer than all the rest of a fault; here it is taken once for all.
 */
static inline void touch_by_kernel(unsigned char *mem, const uint32_t *order,
				   size_t count, const int pipe[2])
{
	struct iovec vec[BATCH];
	char bytes[BATCH];
	size_t i;

	for (i = 0; i < count; i++)
		vec[i] = (struct iovec){ mem + order[i] * page_size, 1 };
	if (writev(pipe[1], vec, count) != (ssize_t)count ||
	    read(pipe[0], bytes, count) != (ssize_t)count)
		print("fail", "the pipe did not take %zu bytes", count);
}

#endif /* SEQLZ_GUEST_FAULTS_H */
