/* SPDX-License-Identifier: GPL-2.0-only */
/* Time of a single call, in ticks, and the caches made cold. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

#ifdef __x86_64__
#include <x86intrin.h>

/* nothing timed starts before the first read or ends behind the second */
static inline uint64_t ticks_start(void)
{
	uint64_t now;

	_mm_lfence();
	now = __rdtsc();
	_mm_lfence();
	return now;
}

static inline uint64_t ticks_stop(void)
{
	unsigned int cpu;
	uint64_t now = __rdtscp(&cpu);

	_mm_lfence();
	return now;
}

static inline void flush_lines(const void *start, size_t len)
{
	const char *line = start;

	for (; line < (const char *)start + len; line += 64)
		_mm_clflush(line);
	_mm_mfence();
}
#else
static inline uint64_t ticks_start(void)
{
	return nanoseconds();
}

static inline uint64_t ticks_stop(void)
{
	return nanoseconds();
}

static inline void flush_lines(const void *start, size_t len)
{
	(void)start;
	(void)len;
}
#endif

#endif /* BENCH_CLOCK_H */
