// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz: decompression
 *
 * No memory is needed beside the page. Coded literals are decoded into the end
 * of the block that is being made; from there the sequences take them while the
 * output grows towards them. What is between both, the room, is exactly what
 * the matches to come will fill: it shrinks with every match, and when it is
 * gone the literals that are left are where they belong.
 *
 * Most sequences go through a fast loop, which copies more than it needs to and
 * ends where there is not enough of everything for that: room, literals, and
 * input. There the sequences are done one at a time, up to their last byte.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/seqlz.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <asm/page.h>
#include "seqlz_arch.h"
#include "seqlz_bits.h"
#include "seqlz_private.h"
#include "seqlz_tables.h"

/* a copy of 16 bytes may write this much behind what it is for */
#define DEC_COPY		16

/* long matches are copied in rounds of twice as much */
#define DEC_WIDE_COPY		32

/* most bits of a sequence without long lengths: coded, escaped */
#define DEC_SEQ_BITS		(SEQLZ_TOKEN_BITS + SEQLZ_BLOCK_SHIFT)
#define DEC_ESCAPED_BITS	(DEC_SEQ_BITS + SEQLZ_TOKEN_SYM_BITS)

/* most bits of a long length that a block has room for; of longer ones some may get lost */
#define DEC_LEN_BITS		(SEQLZ_LEN_BITS + SEQLZ_BLOCK_SHIFT - 2)
/* most bits that any long length takes */
#define DEC_ANY_LEN_BITS	(SEQLZ_LEN_BITS + (SEQLZ_NR_LENS - 1 - SEQLZ_LEN_SINGLES) / 2 + 2)

/* no less than from where a sequence starts to the end of its last load of bits */
#define DEC_IN_MARGIN		24

/* this many literals at the end are copied to where more may be read */
#define DEC_LIT_TAIL		64

/* from here on no distance of differences reaches back to before the block */
#define DEC_DIFF_START		16

/**
 * struct dec_run - where decoding is
 * @table: decoding table of the tokens
 * @block: the block
 * @op: where the next byte of output goes
 * @in: what @pos counts from
 * @pos: bits used; negative while a sequence may start
 * @lit: next literal: in the input if literals are not coded, else in the block
 * @lit_stop: up to here DEC_COPY literals may be read
 * @seqs: sequences that may come, negative
 * @shift: @lit - @op - @shift is what matches have yet to fill, less DEC_COPY
 * @last: the repeat offset, negative
 * @from: where differences are to, less @op: @last or a multiple
 */
struct dec_run {
	const u32 *table;
	u8 *block;
	u8 *op;
	const u8 *in;
	long pos;
	long seqs;
	const u8 *lit;
	const u8 *lit_stop;
	unsigned long shift;
	long last;
	long from;
};

/**
 * struct dec_state - a block being decoded
 * @r: where decoding is
 * @in_start: input may be read from here on
 * @in_end: end of the input
 * @in_spare: bytes of input left when @r.pos is zero; zero after the change to @in_tail
 * @lit_start: literals' memory may be read from here on
 * @lit_spare: literals behind @r.lit_stop; zero after the change to @lit_tail
 * @in_tail: the input's end, zeroes behind it
 * @lit_tail: the literals' end, zeroes behind it
 */
struct dec_state {
	struct dec_run r;
	const u8 *in_start;
	const u8 *in_end;
	long in_spare;
	const u8 *lit_start;
	long lit_spare;
	u8 in_tail[2 * DEC_IN_MARGIN];
	u8 lit_tail[DEC_LIT_TAIL + DEC_COPY];
};

/**
 * struct dec_class - what an offset class says
 * @keep: all ones if the offset is that of the match before, else zero
 * @mul: what the value behind the token is multiplied by
 * @add: what is added then, to get the offset, negative
 * @mask: bits of that value
 * @bits: their number
 */
struct dec_class {
	s64 keep;
	s64 mul;
	s64 add;
	u32 mask;
	u32 bits;
};

static const struct dec_class dec_classes[1 << SEQLZ_CLASS_BITS] = {
	[SEQLZ_CLASS_REPEAT] = { .keep = -1 },
	[SEQLZ_CLASS_EIGHT] = { .add = -8 },
	[SEQLZ_CLASS_TWO] = { .add = -2 },
	[SEQLZ_CLASS_TINY] = { .mul = -1, .add = -1, .mask = 0xf, .bits = 4 },
	[SEQLZ_CLASS_NEAR8] = { .mul = -8, .add = -8, .mask = 0x1f, .bits = 5 },
	[SEQLZ_CLASS_NEAR] = { .mul = -1, .add = -1, .mask = 0xff, .bits = 8 },
	[SEQLZ_CLASS_FAR8] = { .mul = -8, .add = -8, .mask = SEQLZ_BLOCK_SIZE / 8 - 1,
			       .bits = SEQLZ_BLOCK_SHIFT - 3 },
	[SEQLZ_CLASS_FAR] = { .mul = -1, .add = -1, .mask = SEQLZ_BLOCK_SIZE - 1,
			      .bits = SEQLZ_BLOCK_SHIFT },
};

static __always_inline u64 dec_rol(u64 bits, u32 nr)
{
	return bits << nr | bits >> (-nr & 63);
}

/* an offset, negative; the bits behind the token have come to the bottom of @bits */
static __always_inline long dec_offset(u32 e, u64 bits, long last)
{
	const struct dec_class *class = (const void *)dec_classes + SEQLZ_ENT_CLASS_X32(e);

	static_assert(sizeof(*class) == 32);
	return (last & (long)class->keep) + (long)((u32)bits & class->mask) * (long)class->mul +
	       (long)class->add;
}

/* add bytes to bytes */
static __always_inline u64 dec_add_bytes(u64 a, u64 b)
{
	const u64 high = 0x8080808080808080ULL;

	return ((a & ~high) + (b & ~high)) ^ ((a ^ b) & high);
}

static __always_inline void dec_copy_8(u8 *to, const u8 *from)
{
	put_unaligned_le64(get_unaligned_le64(from), to);
}

/* 16 bytes, of which the second 8 may be copies of the first */
static __always_inline void dec_copy_16(u8 *to, const u8 *from)
{
	dec_copy_8(to, from);
	dec_copy_8(to + 8, from + 8);
}

/* 8 literals that are differences to what stands at @before */
static __always_inline void dec_undo_8(u8 *op, const u8 *lit, const u8 *before)
{
	put_unaligned_le64(dec_add_bytes(get_unaligned_le64(lit),
					 get_unaligned_le64(before)), op);
}

/* 8 bytes that repeat the lowest @offset bytes of @bytes, 1 to 7 */
static __always_inline u64 dec_pattern(u64 bytes, u32 offset)
{
	/* ones where a pattern of 1 to 7 bytes starts in 8 bytes */
	static const u64 starts[8] = {
		0, 0x0101010101010101ULL, 0x0001000100010001ULL, 0x0001000001000001ULL,
		0x0000000100000001ULL, 0x0000010000000001ULL, 0x0001000000000001ULL,
		0x0100000000000001ULL,
	};

	return (bytes & ((1ULL << 8 * offset) - 1)) * starts[offset];
}

/* what matches have yet to fill, less DEC_COPY */
static __always_inline long dec_room(const struct dec_run *r)
{
	return (unsigned long)r->lit - (unsigned long)r->op - r->shift;
}

/**
 * dec_match_8() - the first 8 bytes of a match
 * @r: where decoding is; the match's offset is known
 *
 * Set @r->from to where the bytes behind them are copied from.
 */
static __always_inline void dec_match_8(struct dec_run *r)
{
	r->from = r->last;
	if (likely(r->last <= -8)) {
		dec_copy_8(r->op, r->op + r->from);
	} else {
		put_unaligned_le64(dec_pattern(get_unaligned_le64(r->op + r->from), -r->last),
				   r->op);
		r->from = -(long)seqlz_diff_distance(-r->last);
	}
}

/**
 * struct dec_long - a sequence of any kind
 * @lit_len: literal length
 * @match_len: match length
 * @offset: offset, negative
 * @used: bits used
 */
struct dec_long {
	u32 lit_len;
	u32 match_len;
	long offset;
	u32 used;
};

/* a long length at @pos + @used, and @used is moved on; @bits start at @pos */
static __always_inline u32 dec_len(const u8 *in, long pos, u64 bits, const u32 *table, u32 *used)
{
	u32 e, extra_bits;

	bits <<= *used;
	if (unlikely(*used > 57 - DEC_LEN_BITS))
		bits = br_load(in, pos + *used);
	e = table[bits >> (64 - SEQLZ_LEN_BITS)];
	extra_bits = SEQLZ_LEN_EXTRA(e);
	*used += SEQLZ_LEN_CODE_LEN(e) + extra_bits;
	return SEQLZ_LEN_BASE(e) + (u32)(bits << SEQLZ_LEN_CODE_LEN(e) >> 1 >> (63 - extra_bits));
}

/* an escaped token: the entry that it would have if it had an own code */
static __always_inline u32 dec_escaped(u64 bits, u32 escape_len)
{
	u32 sym = bits << escape_len >> (64 - SEQLZ_TOKEN_SYM_BITS);
	u32 class = sym >> (SEQLZ_MCODE_BITS + SEQLZ_LCODE_BITS);
	u32 mcode = sym >> SEQLZ_LCODE_BITS & ((1U << SEQLZ_MCODE_BITS) - 1);
	u32 lcode = sym & ((1U << SEQLZ_LCODE_BITS) - 1);
	u32 e = SEQLZ_ENTRY(escape_len + SEQLZ_TOKEN_SYM_BITS + dec_classes[class].bits,
			    class, lcode, mcode);

	if (lcode == SEQLZ_LCODE_LONG || mcode >= SEQLZ_MCODE_LONG)
		e |= SEQLZ_ENT_SLOW;
	return e;
}

/* read a sequence of any kind; a match that is too long is none */
static __always_inline void dec_read_long(const struct dec_run *r, u64 bits, u32 e,
					  struct dec_long *l)
{
	static_assert(DEC_ESCAPED_BITS <= 57);
	static_assert((DEC_ESCAPED_BITS + 2 * DEC_ANY_LEN_BITS + 7) / 8 + 8 <= DEC_IN_MARGIN);

	l->used = SEQLZ_ENT_USED(e);
	l->offset = dec_offset(e, dec_rol(bits, l->used), r->last);
	l->lit_len = SEQLZ_ENT_LIT(e);
	if (l->lit_len == SEQLZ_LCODE_LONG)
		l->lit_len += dec_len(r->in, r->pos, bits, seqlz_len_decode[0], &l->used);
	l->match_len = SEQLZ_ENT_SLOW_MATCH(e);
	if (l->match_len > SEQLZ_SHORT_MATCH_MAX) {
		if (unlikely(l->match_len > SEQLZ_SHORT_MATCH_MAX + 1))
			l->match_len = 2 * SEQLZ_BLOCK_SIZE;
		else
			l->match_len += dec_len(r->in, r->pos, bits, seqlz_len_decode[1],
						&l->used);
	}
}

/**
 * dec_long_seq() - a sequence of any kind, far from every end
 * @r: where decoding is
 * @bits: 57 bits or more, from the sequence on
 * @e: its token's entry
 * @diff: the literals are differences
 *
 * Return: bits used, or 0 if it is not far from every end, or not valid.
 */
static __always_inline u32 dec_long_seq(struct dec_run *r, u64 bits, u32 e, const bool diff)
{
	struct dec_long l;
	const u8 *lit;
	u8 *op = r->op;
	u8 *end;

	dec_read_long(r, bits, e, &l);
	if (dec_room(r) < (long)(l.match_len + DEC_COPY) ||
	    r->lit_stop - r->lit < (long)l.lit_len ||
	    op + l.lit_len + l.offset < r->block)
		return 0;
	lit = r->lit;
	r->lit += l.lit_len;
	r->op += l.lit_len;
	do {
		if (diff) {
			dec_undo_8(op, lit, op + r->from);
			dec_undo_8(op + 8, lit + 8, op + 8 + r->from);
		} else {
			dec_copy_16(op, lit);
		}
		op += DEC_COPY;
		lit += DEC_COPY;
	} while (unlikely(op < r->op));

	r->last = l.offset;
	dec_match_8(r);
	op = r->op;
	end = op + l.match_len;
	dec_copy_8(op + 8, op + 8 + r->from);
	dec_copy_16(op + 16, op + 16 + r->from);
	for (op += DEC_WIDE_COPY; op < end; op += DEC_WIDE_COPY) {
		dec_copy_16(op, op + r->from);
		dec_copy_16(op + 16, op + 16 + r->from);
	}
	r->op = end;
	return l.used;
}

/**
 * dec_fast() - sequences until one is near an end
 * @s: the block
 * @diff: the literals are differences
 *
 * Up to DEC_COPY bytes are written behind a short match, fewer than DEC_WIDE_COPY
 * behind a long one: there is room for them.
 *
 * The next 8 bytes of input are loaded as soon as it is known where a sequence
 * starts. Turned left by the bits from the first byte's start to the sequence's
 * end, they have its offset at the bottom and the next token at the top: so no
 * load of input is in the chain from token to token.
 */
static __always_inline void dec_fast(struct dec_state *s, const bool diff)
{
	struct dec_run r = s->r;
	long room = dec_room(&r);
	u64 ahead = get_unaligned_be64(r.in + (r.pos >> 3));
	u64 bits = ahead << (r.pos & 7);

	static_assert(7 + DEC_ESCAPED_BITS + SEQLZ_TOKEN_BITS <= 64);
	while (likely(r.pos < 0)) {
		u32 e = r.table[bits >> (64 - SEQLZ_TOKEN_BITS)];
		u32 used, match_len, lit_len;
		const u8 *lit = r.lit;
		u8 *op = r.op;
		long offset;

		r.seqs++;
		if (unlikely(e & SEQLZ_ENT_SLOW)) {
			bits = ahead << (r.pos & 7);
			if (SEQLZ_ENT_IS_ESCAPE(e))
				e = dec_escaped(bits, SEQLZ_ENT_USED(e));
			if (e & SEQLZ_ENT_SLOW) {
				used = dec_long_seq(&r, bits, e, diff);
				if (!used) {
					r.seqs--;
					break;
				}
				room = dec_room(&r);
				r.pos += used;
				ahead = get_unaligned_be64(r.in + (r.pos >> 3));
				bits = ahead << (r.pos & 7);
				continue;
			}
		}
		used = SEQLZ_ENT_USED(e);
		match_len = SEQLZ_ENT_MATCH(e);
		lit_len = SEQLZ_ENT_LIT(e);
		bits = dec_rol(ahead, (r.pos & 7) + used);
		offset = dec_offset(e, bits, r.last);
		if (diff) {
			dec_undo_8(op, lit, op + r.from);
			if (lit_len > 8)
				dec_undo_8(op + 8, lit + 8, op + 8 + r.from);
		} else {
			dec_copy_16(op, lit);
		}
		room -= match_len;
		op += lit_len;
		lit += lit_len;
		if (unlikely(room < 0 || lit > r.lit_stop || op + offset < r.block)) {
			r.seqs--;
			break;
		}
		r.pos += used;
		ahead = get_unaligned_be64(r.in + (r.pos >> 3));
		r.op = op;
		r.lit = lit;
		r.last = offset;
		dec_match_8(&r);
		dec_copy_8(op + 8, op + 8 + r.from);
		if (match_len > 16)
			dec_copy_16(op + 16, op + 16 + r.from);
		r.op += match_len;
	}
	/* no one asks for it, so that it need not be kept in the loop */
	if (!diff)
		r.from = 0;
	s->r = r;
}

/* each loop is a function, so that it has the registers for itself */
static noinline void dec_fast_plain(struct dec_state *s)
{
	dec_fast(s, false);
}

static noinline void dec_fast_diff(struct dec_state *s)
{
	dec_fast(s, true);
}

static noinline SEQLZ_BMI2 void dec_fast_plain_bmi2(struct dec_state *s)
{
	dec_fast(s, false);
}

static noinline SEQLZ_BMI2 void dec_fast_diff_bmi2(struct dec_state *s)
{
	dec_fast(s, true);
}

static __always_inline void dec_fast_any(struct dec_state *s, const bool diff)
{
	if (seqlz_has_bmi2()) {
		if (diff)
			dec_fast_diff_bmi2(s);
		else
			dec_fast_plain_bmi2(s);
	} else {
		if (diff)
			dec_fast_diff(s);
		else
			dec_fast_plain(s);
	}
}

/* the last @nr bytes before @end, of which @have may be read, to the end of @tail */
static __always_inline void dec_copy_tail(u8 *tail, const u8 *end, long have, const u32 nr)
{
	if (likely(have >= nr))
		memcpy(tail, end - nr, nr);
	else
		memcpy(tail + nr - have, end - have, have);
}

/* go on in a copy of the last bytes of input: from there zeroes may be read */
static void dec_in_to_tail(struct dec_state *s)
{
	memset(s->in_tail + DEC_IN_MARGIN, 0, DEC_IN_MARGIN);
	dec_copy_tail(s->in_tail, s->in_end, s->in_end - s->in_start, DEC_IN_MARGIN);
	s->r.in = s->in_tail + DEC_IN_MARGIN;
	s->r.pos -= 8 * s->in_spare;
	s->in_spare = 0;
}

static long dec_lits_left(const struct dec_state *s)
{
	return s->r.lit_stop - s->r.lit + s->lit_spare;
}

/* go on in a copy of the last literals: from there more may be read */
static void dec_lit_to_tail(struct dec_state *s)
{
	const u8 *end = s->r.lit_stop + s->lit_spare;
	const u8 *tail_end = s->lit_tail + DEC_LIT_TAIL;

	dec_copy_tail(s->lit_tail, end, end - s->lit_start, DEC_LIT_TAIL);
	memset(s->lit_tail + DEC_LIT_TAIL, 0, DEC_COPY);
	s->r.lit = tail_end - dec_lits_left(s);
	s->r.shift += (unsigned long)tail_end - (unsigned long)end;
	s->r.lit_stop = tail_end;
	s->lit_spare = 0;
}

/* the first @nr of 8 bytes, 1 to 7; nothing behind them is touched, but 8 before are read */
static __always_inline void dec_put_some(u8 *op, u64 bytes, u32 nr)
{
	u64 before = get_unaligned_le64(op + nr - 8);

	put_unaligned_le64((before & ~0ULL >> 8 * nr) | bytes << (64 - 8 * nr), op + nr - 8);
}

/* literals of any number, that move towards the start or come from the input */
static void dec_literals(struct dec_state *s, u32 nr, const bool diff)
{
	u32 dist = -s->r.from;
	const u8 *lit = s->r.lit;
	u8 *op = s->r.op;
	u32 i = 0;

	if (!diff) {
		memmove(op, lit, nr);
	} else {
		for (; i < nr && op + i - s->r.block < dist; i++)
			op[i] = lit[i];
		for (; i + 8 <= nr; i += 8)
			dec_undo_8(op + i, lit + i, op + i - dist);
		for (; i < nr; i++)
			op[i] = lit[i] + *(op + i - dist);
	}
	s->r.op += nr;
	s->r.lit += nr;
}

/* a match, up to its end but no further */
static void dec_match(struct dec_state *s, u32 nr, long offset)
{
	long from = -(long)seqlz_diff_distance(-offset);
	u8 *op = s->r.op, *end = op + nr;

	s->r.op = end;
	s->r.last = offset;
	s->r.from = from;
	if (unlikely(op - s->r.block < 16)) {
		/* not enough before it to read 8 bytes of, whatever they are */
		for (; op < end; op++)
			*op = op[offset];
		return;
	}
	if (offset > -8) {
		/* the 8 bytes before the match hold the pattern, and no byte behind is read */
		u64 bytes = get_unaligned_le64(op - 8) >> (64 + 8 * offset);

		bytes = dec_pattern(bytes, -offset);
		if (nr < 8) {
			dec_put_some(op, bytes, nr);
			return;
		}
		put_unaligned_le64(bytes, op);
		op += 8;
	}
	for (; end - op >= 8; op += 8)
		dec_copy_8(op, op + from);
	if (op < end)
		dec_put_some(op, get_unaligned_le64(op + from), end - op);
}

/* one sequence of any kind, every bound checked */
static noinline int dec_careful(struct dec_state *s, bool diff)
{
	struct dec_long l;
	u64 bits;
	u32 e;

	if (s->r.pos >= 0 || s->r.seqs >= 0)
		return -EBADMSG;
	s->r.seqs++;
	bits = br_load(s->r.in, s->r.pos);
	e = s->r.table[bits >> (64 - SEQLZ_TOKEN_BITS)];
	if (SEQLZ_ENT_IS_ESCAPE(e))
		e = dec_escaped(bits, SEQLZ_ENT_USED(e));
	dec_read_long(&s->r, bits, e, &l);
	if (l.lit_len > dec_lits_left(s) || l.match_len > dec_room(&s->r) + DEC_COPY ||
	    s->r.op + l.lit_len + l.offset < s->r.block ||
	    s->r.pos + (long)l.used > 8 * s->in_spare)
		return -EBADMSG;
	s->r.pos += l.used;
	dec_literals(s, l.lit_len, diff);
	dec_match(s, l.match_len, l.offset);
	return 0;
}

/**
 * dec_sequences() - all sequences of a block
 * @s: the block
 * @diff: the literals are differences
 *
 * There are SEQLZ_MAX_SEQS at most: of more, whatever the block has room for are
 * done before it is refused. All of them may be escaped; with a long match are at
 * most SEQLZ_BLOCK_SIZE / (SEQLZ_SHORT_MATCH_MAX + 1).
 *
 * Few are done with care: with differences, while fewer than DEC_DIFF_START
 * bytes are done; one that takes literals from among the last DEC_LIT_TAIL on,
 * but not before; and what is in the last DEC_WIDE_COPY bytes of the room, with
 * the one that reaches into them. That is 4 + 1 + 9.
 *
 * Return: 0 or -EBADMSG.
 */
static int dec_sequences(struct dec_state *s, const bool diff)
{
	while (dec_room(&s->r) + DEC_COPY > 0) {
		int ret;

		if (s->r.pos >= 0 && s->in_spare)
			dec_in_to_tail(s);
		if (s->lit_spare && dec_lits_left(s) <= DEC_LIT_TAIL)
			dec_lit_to_tail(s);
		/* the fast loop looks back for differences, but not before the start */
		if (dec_room(&s->r) >= 0 && s->r.lit <= s->r.lit_stop &&
		    (!diff || s->r.op - s->r.block >= DEC_DIFF_START)) {
			dec_fast_any(s, diff);
			if ((s->r.pos >= 0 && s->in_spare) ||
			    (s->lit_spare && dec_lits_left(s) <= DEC_LIT_TAIL))
				continue;
		}
		ret = dec_careful(s, diff);
		if (ret)
			return ret;
	}
	return 0;
}

/* literals that are decoded from one load of bits */
#define DEC_LITS_A_LOAD		5

/* bytes that a load of bits reads */
#define DEC_LOAD		8

static_assert(SEQLZ_NR_STREAMS == 6);
static_assert((SEQLZ_NR_STREAMS - 1) * SEQLZ_LIT_BITS < 57);

/* decode one literal; @bits loses its code */
static __always_inline void dec_lit(u64 *bits, const u16 *table, u8 *out)
{
	u32 e = table[*bits >> (64 - SEQLZ_LIT_BITS)];

	*out = SEQLZ_SYM(e);
	*bits <<= SEQLZ_SYM_LEN(e);
}

/* five literals from @bits, of which the lowest is set; returns how many bits they took */
static __always_inline u32 dec_five_lits(u64 bits, const u16 *table, u8 *out)
{
	dec_lit(&bits, table, out);
	dec_lit(&bits, table, out + 1);
	dec_lit(&bits, table, out + 2);
	dec_lit(&bits, table, out + 3);
	dec_lit(&bits, table, out + 4);
	/* where that bit has got to tells */
	return __ffs64(bits);
}

/**
 * struct dec_lits - streams of literals
 * @in: what follows the block's head
 * @len: bytes from there to the end of the block
 * @table: decoding table
 * @front: where the stream of each part is that starts at its front, in bits of @in
 * @back: where the other one is, which goes towards the front
 */
struct dec_lits {
	const u8 *in;
	u32 len;
	const u16 *table;
	s32 front[SEQLZ_NR_PARTS];
	s32 back[SEQLZ_NR_PARTS];
};

/**
 * dec_six_streams() - literals of all streams by turns
 * @l: the streams
 * @out: where the first stream's literals go; those of the others follow
 * @each: number of literals in each
 *
 * Return: how many were decoded in each before input might have run short.
 */
static __always_inline u32 dec_six_streams(struct dec_lits *l, u8 *out, u32 each)
{
	s32 a = l->front[0], b = l->back[0], c = l->front[1];
	s32 d = l->back[1], e = l->front[2], f = l->back[2];
	const s32 last = 8 * (l->len - DEC_LOAD);
	const u16 *table = l->table;
	const u8 *in = l->in;
	u8 *half = out + 3 * each;
	u32 done = 0;

	static_assert(DEC_LITS_A_LOAD * SEQLZ_LIT_BITS < 57);

	while (done + DEC_LITS_A_LOAD <= each) {
		s32 ahead = min(last - a, min(last - c, last - e));
		s32 left = min(ahead, min(b, min(d, f)) - 8 * DEC_LOAD);
		u32 stop;

		/* as many as the input is long enough for, whatever it holds */
		left = min(left / (DEC_LITS_A_LOAD * SEQLZ_LIT_BITS),
			   (s32)(each - done) / DEC_LITS_A_LOAD);
		if (left <= 0)
			break;
		stop = done + left * DEC_LITS_A_LOAD;
		do {
			a += dec_five_lits(br_load(in, a) | 1, table, out + done);
			b -= dec_five_lits(br_load_back(in, b) | 1, table, out + done + each);
			c += dec_five_lits(br_load(in, c) | 1, table, out + done + 2 * each);
			d -= dec_five_lits(br_load_back(in, d) | 1, table, half + done);
			e += dec_five_lits(br_load(in, e) | 1, table, half + done + each);
			f -= dec_five_lits(br_load_back(in, f) | 1, table, half + done + 2 * each);
			done += DEC_LITS_A_LOAD;
		} while (done < stop);
	}
	l->front[0] = a;
	l->back[0] = b;
	l->front[1] = c;
	l->back[1] = d;
	l->front[2] = e;
	l->back[2] = f;
	return done;
}

static noinline u32 dec_six_streams_plain(struct dec_lits *l, u8 *out, u32 each)
{
	return dec_six_streams(l, out, each);
}

static noinline SEQLZ_BMI2 u32 dec_six_streams_bmi2(struct dec_lits *l, u8 *out, u32 each)
{
	return dec_six_streams(l, out, each);
}

/* the last literals of all streams, each with its bound */
static void dec_six_rests(struct dec_lits *l, u8 *out, u32 each, u32 done)
{
	while (done < each) {
		u32 stop = min(done + DEC_LITS_A_LOAD, each), k;
		u64 front[SEQLZ_NR_PARTS], back[SEQLZ_NR_PARTS];

		for (k = 0; k < SEQLZ_NR_PARTS; k++) {
			front[k] = br_load_careful(l->in, l->len, l->front[k]) | 1;
			back[k] = br_load_back_careful(l->in, l->back[k]) | 1;
		}
		for (; done < stop; done++) {
			dec_lit(&front[0], l->table, out + done);
			dec_lit(&back[0], l->table, out + done + each);
			dec_lit(&front[1], l->table, out + done + 2 * each);
			dec_lit(&back[1], l->table, out + done + 3 * each);
			dec_lit(&front[2], l->table, out + done + 4 * each);
			dec_lit(&back[2], l->table, out + done + 5 * each);
		}
		for (k = 0; k < SEQLZ_NR_PARTS; k++) {
			l->front[k] += __ffs64(front[k]);
			l->back[k] -= __ffs64(back[k]);
		}
	}
}

/* literals of one stream; returns how many bits they took */
static __always_inline u32 dec_few_lits(u64 bits, const u16 *table, u8 *out, u32 nr)
{
	u32 i;

	bits |= 1;
	for (i = 0; i < nr; i++)
		dec_lit(&bits, table, out + i);
	return __ffs64(bits);
}

/* the literals of a block that has only one stream */
static int dec_one_stream(struct dec_lits *l, u8 *out, u32 nr)
{
	u32 pos = 0, i;

	for (i = 0; i < nr; i += DEC_LITS_A_LOAD)
		pos += dec_few_lits(br_load_careful(l->in, l->len, pos), l->table, out + i,
				    min_t(u32, nr - i, DEC_LITS_A_LOAD));
	if (pos > 8 * l->len || !br_padding_ok(l->in, pos))
		return -EBADMSG;
	return (pos + 7) / 8;
}

/* where the streams of all parts start; returns where the parts end, or -EBADMSG */
static int dec_parts(struct dec_lits *l, const bool wide)
{
	u32 used = SEQLZ_NR_PARTS << wide;
	bool needed = false;
	u32 k;

	if (l->len < used)
		return -EBADMSG;
	for (k = 0; k < SEQLZ_NR_PARTS; k++) {
		u32 size = wide ? get_unaligned_le16(l->in + 2 * k) : l->in[k];

		l->front[k] = 8 * used;
		used += size;
		l->back[k] = 8 * used;
		needed |= size > 255;
	}
	return used > l->len || needed != wide ? -EBADMSG : used;
}

/**
 * dec_coded_literals() - decode a block's literals
 * @in: what follows the head
 * @in_len: bytes from there to the end of the block
 * @table: decoding table of the literals
 * @wide: sizes of parts have two bytes
 * @nr: number of literals
 * @out: where they go
 *
 * Return: how many bytes of input they take, or -EBADMSG.
 */
static int dec_coded_literals(const u8 *in, u32 in_len, const u16 *table, const bool wide,
			      u32 nr, u8 *out)
{
	struct dec_lits l = { .in = in, .len = in_len, .table = table };
	u32 each = nr / SEQLZ_NR_STREAMS;
	u32 done, k;
	int used;

	if (nr < SEQLZ_SPLIT_MIN)
		return wide ? -EBADMSG : dec_one_stream(&l, out, nr);
	used = dec_parts(&l, wide);
	if (used < 0)
		return used;
	done = seqlz_has_bmi2() ? dec_six_streams_bmi2(&l, out, each) :
				  dec_six_streams_plain(&l, out, each);
	dec_six_rests(&l, out, each, done);
	/* fewer than SEQLZ_NR_STREAMS: one load has them all */
	l.back[SEQLZ_NR_PARTS - 1] -=
		dec_few_lits(br_load_back_careful(in, l.back[SEQLZ_NR_PARTS - 1]), table,
			     out + SEQLZ_NR_STREAMS * each, nr - SEQLZ_NR_STREAMS * each);
	/* where one stream of a part ends the other does */
	for (k = 0; k < SEQLZ_NR_PARTS; k++) {
		if ((l.front[k] + 7) >> 3 != l.back[k] >> 3 ||
		    !br_padding_ok(in, l.front[k]) || !br_back_padding_ok(in, l.back[k]))
			return -EBADMSG;
	}
	return used;
}

static int dec_coded_block(const u8 *in, u32 in_len, u8 *out)
{
	u32 mode = SEQLZ_HEAD_MODE(in[0]), nr_lits = get_unaligned_le16(in + 1);
	bool diff = mode > SEQLZ_NR_PLAIN_TABLES, wide = in[0] & SEQLZ_HEAD_WIDE;
	u32 used = SEQLZ_HEAD_SIZE;
	struct dec_state s;
	const u8 *lits;
	long pos;
	int ret;

	if (mode > SEQLZ_NR_LIT_TABLES || nr_lits > SEQLZ_BLOCK_SIZE)
		return -EBADMSG;
	if (mode) {
		lits = out + SEQLZ_BLOCK_SIZE - nr_lits;
		ret = dec_coded_literals(in + used, in_len - used,
					 seqlz_lit_decode[mode - 1], wide, nr_lits,
					 out + SEQLZ_BLOCK_SIZE - nr_lits);
		if (ret < 0)
			return ret;
		s.lit_start = out;
		used += ret;
	} else {
		if (nr_lits > in_len - used || wide)
			return -EBADMSG;
		lits = in + used;
		s.lit_start = in;
		used += nr_lits;
	}
	s.r.table = seqlz_token_decode[SEQLZ_HEAD_TABLE(in[0])];
	s.r.block = out;
	s.r.op = out;
	s.r.in = in + in_len - DEC_IN_MARGIN;
	s.r.pos = 8L * (used + DEC_IN_MARGIN) - 8L * in_len;
	s.r.lit = lits;
	s.r.lit_stop = lits + nr_lits - DEC_COPY;
	s.r.shift = (unsigned long)lits - (unsigned long)(out + SEQLZ_BLOCK_SIZE - nr_lits) +
		    DEC_COPY;
	s.r.seqs = -SEQLZ_MAX_SEQS;
	s.r.last = -SEQLZ_FIRST_OFFSET;
	s.r.from = -(long)seqlz_diff_distance(SEQLZ_FIRST_OFFSET);
	s.in_start = in;
	s.in_end = in + in_len;
	s.in_spare = DEC_IN_MARGIN;
	s.lit_spare = DEC_COPY;

	ret = dec_sequences(&s, diff);
	if (ret)
		return ret;
	/* what is left is in its place but for what has to be done to it */
	if (diff || !mode)
		dec_literals(&s, dec_lits_left(&s), diff);

	pos = s.r.pos + 8L * (in_len - s.in_spare);
	if ((pos + 7) / 8 != in_len || !br_padding_ok(in, pos))
		return -EBADMSG;
	return 0;
}

static int dec_block(const u8 *in, size_t in_len, u8 *out)
{
	if (in_len && in[0] == SEQLZ_HEAD_STORED) {
		if (in_len != SEQLZ_STORED_SIZE)
			return -EBADMSG;
		memcpy(out, in + 1, SEQLZ_BLOCK_SIZE);
		return 0;
	}
	/* no coded block is longer, which also keeps bit counts in range */
	if (in_len < SEQLZ_HEAD_SIZE || in_len >= SEQLZ_STORED_SIZE)
		return -EBADMSG;
	return dec_coded_block(in, in_len, out);
}

int seqlz_decompress(const void *src, size_t src_len, void *dst)
{
	const u8 *in = src;
	u8 *out = dst;
	u32 i;

	for (i = 1; i < SEQLZ_NR_BLOCKS; i++) {
		size_t len;
		int ret;

		if (src_len < SEQLZ_SIZE_BYTES)
			return -EBADMSG;
		len = get_unaligned_le16(in);
		in += SEQLZ_SIZE_BYTES;
		src_len -= SEQLZ_SIZE_BYTES;
		if (len > src_len)
			return -EBADMSG;
		ret = dec_block(in, len, out);
		if (ret)
			return ret;
		in += len;
		src_len -= len;
		out += SEQLZ_BLOCK_SIZE;
	}
	return dec_block(in, src_len, out);
}
EXPORT_SYMBOL_GPL(seqlz_decompress);
