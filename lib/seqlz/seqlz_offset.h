/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: how offsets are coded
 */
#ifndef _SEQLZ_OFFSET_H
#define _SEQLZ_OFFSET_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/page.h>
#include "seqlz_format.h"

/*
 * The kind of an offset: the number of bits behind the token, the class where a
 * token has it, and by how much the offset less 1 is shifted to get the bits.
 *
 *	 15  12 11    9 8     5 4     0
 *	+------+-------+-------+-------+
 *	| bits | class |   0   | shift |
 *	+------+-------+-------+-------+
 */
#define SEQLZ_KIND(class, bits, shift) \
	((class) << (SEQLZ_LCODE_BITS + SEQLZ_MCODE_BITS) | (bits) << 12 | (shift))
#define SEQLZ_KIND_CLASS(kind)	((kind) & 7 << (SEQLZ_LCODE_BITS + SEQLZ_MCODE_BITS))
#define SEQLZ_KIND_BITS(kind)	((kind) >> 12)
#define SEQLZ_KIND_SHIFT(kind)	((kind) & 31)

#define SEQLZ_KIND_REPEAT	SEQLZ_KIND(SEQLZ_CLASS_REPEAT, 0, 31)

/* by offset less 1 up to this, behind that by the low bits of the offset */
#define SEQLZ_KIND_NEAR_MAX	256

extern const u16 seqlz_offset_kinds[SEQLZ_KIND_NEAR_MAX + 8];

/* the kind of an offset that is not repeated */
static __always_inline u32 seqlz_offset_kind(u32 offset)
{
	return seqlz_offset_kinds[offset <= SEQLZ_KIND_NEAR_MAX ?
				  offset - 1 : SEQLZ_KIND_NEAR_MAX + (offset & 7)];
}

#endif /* _SEQLZ_OFFSET_H */
