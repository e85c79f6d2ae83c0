// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz: the lowest level, from a block to its bytes in one pass
 *
 * A sequence is coded as soon as it is found. Literals are not coded: they are
 * copied to where they stand in the coded block, while the sequences' bits are
 * put aside until it is known where the literals end. The first sequences are
 * held back to choose the token table by them.
 *
 * What takes the time here is waiting: where a match is, and how long, are hard
 * to predict, and the next search cannot start before both are known. So there
 * is no search for a better match, and all that does not help to get to the
 * next search is kept out of the way to it.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include "seqlz_bits.h"
#include "seqlz_offset.h"
#include "seqlz_private.h"
#include "seqlz_tables.h"

#define FAST_HASH_BITS		(SEQLZ_BLOCK_SHIFT == 12 ? 11 : 12)

/* positions are skipped after two to the power of this many pairs had no match */
#define FAST_SKIP_SHIFT		4

/* literals are copied by so many bytes */
#define FAST_LIT_COPY		16

/* sequences by which the token table is chosen */
#define FAST_NR_FIRST		16

/* most bits of a sequence: an escaped token, its offset and two long lengths */
#define FAST_SEQ_BITS		(SEQLZ_TOKEN_BITS + SEQLZ_TOKEN_SYM_BITS + SEQLZ_BLOCK_SHIFT + \
				 2 * (SEQLZ_LEN_BITS + SEQLZ_BLOCK_SHIFT - 2))
/* the last of which may be written as 8 bytes */
#define FAST_SEQ_ROOM		(FAST_SEQ_BITS / 8 + 1 + 8)

/*
 * Sequences that take more bits than there is room for do not pay: what is left
 * of the block stays literals.
 */
#define FAST_BITS_ROOM		(SEQLZ_BLOCK_SHIFT == 12 ? 4096 : 8224)

struct seqlz_fast_mem {
	u16 head[1U << FAST_HASH_BITS];		/* by hash: newest position */
	u8 bits[FAST_BITS_ROOM];
};

size_t seqlz_fast_memory(void)
{
	static_assert(sizeof(struct seqlz_fast_mem) <= (SEQLZ_BLOCK_SHIFT == 12 ? 8192 : 16416));
	static_assert(FAST_BITS_ROOM > (FAST_NR_FIRST + 1) * FAST_SEQ_ROOM);

	return sizeof(struct seqlz_fast_mem);
}

/**
 * struct fast_bits - writes bits to memory that has room for them
 * @acc: bits written, the newest lowest
 * @nr: number of all bits written
 * @start: where the first one went
 */
struct fast_bits {
	u64 acc;
	size_t nr;
	u8 *start;
};

/* 1 to 57 bits; the bytes are complete but for the last, filled up with zeros */
static __always_inline void fast_put(struct fast_bits *b, u64 val, u32 nr)
{
	u32 have = (b->nr & 7) + nr;

	b->acc = b->acc << nr | val;
	put_unaligned_be64(b->acc << (64 - have), b->start + (b->nr >> 3));
	b->nr += nr;
}

static __always_inline void fast_put_len(struct fast_bits *b, const u16 *codes, u32 len)
{
	u32 extra_bits, code = codes[seqlz_len_code(len, &extra_bits)];

	fast_put(b, SEQLZ_CODE(code) << extra_bits | (len & ((1U << extra_bits) - 1)),
		 SEQLZ_CODE_LEN(code) + extra_bits);
}

/**
 * struct fast_seq - a sequence
 * @token: its token
 * @bits: number of offset bits behind it
 * @extra: the offset bits
 * @lit_len: literal length
 * @mlen: match length less SEQLZ_MIN_MATCH
 */
struct fast_seq {
	u16 token;
	u16 bits;
	u16 extra;
	u16 lit_len;
	u16 mlen;
};

static __always_inline bool fast_is_long(u32 lit_len, u32 mlen)
{
	return lit_len >= SEQLZ_LCODE_LONG || mlen >= SEQLZ_MCODE_LONG;
}

static __always_inline u32 fast_token(u32 kind, u32 lcode, u32 mcode)
{
	return SEQLZ_KIND_CLASS(kind) | mcode << SEQLZ_LCODE_BITS | lcode;
}

static __always_inline u32 fast_long_token(u32 kind, u32 lit_len, u32 mlen)
{
	return fast_token(kind, min_t(u32, lit_len, SEQLZ_LCODE_LONG),
			  min_t(u32, mlen, SEQLZ_MCODE_LONG));
}

static __always_inline void fast_put_token(struct fast_bits *b, const u16 *codes,
					   u32 token, u32 bits, u32 extra)
{
	u32 code = codes[token], nr = SEQLZ_CODE_LEN(code);

	static_assert(SEQLZ_TOKEN_BITS + SEQLZ_TOKEN_SYM_BITS + SEQLZ_BLOCK_SHIFT <= 57);

	code = SEQLZ_CODE(code);
	if (unlikely(!nr)) {
		u32 escape = codes[SEQLZ_TOKEN_ESCAPE];

		code = SEQLZ_CODE(escape) << SEQLZ_TOKEN_SYM_BITS | token;
		nr = SEQLZ_CODE_LEN(escape) + SEQLZ_TOKEN_SYM_BITS;
	}
	fast_put(b, (u64)code << bits | extra, nr + bits);
}

static __always_inline void fast_put_lens(struct fast_bits *b, u32 lit_len, u32 mlen)
{
	if (lit_len >= SEQLZ_LCODE_LONG)
		fast_put_len(b, seqlz_len_codes[0], lit_len - SEQLZ_LCODE_LONG);
	if (mlen >= SEQLZ_MCODE_LONG)
		fast_put_len(b, seqlz_len_codes[1], mlen - SEQLZ_MCODE_LONG);
}

/* a sequence; the ones without long lengths are not kept waiting for the others */
static __always_inline void fast_put_seq(struct fast_bits *b, const u16 *codes, u32 kind,
					 u32 extra, u32 lit_len, u32 mlen)
{
	u32 bits = SEQLZ_KIND_BITS(kind);

	if (likely(!fast_is_long(lit_len, mlen))) {
		fast_put_token(b, codes, fast_token(kind, lit_len, mlen), bits, extra);
		return;
	}
	fast_put_token(b, codes, fast_long_token(kind, lit_len, mlen), bits, extra);
	fast_put_lens(b, lit_len, mlen);
}

/* the token table that suits sequences best */
static u32 fast_choose_table(const struct fast_seq *seqs, u32 nr)
{
	u32 even = 0, odd = 0, best = 0, i;
	u32 cost[4];

	/* 16-bit lanes */
	static_assert(SEQLZ_NR_TOKEN_TABLES == 4);

	for (i = 0; i < nr; i++) {
		u32 prices = seqlz_token_prices[seqs[i].token];

		even += prices & 0xff00ff;
		odd += prices >> 8 & 0xff00ff;
	}
	cost[0] = even & 0xffff;
	cost[1] = odd & 0xffff;
	cost[2] = even >> 16;
	cost[3] = odd >> 16;
	for (i = 1; i < SEQLZ_NR_TOKEN_TABLES; i++) {
		if (cost[i] < cost[best])
			best = i;
	}
	return best;
}

/* choose a token table by the first sequences and write them; returns the table */
static noinline u32 fast_put_first(struct fast_bits *b, const struct fast_seq *seqs, u32 nr)
{
	u32 i, table = fast_choose_table(seqs, nr);

	for (i = 0; i < nr; i++) {
		const struct fast_seq *s = &seqs[i];

		fast_put_token(b, seqlz_token_codes[table], s->token, s->bits, s->extra);
		fast_put_lens(b, s->lit_len, s->mlen);
	}
	return table;
}

/**
 * struct fast_finder - finds matches
 * @src: the block
 * @back: one repeat offset before @src
 * @head: by hash: newest position
 * @kind: (output) how the offset of the match found is coded
 */
struct fast_finder {
	const u8 *src;
	const u8 *back;
	u16 *head;
	u32 kind;
};

static __always_inline u16 *fast_slot(const struct fast_finder *f, u64 bytes)
{
	return &f->head[mf_hash(bytes, FAST_HASH_BITS)];
}

/**
 * fast_find() - enter a position and look for a match there
 * @f: the finder; the match's offset becomes its repeat offset
 * @pos: the position
 *
 * The repeat offset has a branch of its own, as it is known long before the
 * candidate's bytes are.
 *
 * Return: whether there is one.
 */
static __always_inline bool fast_find(struct fast_finder *f, size_t pos)
{
	u64 bytes = get_unaligned_le64(f->src + pos);
	u16 *slot = fast_slot(f, bytes);
	u32 cand = *slot, offset;

	*slot = pos;
	if (get_unaligned_le32(f->back + pos) == (u32)bytes) {
		f->kind = SEQLZ_KIND_REPEAT;
		return true;
	}
	if (likely(get_unaligned_le32(f->src + cand) != (u32)bytes))
		return false;
	offset = pos - cand;
	f->back = f->src - offset;
	f->kind = seqlz_offset_kind(offset);
	return true;
}

static __always_inline void fast_copy_16(u8 *to, const u8 *from)
{
	put_unaligned_le64(get_unaligned_le64(from), to);
	put_unaligned_le64(get_unaligned_le64(from + 8), to + 8);
}

/* copy a run of literals; what is behind them may be read, too */
static __always_inline bool fast_copy_lits(u8 *to, const u8 *to_end, const u8 *from, size_t nr)
{
	size_t i;

	if (unlikely(to_end - to < nr + FAST_LIT_COPY)) {
		if (to_end - to < nr)
			return false;
		memcpy(to, from, nr);
		return true;
	}
	fast_copy_16(to, from);
	for (i = FAST_LIT_COPY; unlikely(i < nr); i += FAST_LIT_COPY)
		fast_copy_16(to + i, from + i);
	return true;
}

/* head and sequences, when the literals are in their place already */
static int fast_finish(u8 *dst, size_t dst_len, u8 *lit_end, u32 table, const struct fast_bits *b)
{
	size_t nr_lits = lit_end - dst - SEQLZ_HEAD_SIZE, len = (b->nr + 7) / 8;

	if (SEQLZ_HEAD_SIZE + nr_lits + len > dst_len)
		return -ENOSPC;
	dst[0] = table;
	put_unaligned_le16(nr_lits, dst + 1);
	memcpy(lit_end, b->start, len);
	return SEQLZ_HEAD_SIZE + nr_lits + len;
}

int seqlz_fast(const u8 *src, struct seqlz_fast_mem *mem, u8 *dst, size_t dst_len)
{
	/* two positions are searched at a time */
	const size_t limit = SEQLZ_BLOCK_SIZE - MF_TAIL - 1;
	struct fast_finder f = { .src = src, .back = src - SEQLZ_FIRST_OFFSET, .head = mem->head };
	struct fast_bits b = { .start = mem->bits }, tmp;
	u8 *lit = dst + SEQLZ_HEAD_SIZE, *dst_end = dst + dst_len;
	struct fast_seq first[FAST_NR_FIRST];
	const u16 *codes = NULL;
	size_t pos = 1, anchor = 0, len;
	u32 nr_first = 0, nr_seqs = 0, table = 0;

	if (dst_len < SEQLZ_HEAD_SIZE)
		return -ENOSPC;
	memset(mem->head, 0, sizeof(mem->head));

	for (;;) {
		u32 misses = 1U << FAST_SKIP_SHIFT;
		u32 lit_len, mlen, extra;

		while (!fast_find(&f, pos) && !fast_find(&f, ++pos)) {
			pos += misses++ >> FAST_SKIP_SHIFT;
			if (unlikely(pos > limit))
				goto no_more;
		}
		mlen = mf_match_len(src + pos, f.back + pos, src + SEQLZ_BLOCK_SIZE);
		lit_len = pos - anchor;
		if (!fast_copy_lits(lit, dst_end, src + anchor, lit_len))
			return -ENOSPC;
		lit += lit_len;
		pos += mlen;
		anchor = pos;
		mlen -= SEQLZ_MIN_MATCH;

		extra = (u32)(src - f.back - 1) >> SEQLZ_KIND_SHIFT(f.kind);
		if (unlikely(!codes)) {
			first[nr_first++] = (struct fast_seq) {
				fast_long_token(f.kind, lit_len, mlen),
				SEQLZ_KIND_BITS(f.kind), extra, lit_len, mlen
			};
			if (nr_first == FAST_NR_FIRST) {
				tmp = b;
				table = fast_put_first(&tmp, first, nr_first);
				b = tmp;
				codes = seqlz_token_codes[table];
			}
		} else {
			fast_put_seq(&b, codes, f.kind, extra, lit_len, mlen);
		}
		if (pos > limit || b.nr > 8 * (FAST_BITS_ROOM - FAST_SEQ_ROOM) ||
		    ++nr_seqs == SEQLZ_MAX_SEQS)
			break;
		*fast_slot(&f, get_unaligned_le64(src + pos - 2)) = pos - 2;
	}
no_more:
	len = SEQLZ_BLOCK_SIZE - anchor;
	if (!anchor || dst_end - lit < len)
		return -ENOSPC;
	memcpy(lit, src + anchor, len);
	lit += len;

	if (!codes) {
		tmp = b;
		table = fast_put_first(&tmp, first, nr_first);
		b = tmp;
	}
	return fast_finish(dst, dst_len, lit, table, &b);
}
