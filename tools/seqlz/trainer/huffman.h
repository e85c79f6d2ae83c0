/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Length-limited Huffman codes
 */
#ifndef _TRAINER_HUFFMAN_H
#define _TRAINER_HUFFMAN_H

#include <stdint.h>

/**
 * huffman_lengths() - best code lengths under a limit (package-merge)
 * @counts: weight of every symbol; all of them get a code, those without a
 *	weight one of the longest
 * @nr: number of symbols, at least 2
 * @limit: longest length allowed, 1 << @limit >= @nr
 * @lengths: (output) code length of every symbol; the code is complete
 */
void huffman_lengths(const double *counts, int nr, int limit, uint8_t *lengths);

#endif /* _TRAINER_HUFFMAN_H */
