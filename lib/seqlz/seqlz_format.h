/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * seqlz: constants of the format
 *
 * A page is coded in blocks of SEQLZ_BLOCK_SIZE bytes of output, one after the
 * other; pages of 4 and of 16 KiB are one block. Every block but the last has
 * its length in front, two bytes, little endian. Blocks do not depend on each
 * other: no match reaches out of its block, and the repeat offset starts anew.
 *
 *   stored block	0xff, then the bytes of the block
 *   coded block	head, literal count n, literals, sequences
 *
 * The head is one byte, the literal count two, little endian:
 *
 *      7    6            2 1     0
 *   +------+--------------+-------+
 *   | wide | literal mode | token |	literal mode: 0 or one of the literal
 *   |      |              | table |	codes plus 1; the token table is one
 *   +------+--------------+-------+	of four
 *
 * What follows depends on the literal mode and on n:
 *
 *   mode 0		n literals as they are, sequences
 *   n < SPLIT_MIN	one stream, sequences
 *   else		sizes of three parts, the parts, sequences
 *
 * A part holds two streams: one that starts at its front, and one that starts at
 * its end with its bytes in reverse. They meet, and no byte is between them. In
 * their order the six streams hold n / 6 literals each, the last one the rest too.
 * The sizes are one byte each, or two, little endian, if a part is longer than 255
 * bytes: then, and only then, "wide" is set. The sequences start where the last
 * part or the one stream ends, and they end where the block does. Whatever is read
 * is found from the front, so that no block is the beginning of another.
 *
 * Codes, and the bits behind them, are written most significant bit first. A
 * stream's last byte is filled up with zero bits.
 *
 * A sequence is a token, extra bits of its offset, and its long lengths if it
 * has any: that of the literals less 15, then that of the match less 33. Match
 * codes 30 and 31 are not valid. An offset may be coded in any class that can
 * say it; the encoder takes the one with the fewest bits of those below, with
 * NEAR8 for 16. There is no end mark: the block ends where the literals that are
 * left fill it. There are SEQLZ_MAX_SEQS sequences at most, which bounds the time
 * that any block takes to decode.
 *
 * With a difference code, what is coded is the literal minus the byte that
 * stands one distance before it (modulo 256; bytes before the block count as
 * zero). The distance is the offset of the match before or, if that is less
 * than 8, its smallest multiple that is at least 8: 8 bytes are handled at once.
 *
 * The codes are canonical: shorter ones first, codes of one length in the order
 * of their symbols. seqlz_codes_4k.h and seqlz_codes_16k.h hold their lengths.
 */
#ifndef _SEQLZ_FORMAT_H
#define _SEQLZ_FORMAT_H

/* largest block: bounds the encoder's memory for pages of 64 KiB */
#define SEQLZ_BLOCK_SHIFT	(PAGE_SHIFT < 14 ? 12 : 14)
#define SEQLZ_BLOCK_SIZE	(SEQLZ_BLOCK_SHIFT == 12 ? 4096U : 16384U)
#define SEQLZ_NR_BLOCKS		(PAGE_SIZE / SEQLZ_BLOCK_SIZE)

#define SEQLZ_HEAD_STORED	0xff
#define SEQLZ_HEAD_WIDE		0x80
#define SEQLZ_HEAD_MODE(head)	((head) >> 2 & 0x1f)
#define SEQLZ_HEAD_TABLE(head)	((head) & 3)
#define SEQLZ_HEAD_SIZE		3
#define SEQLZ_STORED_SIZE	(1 + SEQLZ_BLOCK_SIZE)
/* length in front of a block that is not the last */
#define SEQLZ_SIZE_BYTES	2

/* most sequences of a block; real ones have hardly ever more than an eighth of its bytes */
#define SEQLZ_MAX_SEQS		(SEQLZ_BLOCK_SIZE == 4096 ? 640 : 1920)

#define SEQLZ_NR_TOKEN_TABLES	4

/* literal tables: those for literals as they are, then those for differences */
#define SEQLZ_NR_PLAIN_TABLES	8
#define SEQLZ_NR_LIT_TABLES	16

/* fewer literals are not worth the sizes of the parts */
#define SEQLZ_SPLIT_MIN		48

/* the streams, and the parts with two of them each */
#define SEQLZ_NR_STREAMS	6
#define SEQLZ_NR_PARTS		3

/* longest codes, which are also the index widths of the decoding tables */
#define SEQLZ_LIT_BITS		10
#define SEQLZ_TOKEN_BITS	11
#define SEQLZ_LEN_BITS		7

/*
 * Token: literal length 0..15, match length code 0..31, offset class 0..7
 *
 *	 11    9 8      4 3      0
 *	+-------+--------+--------+
 *	| class | mcode  | lcode  |
 *	+-------+--------+--------+
 *
 * The rarer ones have no code of their own: an escape code is followed by the
 * 12 bits above.
 */
#define SEQLZ_LCODE_BITS	4
#define SEQLZ_MCODE_BITS	5
#define SEQLZ_CLASS_BITS	3
#define SEQLZ_TOKEN_SYM_BITS	(SEQLZ_LCODE_BITS + SEQLZ_MCODE_BITS + SEQLZ_CLASS_BITS)
#define SEQLZ_NR_TOKENS		4096U
#define SEQLZ_TOKEN_ESCAPE	SEQLZ_NR_TOKENS

/*
 * Offset classes and what stands behind the token:
 *
 *   REPEAT	nothing: the offset of the match before
 *   EIGHT	nothing: 8
 *   TWO	nothing: 2
 *   TINY	4 bits: offset - 1
 *   NEAR8	5 bits: offset / 8 - 1
 *   NEAR	8 bits: offset - 1
 *   FAR8	SEQLZ_BLOCK_SHIFT - 3 bits: offset / 8 - 1
 *   FAR	SEQLZ_BLOCK_SHIFT bits: offset - 1
 */
enum seqlz_offset_class {
	SEQLZ_CLASS_REPEAT,
	SEQLZ_CLASS_EIGHT,
	SEQLZ_CLASS_TWO,
	SEQLZ_CLASS_TINY,
	SEQLZ_CLASS_NEAR8,
	SEQLZ_CLASS_NEAR,
	SEQLZ_CLASS_FAR8,
	SEQLZ_CLASS_FAR,
};

#define SEQLZ_MIN_MATCH		4

/* the repeat offset before the first match */
#define SEQLZ_FIRST_OFFSET	1

/* the longest lengths without a long length behind the token */
#define SEQLZ_LCODE_LONG	15
#define SEQLZ_MCODE_LONG	29
#define SEQLZ_SHORT_MATCH_MAX	(SEQLZ_MIN_MATCH + SEQLZ_MCODE_LONG - 1)

/*
 * Long lengths stand as a code and extra bits, less what the token can say. As
 * many codes as there are single values come first; behind them a code names
 * the highest bit of the value and the bit below, and the other bits follow.
 *
 *   value	0 .. 7	8..11	12..15	16..23	24..31	...
 *   code	0 .. 7	8	9	10	11	...
 *   extra bits	0	2	2	3	3	...
 */
#define SEQLZ_LEN_SINGLES	8
#define SEQLZ_NR_LENS		32

#endif /* _SEQLZ_FORMAT_H */
