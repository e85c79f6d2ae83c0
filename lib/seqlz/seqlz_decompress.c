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
 * Most sequences go through a fast loop, which runs as long as there is enough
 * of everything for any sequence that is not marked as slow: room to copy more
 * than a match needs, literals, and input. The others are done one at a time,
 * with every bound checked.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/seqlz.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <asm/page.h>
#include "seqlz_bits.h"
#include "seqlz_private.h"
#include "seqlz_tables.h"

/* the fast loop copies this much for every literal run and match */
#define DEC_LIT_COPY		16
#define DEC_MATCH_COPY		32

/*
 * Room that a sequence in the fast loop needs: what is copied for its match,
 * and as many literals as it may take that are not there.
 */
#define DEC_ROOM_MARGIN		(DEC_MATCH_COPY + DEC_LIT_COPY)

/* most bits of a sequence without long lengths: coded, escaped */
#define DEC_SEQ_BITS		(SEQLZ_TOKEN_BITS + SEQLZ_BLOCK_SHIFT)
#define DEC_ESCAPED_BITS	(DEC_SEQ_BITS + SEQLZ_TOKEN_SYM_BITS)

/* most bits of a long length */
#define DEC_LEN_BITS		(SEQLZ_LEN_BITS + SEQLZ_BLOCK_SHIFT - 2)

/* no less than from where a sequence starts to the end of its last load of bits */
#define DEC_IN_MARGIN		24

/**
 * struct dec_state - a block being decoded
 * @table: decoding table of the tokens
 * @in: the sequences' bits
 * @in_len: bytes that may be read from @in on
 * @in_before: bytes that may be read before @in
 * @pos: bits of @in used
 * @start: start of the block
 * @op: where the next byte of output goes
 * @lit: next literal: in the input if literals are not coded, else in the
 *	block, at @op + @room
 * @lit_start: from here on the literals' memory may be read
 * @nr_lits: literals left; always @op + @room + @nr_lits is the block's end
 * @room: bytes that matches have yet to fill
 * @last: the repeat offset
 */
struct dec_state {
	const u32 *table;
	const u8 *in;
	s32 in_len;
	s32 in_before;
	s32 pos;
	u8 *start;
	u8 *op;
	const u8 *lit;
	const u8 *lit_start;
	s32 nr_lits;
	s32 room;
	u32 last;
};

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

/* 8 literals that are differences to the bytes @dist back */
static __always_inline void dec_undo_8(u8 *op, const u8 *lit, u32 dist)
{
	put_unaligned_le64(dec_add_bytes(get_unaligned_le64(lit),
					 get_unaligned_le64(op - dist)), op);
}

/* the first 8 bytes of a match whose offset is below 8 */
static __always_inline u64 dec_pattern(const u8 *op, u32 offset)
{
	/* ones where a pattern of 1 to 7 bytes starts in 8 bytes */
	static const u64 starts[8] = {
		0, 0x0101010101010101ULL, 0x0001000100010001ULL, 0x0001000001000001ULL,
		0x0000000100000001ULL, 0x0000010000000001ULL, 0x0001000000000001ULL,
		0x0100000000000001ULL,
	};
	u64 bytes = get_unaligned_le64(op - offset);

	return (bytes & ((1ULL << 8 * offset) - 1)) * starts[offset];
}

/* a long length from the top of @bits; @used is moved on */
static __always_inline u32 dec_len(u64 bits, const u16 *table, u32 *used)
{
	u32 e = table[bits >> (64 - SEQLZ_LEN_BITS)];
	u32 code = SEQLZ_SYM(e), extra_bits;

	*used += SEQLZ_SYM_LEN(e);
	if (code < SEQLZ_LEN_SINGLES)
		return code;
	extra_bits = (code - SEQLZ_LEN_SINGLES) / 2 + 2;
	*used += extra_bits;
	bits <<= SEQLZ_SYM_LEN(e);
	return (2 | (code & 1)) << extra_bits | (u32)(bits >> (64 - extra_bits));
}

/* an escaped token: the entry that it would have if it had an own code */
static noinline u32 dec_escaped(u64 bits, u32 escape_len)
{
	u32 sym = bits << escape_len >> (64 - SEQLZ_TOKEN_SYM_BITS);
	u32 class = sym >> (SEQLZ_MCODE_BITS + SEQLZ_LCODE_BITS);
	u32 mcode = sym >> SEQLZ_LCODE_BITS & ((1U << SEQLZ_MCODE_BITS) - 1);
	u32 lcode = sym & ((1U << SEQLZ_LCODE_BITS) - 1);
	u32 len = escape_len + SEQLZ_TOKEN_SYM_BITS;

	return seqlz_token_entry(SEQLZ_BLOCK_SHIFT, len, class, mcode, lcode);
}

/* the last @nr bytes before @end, of which @have may be read, to the end of @tail */
static __always_inline void dec_copy_tail(u8 *tail, const u8 *end, long have, const u32 nr)
{
	if (likely(have >= nr))
		memcpy(tail, end - nr, nr);
	else
		memcpy(tail + nr - have, end - have, have);
}

/**
 * struct dec_run - where the fast loop is
 * @in: what @pos counts from
 * @pos: bits used; negative while a sequence may start
 * @lit_base: what @lits counts from
 * @lits: literals used; negative while any sequence finds enough of them
 * @room: bytes filled by matches; negative while there is enough for any
 * @in_is_tail: @in is in a copy of the last bytes of input
 * @lit_is_tail: @lit_base is in a copy of the last literals
 */
struct dec_run {
	const u8 *in;
	long pos;
	const u8 *lit_base;
	long lits;
	long room;
	bool in_is_tail;
	bool lit_is_tail;
};

/**
 * dec_to_tail() - go on in a copy of the last bytes of input, or of literals
 * @s: the block
 * @run: the fast loop
 * @in_tail: (output) the input's end, zeroes behind it
 * @lit_tail: (output) the literals' end, with something behind it
 *
 * There, as much may be read as anywhere else.
 *
 * Return: whether the fast loop can go on.
 */
static __always_inline bool dec_to_tail(const struct dec_state *s, struct dec_run *run,
					u8 *in_tail, u8 *lit_tail)
{
	const u8 *lit_end = s->lit + s->nr_lits;

	if (run->pos >= 0) {
		if (run->in_is_tail)
			return false;
		memset(in_tail, 0, 2 * DEC_IN_MARGIN);
		dec_copy_tail(in_tail, s->in + s->in_len, s->in_len + s->in_before,
			      DEC_IN_MARGIN);
		run->in = in_tail + DEC_IN_MARGIN;
		run->pos -= 8 * DEC_IN_MARGIN;
		run->in_is_tail = true;
	}
	if (run->lits >= 0) {
		if (run->lit_is_tail)
			return false;
		dec_copy_tail(lit_tail, lit_end, lit_end - s->lit_start, DEC_LIT_COPY);
		run->lits -= DEC_LIT_COPY;
		run->lit_base = lit_tail + DEC_LIT_COPY + 1;
		run->lit_is_tail = true;
	}
	return true;
}

/**
 * dec_fast() - sequences far from every end
 * @s: the block
 * @diff: the literals are differences
 *
 * A sequence writes up to DEC_MATCH_COPY bytes behind its literals, which the
 * room takes, and reads up to DEC_LIT_COPY literals. The next 8 bytes of input
 * are loaded before it is known how far the current sequence reaches: they are
 * shifted then, so that no load is in the chain from token to token. They hold
 * 57 bits, enough for two sequences or an escaped one.
 *
 * Whatever there must be enough of is counted up to zero: together with the
 * entry's sign, one branch sees whether the next sequence may be done here.
 */
static __always_inline int dec_fast(struct dec_state *s, const bool diff)
{
	struct dec_run run = {
		.in = s->in + s->in_len - DEC_IN_MARGIN,
		.pos = s->pos - 8 * (s->in_len - DEC_IN_MARGIN),
		.lit_base = s->lit + s->nr_lits - (DEC_LIT_COPY - 1),
		.lits = DEC_LIT_COPY - 1 - s->nr_lits,
		.room = DEC_ROOM_MARGIN - 1 - s->room,
	};
	u8 in_tail[2 * DEC_IN_MARGIN], lit_tail[3 * DEC_LIT_COPY];
	const u8 *lit_end = s->lit + s->nr_lits;
	long dist = seqlz_diff_distance(s->last);
	const u32 *table = s->table;
	u32 back = s->last - 1;
	u8 *op = s->op;
	u64 bits, ahead;
	int ret = 0;

	static_assert(2 * DEC_SEQ_BITS <= 57);
	static_assert(DEC_ESCAPED_BITS <= 57);
	static_assert((DEC_ESCAPED_BITS + 2 * DEC_LEN_BITS + 7) / 8 + 8 <= DEC_IN_MARGIN);

	ahead = br_load_careful(s->in, s->in_len, s->pos);
	bits = ahead;
	for (;;) {
		u32 e = table[bits >> (64 - SEQLZ_TOKEN_BITS)];
		u32 match_len = SEQLZ_ENT_MCODE(e) + SEQLZ_MIN_MATCH;
		u32 lit_len = SEQLZ_ENT_LCODE(e);
		u32 used = SEQLZ_ENT_ALL(e);
		const u8 *from;

		if (unlikely((s32)(e & run.pos & run.room & run.lits) >= 0)) {
			if (run.room >= 0)
				break;
			if ((run.pos & run.lits) >= 0) {
				if (!dec_to_tail(s, &run, in_tail, lit_tail))
					break;
				continue;
			}
			bits = ahead;
			if (SEQLZ_ENT_MCODE(e) == SEQLZ_MCODE_ESCAPE) {
				e = dec_escaped(bits, SEQLZ_ENT_LEN(e));
				match_len = SEQLZ_ENT_MCODE(e) + SEQLZ_MIN_MATCH;
				lit_len = SEQLZ_ENT_LCODE(e);
				used = SEQLZ_ENT_ALL(e);
			}
			if (!(e & SEQLZ_ENT_FAST)) {
				if (SEQLZ_ENT_MCODE(e) > SEQLZ_MCODE_LONG)
					break;
				if (lit_len == SEQLZ_LCODE_LONG)
					lit_len += dec_len(br_load(run.in, run.pos + used),
							   seqlz_len_decode[0], &used);
				if (match_len > SEQLZ_SHORT_MATCH_MAX)
					match_len += dec_len(br_load(run.in, run.pos + used),
							     seqlz_len_decode[1], &used);
				if ((long)((run.pos + used) & (run.room + match_len) &
					   (run.lits + lit_len)) >= 0)
					break;
				for (; lit_len > DEC_LIT_COPY; lit_len -= 8) {
					if (diff)
						dec_undo_8(op, run.lit_base + run.lits, dist);
					else
						dec_copy_8(op, run.lit_base + run.lits);
					op += 8;
					run.lits += 8;
				}
				run.pos += used;
				used = 0;
				ahead = br_load(run.in, run.pos);
			}
		}
		/* a repeated offset has no bits of its own that are set */
		back &= SEQLZ_ENT_REPEAT_MASK(e);
		back |= (u32)(bits << SEQLZ_ENT_LEN(e) >> 1 >> SEQLZ_ENT_SHIFT(e)) |
			SEQLZ_ENT_LOW(e);
		bits = ahead << used;
		run.pos += used;
		ahead = br_load(run.in, run.pos);

		if (diff) {
			dec_undo_8(op, run.lit_base + run.lits, dist);
			if (lit_len > 8)
				dec_undo_8(op + 8, run.lit_base + run.lits + 8, dist);
		} else {
			dec_copy_16(op, run.lit_base + run.lits);
		}
		op += lit_len;
		run.lits += lit_len;

		if (unlikely(op - s->start <= (long)back)) {
			ret = -EBADMSG;
			break;
		}
		if (likely(back >= 7)) {
			dist = back + 1L;
			from = op - dist;
			dec_copy_8(op, from);
		} else {
			dist = seqlz_diff_distance(back + 1);
			from = op - dist;
			put_unaligned_le64(dec_pattern(op, back + 1), op);
		}
		dec_copy_8(op + 8, from + 8);
		if (match_len > 16) {
			u32 i;

			dec_copy_16(op + 16, from + 16);
			for (i = DEC_MATCH_COPY; unlikely(i < match_len); i += DEC_MATCH_COPY) {
				dec_copy_16(op + i, from + i);
				dec_copy_16(op + i + 16, from + i + 16);
			}
		}
		op += match_len;
		run.room += match_len;
	}
	if (run.lit_is_tail)
		run.lits += DEC_LIT_COPY;
	s->pos = run.pos + 8 * (s->in_len - (run.in_is_tail ? 0 : DEC_IN_MARGIN));
	s->room = DEC_ROOM_MARGIN - 1 - run.room;
	s->nr_lits = DEC_LIT_COPY - 1 - run.lits;
	s->lit = lit_end - s->nr_lits;
	s->op = op;
	s->last = back + 1;
	return s->nr_lits < 0 ? -EBADMSG : ret;
}

static noinline int dec_fast_plain(struct dec_state *s)
{
	return dec_fast(s, false);
}

static noinline int dec_fast_diff(struct dec_state *s)
{
	return dec_fast(s, true);
}

/* literals of any number, that move towards the start or come from the input */
static void dec_literals(struct dec_state *s, u32 nr, const bool diff)
{
	u32 dist = seqlz_diff_distance(s->last);
	u8 *op = s->op;
	const u8 *lit = s->lit;
	u32 i = 0;

	if (!diff) {
		memmove(op, lit, nr);
	} else {
		for (; i < nr && op + i - s->start < dist; i++)
			op[i] = lit[i];
		for (; i + 8 <= nr; i += 8)
			dec_undo_8(op + i, lit + i, dist);
		for (; i < nr; i++)
			op[i] = lit[i] + *(op + i - dist);
	}
	s->op += nr;
	s->lit += nr;
	s->nr_lits -= nr;
}

static void dec_match(struct dec_state *s, u32 nr, u32 offset)
{
	u32 dist = seqlz_diff_distance(offset);
	u8 *op = s->op;
	u32 i = 0;

	/* a multiple of the offset reaches no further back, but for the first 8 */
	if (offset < 8) {
		for (; i < nr && i < 8; i++)
			op[i] = *(op + i - offset);
	}
	for (; i + 8 <= nr; i += 8)
		dec_copy_8(op + i, op + i - dist);
	for (; i < nr; i++)
		op[i] = *(op + i - dist);
	s->op += nr;
	s->room -= nr;
	s->last = offset;
}

static u64 dec_peek(const struct dec_state *s, u32 used)
{
	return br_load_careful(s->in, s->in_len, s->pos + used);
}

/* one sequence of any kind, every bound checked */
static int dec_slow(struct dec_state *s, const bool diff)
{
	u64 bits = dec_peek(s, 0);
	u32 e = s->table[bits >> (64 - SEQLZ_TOKEN_BITS)];
	u32 lit_len, match_len, offset, used;

	if (SEQLZ_ENT_MCODE(e) == SEQLZ_MCODE_ESCAPE)
		e = dec_escaped(bits, SEQLZ_ENT_LEN(e));
	offset = ((u32)(bits << SEQLZ_ENT_LEN(e) >> 1 >> SEQLZ_ENT_SHIFT(e)) |
		  SEQLZ_ENT_LOW(e)) + 1;
	if (e & SEQLZ_ENT_REPEAT)
		offset = s->last;
	used = SEQLZ_ENT_ALL(e);
	lit_len = SEQLZ_ENT_LCODE(e);
	if (lit_len == SEQLZ_LCODE_LONG)
		lit_len += dec_len(dec_peek(s, used), seqlz_len_decode[0], &used);
	match_len = SEQLZ_ENT_MCODE(e);
	if (match_len == SEQLZ_MCODE_LONG)
		match_len += dec_len(dec_peek(s, used), seqlz_len_decode[1], &used);
	else if (match_len > SEQLZ_MCODE_LONG)
		return -EBADMSG;
	match_len += SEQLZ_MIN_MATCH;

	if (lit_len > s->nr_lits || match_len > s->room ||
	    offset > s->op + lit_len - s->start || s->pos + used > s->in_len * 8)
		return -EBADMSG;
	s->pos += used;
	dec_literals(s, lit_len, diff);
	dec_match(s, match_len, offset);
	return 0;
}

static int dec_sequences(struct dec_state *s, const bool diff)
{
	int ret = 0;

	/* each sequence takes SEQLZ_MIN_MATCH or more of the room */
	while (!ret && s->room) {
		/* the fast loop looks back for differences, but not before the start */
		if (s->room >= DEC_ROOM_MARGIN &&
		    (!diff || s->op - s->start >= DEC_LIT_COPY))
			ret = diff ? dec_fast_diff(s) : dec_fast_plain(s);
		if (!ret && s->room)
			ret = dec_slow(s, diff);
	}
	return ret;
}

/**
 * struct dec_stream - a stream of literals
 * @in: where it starts
 * @len: bytes that may be read from @in on
 * @pos: bits used
 * @out: where its literals go
 */
struct dec_stream {
	const u8 *in;
	u32 len;
	u32 pos;
	u8 *out;
};

/* literals that are decoded from one load of bits */
#define DEC_LITS_A_LOAD		5

static __always_inline u64 dec_some_lits(u64 bits, const u16 *table, u8 *out)
{
	u32 i;

	for (i = 0; i < DEC_LITS_A_LOAD; i++) {
		u32 e = table[bits >> (64 - SEQLZ_LIT_BITS)];

		out[i] = SEQLZ_SYM(e);
		bits <<= SEQLZ_SYM_LEN(e);
	}
	return bits;
}

static __always_inline bool dec_may_load(const struct dec_stream *st)
{
	return (st->pos >> 3) + 8 <= st->len;
}

/**
 * dec_four_streams() - literals of four streams by turns
 * @st: the streams
 * @table: decoding table of the literals
 * @nr: number of literals in each
 *
 * The lowest bit of what is loaded is set: where it is after the shifts tells
 * how many bits were used.
 *
 * Return: how many were decoded before input ran short.
 */
static u32 dec_four_streams(struct dec_stream *st, const u16 *table, u32 nr)
{
	u32 done = 0;

	static_assert(DEC_LITS_A_LOAD * SEQLZ_LIT_BITS < 57);

	while (done + DEC_LITS_A_LOAD <= nr && dec_may_load(&st[0]) &&
	       dec_may_load(&st[1]) && dec_may_load(&st[2]) && dec_may_load(&st[3])) {
		u64 a = br_load(st[0].in, st[0].pos) | 1;
		u64 b = br_load(st[1].in, st[1].pos) | 1;
		u64 c = br_load(st[2].in, st[2].pos) | 1;
		u64 d = br_load(st[3].in, st[3].pos) | 1;

		st[0].pos += __ffs64(dec_some_lits(a, table, st[0].out + done));
		st[1].pos += __ffs64(dec_some_lits(b, table, st[1].out + done));
		st[2].pos += __ffs64(dec_some_lits(c, table, st[2].out + done));
		st[3].pos += __ffs64(dec_some_lits(d, table, st[3].out + done));
		done += DEC_LITS_A_LOAD;
	}
	return done;
}

/**
 * dec_stream_rest() - the last literals of a stream, one at a time
 * @st: the stream
 * @table: decoding table of the literals
 * @from: number of literals decoded so far
 * @to: number of literals in all
 *
 * Return: the stream's length in bytes, or -EBADMSG.
 */
static int dec_stream_rest(struct dec_stream *st, const u16 *table, u32 from, u32 to)
{
	for (; from < to; from++) {
		u64 bits = br_load_careful(st->in, st->len, st->pos);
		u32 e = table[bits >> (64 - SEQLZ_LIT_BITS)];

		st->out[from] = SEQLZ_SYM(e);
		st->pos += SEQLZ_SYM_LEN(e);
	}
	if (st->pos > 8 * st->len || !br_padding_ok(st->in, st->pos))
		return -EBADMSG;
	return (st->pos + 7) / 8;
}

/**
 * dec_coded_literals() - decode a block's literals
 * @in: what follows the head
 * @in_len: bytes from there to the end of the block
 * @table: decoding table of the literals
 * @nr: number of literals
 * @out: where they go
 *
 * Return: how many bytes of input they take, or -EBADMSG.
 */
static int dec_coded_literals(const u8 *in, u32 in_len, const u16 *table, u32 nr, u8 *out)
{
	u32 quarter = nr >= SEQLZ_SPLIT_MIN ? nr / 4 : 0;
	struct dec_stream st[4];
	u32 size[3], used = 0, done = 0, k;
	int len;

	if (quarter) {
		bool wide = seqlz_wide_sizes(nr);

		used = wide ? 6 : 3;
		if (in_len < used)
			return -EBADMSG;
		for (k = 0; k < 3; k++) {
			size[k] = wide ? get_unaligned_le16(in + 2 * k) : in[k];
			st[k] = (struct dec_stream){ in + used, in_len - used, 0,
						     out + k * quarter };
			if (size[k] > in_len - used)
				return -EBADMSG;
			used += size[k];
		}
	}
	st[3] = (struct dec_stream){ in + used, in_len - used, 0, out + 3 * quarter };

	if (quarter)
		done = dec_four_streams(st, table, quarter);
	for (k = 0; quarter && k < 3; k++) {
		if (dec_stream_rest(&st[k], table, done, quarter) != size[k])
			return -EBADMSG;
	}
	len = dec_stream_rest(&st[3], table, done, nr - 3 * quarter);
	return len < 0 ? len : used + len;
}

static int dec_coded_block(const u8 *in, u32 in_len, u8 *out)
{
	u32 mode = in[0] >> 2, nr_lits = get_unaligned_le16(in + 1), used = SEQLZ_HEAD_SIZE;
	struct dec_state s = {
		.table = seqlz_token_decode[in[0] & 3],
		.start = out,
		.op = out,
		.last = SEQLZ_FIRST_OFFSET,
	};
	bool diff = mode > SEQLZ_NR_PLAIN_TABLES;
	int ret;

	if (mode > SEQLZ_NR_LIT_TABLES || nr_lits > SEQLZ_BLOCK_SIZE)
		return -EBADMSG;
	if (mode) {
		u8 *lits = out + SEQLZ_BLOCK_SIZE - nr_lits;

		ret = dec_coded_literals(in + used, in_len - used,
					 seqlz_lit_decode[mode - 1], nr_lits, lits);
		if (ret < 0)
			return ret;
		s.lit = lits;
		s.lit_start = out;
		used += ret;
	} else {
		if (nr_lits > in_len - used)
			return -EBADMSG;
		s.lit = in + used;
		s.lit_start = in;
		used += nr_lits;
	}
	s.in = in + used;
	s.in_len = in_len - used;
	s.in_before = used;
	s.nr_lits = nr_lits;
	s.room = SEQLZ_BLOCK_SIZE - nr_lits;

	ret = dec_sequences(&s, diff);
	if (ret)
		return ret;
	/* what is left is in its place but for what has to be done to it */
	if (diff || !mode)
		dec_literals(&s, s.nr_lits, diff);

	if ((s.pos + 7) / 8 != s.in_len || !br_padding_ok(s.in, s.pos))
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
