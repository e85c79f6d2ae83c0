// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz: encoder, from a block's sequences to its bytes
 *
 * First everything is priced with all tables at once, a byte lane for each;
 * then the cheapest ones code the block.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include "seqlz_bits.h"
#include "seqlz_private.h"
#include "seqlz_tables.h"

/*
 * So many bits must be saved by coding literals, and by differences besides, for
 * these also by every 8 literals: the decoder takes time for the one and more for
 * the other, though a smaller part of what a large block takes. A block that is
 * recompressed is not read often.
 */
struct enc_toll {
	u32 coded;
	u32 diff;
	u32 diff_each_8;
};

static const struct enc_toll enc_toll_fast = {
	.coded = SEQLZ_BLOCK_SHIFT == 12 ? 384 : 128,
	.diff = SEQLZ_BLOCK_SHIFT == 12 ? 336 : 256,
	.diff_each_8 = SEQLZ_BLOCK_SHIFT == 12 ? 3 : 2,
};

static const struct enc_toll enc_toll_small = { };

/**
 * struct enc_walk - a walk along a block's sequences
 * @src: the block
 * @w: the sequence to come
 * @end: end of the sequences
 * @longs: the next long lengths
 * @pos: where the literals to come stand in the block
 * @taken: how many of the sequence's literals were taken before
 * @dist: distance of the differences in this run
 * @even: what the tokens on the way cost with tables 0 and 2, 16 bits each
 * @odd: the same with tables 1 and 3
 */
struct enc_walk {
	const u8 *src;
	const u32 *w;
	const u32 *end;
	const u32 *longs;
	u32 pos;
	u32 taken;
	u32 dist;
	u32 even;
	u32 odd;
};

/* how a block is going to be coded */
struct enc_plan {
	u32 token_table;
	bool coded;		/* literals are */
	u32 lit_table;
};

static void enc_walk_init(struct enc_walk *walk, const u8 *src,
			  const struct seqlz_workmem *wm, const struct seqlz_parse *parse)
{
	*walk = (struct enc_walk){
		.src = src,
		.w = wm->words,
		.end = wm->words + parse->nr_seqs,
		.longs = wm->words + SEQLZ_MAX_WORDS - 1,
		.dist = seqlz_diff_distance(SEQLZ_FIRST_OFFSET),
	};
}

/* subtract bytes from bytes */
static __always_inline u64 enc_sub_bytes(u64 a, u64 b)
{
	const u64 high = 0x8080808080808080ULL;

	return ((a | high) - (b & ~high)) ^ ((a ^ ~b) & high);
}

/* 8 literals to @to, and SEQLZ_LITS_ROOM behind it what they are as differences */
static __always_inline void enc_copy_8(const u8 *src, u32 dist, u8 *to)
{
	u64 lits = get_unaligned_le64(src);

	put_unaligned_le64(lits, to);
	put_unaligned_le64(enc_sub_bytes(lits, get_unaligned_le64(src - dist)),
			   to + SEQLZ_LITS_ROOM);
}

/* @nr literals, anywhere in the block */
static noinline void enc_copy_careful(const u8 *src, u32 pos, u32 nr, u32 dist, u8 *to)
{
	u32 end = pos + nr;

	for (; pos < end && pos < dist; pos++, to++) {
		to[0] = src[pos];
		to[SEQLZ_LITS_ROOM] = src[pos];
	}
	for (; pos < end && pos + 8 <= SEQLZ_BLOCK_SIZE; pos += 8, to += 8)
		enc_copy_8(src + pos, dist, to);
	for (; pos < end; pos++, to++) {
		to[0] = src[pos];
		to[SEQLZ_LITS_ROOM] = src[pos] - *(src + pos - dist);
	}
}

/* @nr literals; mostly they are few */
static __always_inline void enc_copy(const struct enc_walk *walk, u32 nr, u8 *to)
{
	const u8 *p = walk->src + walk->pos;

	/* no distance reaches back before the block from position 16 on */
	if (unlikely(walk->pos - 16 > SEQLZ_BLOCK_SIZE - 32)) {
		enc_copy_careful(walk->src, walk->pos, nr, walk->dist, to);
		return;
	}
	enc_copy_8(p, walk->dist, to);
	if (unlikely(nr > 8))
		enc_copy_careful(walk->src, walk->pos + 8, nr - 8, walk->dist, to + 8);
}

/**
 * enc_gather() - collect literals and their differences
 * @walk_on: where they come from
 * @lits: (output) literals, and SEQLZ_LITS_ROOM behind them differences
 * @nr: how many; at most SEQLZ_GATHER_MAX
 *
 * Up to SEQLZ_LITS_SLACK bytes more than @nr are written.
 */
static void enc_gather(struct enc_walk *walk_on, u8 *lits, u32 nr)
{
	/* a copy that no store can change lives in registers */
	struct enc_walk walk = *walk_on;

	for (; walk.w < walk.end; walk.w++) {
		u32 price = seqlz_token_prices[SEQLZ_SEQ_TOKEN(*walk.w)];
		const u32 *longs = walk.longs;
		struct seqlz_seq seq;

		seqlz_get_seq(*walk.w, &longs, &seq);
		/* all literals of a smaller block are gathered at once */
		if (SEQLZ_BLOCK_SIZE > SEQLZ_LITS_ROOM) {
			seq.lit_len -= walk.taken;
			if (unlikely(seq.lit_len > nr)) {
				walk.taken += nr;
				break;
			}
			walk.taken = 0;
		}
		enc_copy(&walk, seq.lit_len, lits);
		walk.longs = longs;
		lits += seq.lit_len;
		nr -= seq.lit_len;
		walk.pos += seq.lit_len + seq.mlen + SEQLZ_MIN_MATCH;
		walk.dist = seqlz_diff_distance(seq.offset);
		walk.even += price & 0xff00ff;
		walk.odd += price >> 8 & 0xff00ff;
	}
	enc_copy(&walk, nr, lits);
	walk.pos += nr;
	*walk_on = walk;
}

static __always_inline u64 enc_price_8(const u64 *prices, const u8 *lits)
{
	return prices[lits[0]] + prices[lits[1]] + prices[lits[2]] + prices[lits[3]] +
	       prices[lits[4]] + prices[lits[5]] + prices[lits[6]] + prices[lits[7]];
}

static __always_inline u64 enc_price_24(const u64 *prices, const u8 *lits)
{
	return enc_price_8(prices, lits) + enc_price_8(prices, lits + 8) +
	       enc_price_8(prices, lits + 16);
}

/**
 * enc_price_lits() - what literals cost with eight tables
 * @prices: code lengths of the tables, side by side
 * @lits: the literals
 * @nr: how many; at most SEQLZ_GATHER_MAX
 * @bits: (output) bits by table
 *
 * Of 48 literals 24 are looked at: that is enough to choose by.
 */
static void enc_price_lits(const u64 *prices, const u8 *lits, u32 nr, u32 *bits)
{
	const u64 even = 0x00ff00ff00ff00ffULL;
	u64 sum[2] = { 0, 0 };
	u64 acc;
	u32 i;

	static_assert(24 * SEQLZ_LIT_BITS <= 255);
	static_assert(SEQLZ_GATHER_MAX * SEQLZ_LIT_BITS <= 65535);

	for (; nr >= 48; nr -= 48, lits += 48) {
		acc = enc_price_24(prices, lits);
		sum[0] += 2 * (acc & even);
		sum[1] += 2 * (acc >> 8 & even);
	}
	if (nr >= 24) {
		acc = enc_price_24(prices, lits);
		sum[0] += acc & even;
		sum[1] += acc >> 8 & even;
		nr -= 24;
		lits += 24;
	}
	for (i = 0, acc = 0; i < nr; i++)
		acc += prices[lits[i]];
	sum[0] += acc & even;
	sum[1] += acc >> 8 & even;
	for (i = 0; i < 8; i++)
		bits[i] = sum[i & 1] >> 16 * (i / 2) & 0xffff;
}

/* bytes that coding @nr literals costs beside their codes, about */
static u32 enc_lits_overhead(u32 nr)
{
	return nr < SEQLZ_SPLIT_MIN ? 1 : SEQLZ_NR_STREAMS + SEQLZ_NR_PARTS;
}

/* the cheapest literal table, by as many literals as memory holds */
static void enc_plan_lits(struct enc_plan *plan, const struct seqlz_workmem *wm,
			  u32 nr_priced, u32 nr_tables, const struct enc_toll *toll)
{
	u32 coded = 8 * enc_lits_overhead(nr_priced) + toll->coded;
	u32 diff = toll->diff + toll->diff_each_8 * nr_priced / 8;
	u32 best = 8 * nr_priced;
	u32 bits[8], t;

	plan->coded = false;
	for (t = 0; t < nr_tables; t++) {
		bool is_diff = t >= SEQLZ_NR_PLAIN_TABLES;
		u32 cost;

		if (t % 8 == 0)
			enc_price_lits(seqlz_lit_prices[t / 8], wm->lits[is_diff],
				       nr_priced, bits);
		cost = bits[t % 8] + coded + (is_diff ? diff : 0);
		if (cost < best) {
			best = cost;
			plan->coded = true;
			plan->lit_table = t;
		}
	}
}

static void enc_plan_tokens(struct enc_plan *plan, const struct enc_walk *walk)
{
	u32 cost[4] = { walk->even & 0xffff, walk->odd & 0xffff,
			walk->even >> 16, walk->odd >> 16 };
	u32 t;

	/* 16-bit lanes */
	static_assert(SEQLZ_NR_TOKEN_TABLES == 4);
	static_assert(SEQLZ_MAX_WORDS * (SEQLZ_TOKEN_BITS + SEQLZ_TOKEN_SYM_BITS) <= 65535);

	plan->token_table = 0;
	for (t = 1; t < SEQLZ_NR_TOKEN_TABLES; t++) {
		if (cost[t] < cost[plan->token_table])
			plan->token_table = t;
	}
}

static __always_inline void enc_len(struct seqlz_bitwriter *bw, const u16 *codes,
				    u32 len)
{
	u32 extra_bits, code = codes[seqlz_len_code(len, &extra_bits)];

	bw_put(bw, SEQLZ_CODE(code), SEQLZ_CODE_LEN(code));
	bw_put(bw, len & ((1U << extra_bits) - 1), extra_bits);
	bw_flush(bw);
}

/* of each class: number of offset bits, and by how many an offset is shifted before */
#define ENC_CLASS(class, bits, shift)	((u64)((bits) | (shift) << 4) << 8 * (class))
#define ENC_CLASSES \
	(ENC_CLASS(SEQLZ_CLASS_TINY, 4, 0) | ENC_CLASS(SEQLZ_CLASS_NEAR8, 5, 3) | \
	 ENC_CLASS(SEQLZ_CLASS_NEAR, 8, 0) | \
	 ENC_CLASS(SEQLZ_CLASS_FAR8, SEQLZ_BLOCK_SHIFT - 3, 3) | \
	 ENC_CLASS(SEQLZ_CLASS_FAR, SEQLZ_BLOCK_SHIFT, 0))

/* @code of @len bits for the token, and the offset's bits behind it */
static __always_inline void enc_token(struct seqlz_bitwriter *bw, u32 w, u64 code, u32 len)
{
	u32 class = ENC_CLASSES >> 8 * SEQLZ_SEQ_CLASS(w);
	u32 extra = (SEQLZ_SEQ_OFFSET(w) - 1) >> (class >> 4 & 3);
	u32 bits = class & 15;

	/* a token, its offset and 7 bits from before fit between two flushes */
	static_assert(7 + SEQLZ_TOKEN_BITS + SEQLZ_TOKEN_SYM_BITS + SEQLZ_BLOCK_SHIFT <= 57);

	bw_put(bw, code << bits | (extra & ((1U << bits) - 1)), len + bits);
	bw_flush(bw);
}

/* a token without a code */
static void enc_escaped(struct seqlz_bitwriter *bw, u32 w, u32 escape)
{
	static_assert(SEQLZ_NR_TOKENS == 1U << SEQLZ_TOKEN_SYM_BITS);

	enc_token(bw, w, SEQLZ_CODE(escape) << SEQLZ_TOKEN_SYM_BITS | SEQLZ_SEQ_TOKEN(w),
		  SEQLZ_CODE_LEN(escape) + SEQLZ_TOKEN_SYM_BITS);
}

/* the sequences; returns where the next byte goes, or NULL */
static u8 *enc_sequences(const struct seqlz_workmem *wm, const struct seqlz_parse *parse,
			 const u16 *codes, u8 *dst, u8 *dst_end)
{
	const u32 *w = wm->words, *end = wm->words + parse->nr_seqs;
	const u32 *longs = wm->words + SEQLZ_MAX_WORDS - 1;
	struct seqlz_bitwriter bw;

	bw_init(&bw, dst, dst_end);
	for (; w < end; w++) {
		u32 code = codes[SEQLZ_SEQ_TOKEN(*w)];
		struct seqlz_seq seq;

		if (likely(code))
			enc_token(&bw, *w, SEQLZ_CODE(code), SEQLZ_CODE_LEN(code));
		else
			enc_escaped(&bw, *w, codes[SEQLZ_TOKEN_ESCAPE]);
		if (likely(!(*w & SEQLZ_SEQ_LONG)))
			continue;
		seqlz_get_seq(*w, &longs, &seq);
		if (seq.lit_len >= SEQLZ_LCODE_LONG)
			enc_len(&bw, seqlz_len_codes[0], seq.lit_len - SEQLZ_LCODE_LONG);
		if (seq.mlen >= SEQLZ_MCODE_LONG)
			enc_len(&bw, seqlz_len_codes[1], seq.mlen - SEQLZ_MCODE_LONG);
	}
	return bw_finish(&bw);
}

/* a literal; the writer's count of bits is right only in its low 6 bits then */
static __always_inline void enc_lit(struct seqlz_bitwriter *bw, u32 e)
{
	bw->acc = bw->acc << SEQLZ_LIT_LEN(e) | SEQLZ_LIT_CODE(e);
	bw->nr += e;
}

/* two literals: put together first, since what is written waits for what was before */
static __always_inline void enc_two_lits(struct seqlz_bitwriter *bw, u32 e, u32 f)
{
	u32 code = SEQLZ_LIT_CODE(e) << SEQLZ_LIT_LEN(f) | SEQLZ_LIT_CODE(f);

	e += f;
	bw->acc = bw->acc << SEQLZ_LIT_LEN(e) | code;
	bw->nr += e;
}

static __always_inline void enc_flush_lits(struct seqlz_bitwriter *bw)
{
	bw->nr &= 63;
	bw_flush(bw);
}

/* one stream of literals; returns where the next byte goes, or NULL */
static u8 *enc_stream(const u8 *lits, u32 nr, const u16 *codes, u8 *dst, u8 *end)
{
	struct seqlz_bitwriter bw;
	u32 i;

	static_assert(7 + 5 * SEQLZ_LIT_BITS < 64);

	bw_init(&bw, dst, end);
	for (; nr >= 5; nr -= 5, lits += 5) {
		enc_two_lits(&bw, codes[lits[0]], codes[lits[1]]);
		enc_two_lits(&bw, codes[lits[2]], codes[lits[3]]);
		enc_lit(&bw, codes[lits[4]]);
		enc_flush_lits(&bw);
	}
	for (i = 0; i < nr; i++)
		enc_lit(&bw, codes[lits[i]]);
	enc_flush_lits(&bw);
	return bw_finish(&bw);
}

/**
 * struct enc_source - hands out a block's literals, a stream at a time
 * @next: the next literals, if all of them are at hand
 * @walk: else where they come from
 * @lits: and where they are gathered: literals, differences
 * @diff: which of both to hand out
 */
struct enc_source {
	const u8 *next;
	struct enc_walk walk;
	u8 (*lits)[SEQLZ_LITS_ROOM];
	bool diff;
};

static const u8 *enc_take(struct enc_source *from, u32 nr)
{
	const u8 *lits = from->next;

	if (lits) {
		from->next += nr;
		return lits;
	}
	enc_gather(&from->walk, from->lits[0], nr);
	return from->lits[from->diff];
}

/* put a stream's bytes in reverse */
static void enc_reverse(u8 *p, u8 *end)
{
	for (; end - p >= 16; p += 8) {
		u64 bytes = get_unaligned_le64(p);

		end -= 8;
		put_unaligned_le64(get_unaligned_be64(end), p);
		put_unaligned_be64(bytes, end);
	}
	for (; end - p >= 2; p++) {
		u8 byte = *--end;

		*end = *p;
		*p = byte;
	}
}

/* give sizes two bytes each, before the parts up to @p; returns the new end, or NULL */
static u8 *enc_widen(const u32 *size, u8 *sizes, u8 *p, u8 *end)
{
	u8 *parts = sizes + SEQLZ_NR_PARTS;
	u32 k;

	if (end - p < SEQLZ_NR_PARTS)
		return NULL;
	memmove(parts + SEQLZ_NR_PARTS, parts, p - parts);
	for (k = 0; k < SEQLZ_NR_PARTS; k++)
		put_unaligned_le16(size[k], sizes + 2 * k);
	return p + SEQLZ_NR_PARTS;
}

/*
 * The parts behind their sizes; returns where the next byte goes, or NULL. @wide is
 * set if the sizes have two bytes each.
 */
static u8 *enc_split(struct enc_source *from, u32 nr, const u16 *codes, u8 *p, u8 *end,
		     bool *wide)
{
	u32 each = nr / SEQLZ_NR_STREAMS;
	u32 size[SEQLZ_NR_PARTS];
	u8 *sizes = p;
	u32 k;

	if (end - p < SEQLZ_NR_PARTS)
		return NULL;
	p += SEQLZ_NR_PARTS;
	for (k = 0; k < SEQLZ_NR_PARTS; k++) {
		u8 *start = p, *mid;

		mid = enc_stream(enc_take(from, each), each, codes, p, end);
		if (!mid)
			return NULL;
		nr -= 2 * each;
		if (k == SEQLZ_NR_PARTS - 1)
			each += nr;
		p = enc_stream(enc_take(from, each), each, codes, mid, end);
		if (!p)
			return NULL;
		enc_reverse(mid, p);
		size[k] = p - start;
		sizes[k] = size[k];
		*wide |= size[k] > 255;
	}
	return *wide ? enc_widen(size, sizes, p, end) : p;
}

/* uncoded literals; returns where the next byte goes, or NULL */
static u8 *enc_raw_lits(struct enc_source *from, u32 nr, u8 *p, u8 *end)
{
	if (end - p < nr)
		return NULL;
	while (nr) {
		u32 take = from->next ? nr : min_t(u32, nr, SEQLZ_GATHER_MAX);

		memcpy(p, enc_take(from, take), take);
		p += take;
		nr -= take;
	}
	return p;
}

/* coded literals; returns where the next byte goes, or NULL */
static u8 *enc_coded_lits(struct enc_source *from, u32 nr, const u16 *codes, u8 *p, u8 *end,
			  bool *wide)
{
	if (nr >= SEQLZ_SPLIT_MIN)
		return enc_split(from, nr, codes, p, end, wide);
	return enc_stream(enc_take(from, nr), nr, codes, p, end);
}

/* hand out all literals from the first on; those gathered for the plan are used again */
static void enc_source_init(struct enc_source *from, const u8 *src, struct seqlz_workmem *wm,
			    const struct seqlz_parse *parse, bool diff)
{
	*from = (struct enc_source){ .lits = wm->lits, .diff = diff };
	if (!parse->nr_seqs)
		from->next = src;
	else if (parse->nr_lits <= SEQLZ_GATHER_MAX)
		from->next = wm->lits[diff];
	else
		enc_walk_init(&from->walk, src, wm, parse);
}

/* choose the tables */
static void enc_plan(struct enc_plan *plan, const u8 *src, struct seqlz_workmem *wm,
		     const struct seqlz_parse *parse, int level)
{
	const struct enc_toll *toll = level > SEQLZ_LEVEL_DEFAULT ? &enc_toll_small :
								    &enc_toll_fast;
	u32 nr_priced = min_t(u32, parse->nr_lits, SEQLZ_GATHER_MAX);
	struct enc_walk walk;

	if (!parse->nr_seqs) {
		memcpy(wm->lits[0], src, nr_priced);
		enc_plan_lits(plan, wm, nr_priced, SEQLZ_NR_PLAIN_TABLES, toll);
		return;
	}
	enc_walk_init(&walk, src, wm, parse);
	enc_gather(&walk, wm->lits[0], nr_priced);
	enc_plan_tokens(plan, &walk);
	enc_plan_lits(plan, wm, nr_priced, SEQLZ_NR_LIT_TABLES, toll);
}

int seqlz_encode(const u8 *src, struct seqlz_workmem *wm,
		 const struct seqlz_parse *parse, int level, u8 *dst, size_t dst_len)
{
	u8 *start = dst + SEQLZ_HEAD_SIZE, *end = dst + dst_len, *p = NULL;
	struct enc_source from;
	struct enc_plan plan = { 0 };
	bool wide = false;
	u32 mode = 0;

	if (dst_len < SEQLZ_HEAD_SIZE)
		return -ENOSPC;

	enc_plan(&plan, src, wm, parse, level);
	if (plan.coded) {
		/* the plan was made by a sample: coded literals may come out longer */
		enc_source_init(&from, src, wm, parse, plan.lit_table >= SEQLZ_NR_PLAIN_TABLES);
		p = enc_coded_lits(&from, parse->nr_lits, seqlz_lit_codes[plan.lit_table],
				   start, start + min_t(size_t, end - start, parse->nr_lits),
				   &wide);
		mode = plan.lit_table + 1;
	}
	if (!p) {
		enc_source_init(&from, src, wm, parse, false);
		p = enc_raw_lits(&from, parse->nr_lits, start, end);
		mode = 0;
		wide = false;
	}
	dst[0] = (wide ? SEQLZ_HEAD_WIDE : 0) | mode << 2 | plan.token_table;
	put_unaligned_le16(parse->nr_lits, dst + 1);
	if (p)
		p = enc_sequences(wm, parse, seqlz_token_codes[plan.token_table], p, end);
	return p ? p - dst : -ENOSPC;
}
