/* SPDX-License-Identifier: GPL-2.0-only */
/* A system call without effect, at which qemu/count.c prints what it counted. */
#ifndef BENCH_MARK_H
#define BENCH_MARK_H

#define BENCH_MARK		0x5e912a
/* getpgid() of arm64 */
#define BENCH_MARK_SYSCALL	155

#endif /* BENCH_MARK_H */
