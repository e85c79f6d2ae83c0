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

/* literals are left uncoded unless coding saves this share of them: it costs time */
#define ENC_CODE_SHIFT	5

/**
 * struct enc_lits - walks over a block's literals
 * @src: the block
 * @w: words of the sequences to come
 * @end: end of the words
 * @pos: where the next literal stands in the block
 * @run: literals left of the run at @pos
 * @match: length of the match behind the run
 * @dist: distance of the differences in this run
 * @next_dist: distance in the next run
 */
struct enc_lits {
	const u8 *src;
	const u32 *w;
	const u32 *end;
	u32 pos;
	u32 run;
	u32 match;
	u32 dist;
	u32 next_dist;
};

/* how a block is going to be coded */
struct enc_plan {
	u32 token_table;
	bool coded;		/* literals are */
	u32 lit_table;
};

static __always_inline void enc_next_run(struct enc_lits *l)
{
	struct seqlz_seq seq;

	l->pos += l->match;
	l->dist = l->next_dist;
	if (l->w == l->end) {
		l->run = SEQLZ_BLOCK_SIZE - l->pos;
		l->match = 0;
		return;
	}
	l->w = seqlz_next_seq(l->w, &seq);
	l->run = seq.lit_len;
	l->match = seq.mlen + SEQLZ_MIN_MATCH;
	l->next_dist = seqlz_diff_distance(seq.offset);
}

static void enc_lits_init(struct enc_lits *l, const u8 *src,
			  const struct seqlz_parse *parse)
{
	l->src = src;
	l->w = parse->seqs;
	l->end = parse->seqs + parse->nr_words;
	l->pos = 0;
	l->match = 0;
	l->next_dist = seqlz_diff_distance(SEQLZ_FIRST_OFFSET);
	enc_next_run(l);
}

/* subtract bytes from bytes */
static __always_inline u64 enc_sub_bytes(u64 a, u64 b)
{
	const u64 high = 0x8080808080808080ULL;

	return ((a | high) - (b & ~high)) ^ ((a ^ ~b) & high);
}

/* up to 8 bytes of a run, and what they are as differences */
static __always_inline void enc_copy_8(const struct enc_lits *l, u32 pos,
				       u8 *plain, u8 *diff)
{
	u64 lits = get_unaligned_le64(l->src + pos);

	put_unaligned_le64(lits, plain);
	put_unaligned_le64(enc_sub_bytes(lits, get_unaligned_le64(l->src + pos - l->dist)),
			   diff);
}

/* literals at either end of the block, where 8 bytes would be too many */
static void enc_copy_careful(const struct enc_lits *l, u32 nr, u8 *plain, u8 *diff)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		u32 pos = l->pos + i;
		u8 before = pos >= l->dist ? l->src[pos - l->dist] : 0;

		plain[i] = l->src[pos];
		diff[i] = l->src[pos] - before;
	}
}

/**
 * enc_gather() - collect literals and their differences
 * @walk: where they come from
 * @plain: (output) literals
 * @diff: (output) differences
 * @nr: how many; at most SEQLZ_GATHER_MAX
 *
 * Up to SEQLZ_LITS_SLACK bytes more than @nr are written.
 */
static void enc_gather(struct enc_lits *walk, u8 *plain, u8 *diff, u32 nr)
{
	/* a copy that no store can change lives in registers */
	struct enc_lits l = *walk;

	for (;;) {
		u32 take = min(l.run, nr);
		u32 i;

		if (likely(l.pos >= l.dist && l.pos + take + 8 <= SEQLZ_BLOCK_SIZE)) {
			enc_copy_8(&l, l.pos, plain, diff);
			for (i = 8; unlikely(i < take); i += 8)
				enc_copy_8(&l, l.pos + i, plain + i, diff + i);
		} else {
			enc_copy_careful(&l, take, plain, diff);
		}
		plain += take;
		diff += take;
		nr -= take;
		l.pos += take;
		l.run -= take;
		if (!nr)
			break;
		enc_next_run(&l);
	}
	*walk = l;
}

static __always_inline u64 enc_price_8(const u64 *prices, const u8 *lits)
{
	return prices[lits[0]] + prices[lits[1]] + prices[lits[2]] + prices[lits[3]] +
	       prices[lits[4]] + prices[lits[5]] + prices[lits[6]] + prices[lits[7]];
}

/**
 * enc_price_lits() - what literals cost with eight tables
 * @prices: code lengths of the tables, side by side
 * @lits: the literals
 * @nr: how many; at most SEQLZ_GATHER_MAX
 * @bits: (output) bits by table
 */
static void enc_price_lits(const u64 *prices, const u8 *lits, u32 nr, u32 *bits)
{
	const u64 even = 0x00ff00ff00ff00ffULL;
	u64 sum[2] = { 0, 0 };
	u64 acc;
	u32 i;

	static_assert(24 * SEQLZ_LIT_BITS <= 255);
	static_assert(SEQLZ_GATHER_MAX * SEQLZ_LIT_BITS <= 65535);

	for (; nr >= 24; nr -= 24, lits += 24) {
		acc = enc_price_8(prices, lits) + enc_price_8(prices, lits + 8) +
		      enc_price_8(prices, lits + 16);
		sum[0] += acc & even;
		sum[1] += acc >> 8 & even;
	}
	for (i = 0, acc = 0; i < nr; i++)
		acc += prices[lits[i]];
	sum[0] += acc & even;
	sum[1] += acc >> 8 & even;
	for (i = 0; i < 8; i++)
		bits[i] = sum[i & 1] >> 16 * (i / 2) & 0xffff;
}

/* bytes that coding @nr literals costs beside their codes, at most */
static u32 enc_lits_overhead(u32 nr)
{
	if (nr < SEQLZ_SPLIT_MIN)
		return 1;
	return SEQLZ_NR_STREAMS + SEQLZ_NR_PARTS * (seqlz_wide_sizes(nr) ? 2 : 1);
}

/* the cheapest literal table, by as many literals as memory holds */
static void enc_plan_lits(struct enc_plan *plan, const struct seqlz_workmem *wm,
			  u32 nr_priced, u32 nr_tables)
{
	u32 best = 8 * nr_priced - (8 * nr_priced >> ENC_CODE_SHIFT);
	u32 bits[8], t;

	plan->coded = false;
	for (t = 0; t < nr_tables; t++) {
		u32 cost;

		if (t % 8 == 0)
			enc_price_lits(seqlz_lit_prices[t / 8],
				       wm->lits[t >= SEQLZ_NR_PLAIN_TABLES],
				       nr_priced, bits);
		cost = bits[t % 8] + 8 * enc_lits_overhead(nr_priced);
		if (cost < best) {
			best = cost;
			plan->coded = true;
			plan->lit_table = t;
		}
	}
}

static void enc_plan_tokens(struct enc_plan *plan, const struct seqlz_parse *parse)
{
	const u32 *w = parse->seqs, *end = parse->seqs + parse->nr_words;
	u32 even = 0, odd = 0;
	u32 cost[4], t;

	/* 16-bit lanes */
	static_assert(SEQLZ_NR_TOKEN_TABLES == 4);
	static_assert(SEQLZ_MAX_WORDS * (SEQLZ_TOKEN_BITS + SEQLZ_TOKEN_SYM_BITS) <= 65535);

	while (w < end) {
		struct seqlz_seq seq;
		u32 prices;

		w = seqlz_next_seq(w, &seq);
		prices = seqlz_token_prices[seqlz_token(&seq)];
		even += prices & 0xff00ff;
		odd += prices >> 8 & 0xff00ff;
	}
	cost[0] = even & 0xffff;
	cost[1] = odd & 0xffff;
	cost[2] = even >> 16;
	cost[3] = odd >> 16;
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

/* the sequences; returns where the next byte goes, or NULL */
static u8 *enc_sequences(const struct seqlz_parse *parse, const u16 *codes,
			 u8 *dst, u8 *dst_end)
{
	const u32 *w = parse->seqs, *end = parse->seqs + parse->nr_words;
	u32 escape = codes[SEQLZ_TOKEN_ESCAPE];
	struct seqlz_bitwriter bw;

	static_assert(SEQLZ_NR_TOKENS == 1U << SEQLZ_TOKEN_SYM_BITS);
	/* a token, its offset and 7 bits from before fit between two flushes */
	static_assert(7 + SEQLZ_TOKEN_BITS + SEQLZ_TOKEN_SYM_BITS + SEQLZ_BLOCK_SHIFT <= 57);

	bw_init(&bw, dst, dst_end);
	while (w < end) {
		u32 token, code, bits;
		struct seqlz_seq seq;

		w = seqlz_next_seq(w, &seq);
		token = seqlz_token(&seq);
		code = codes[token];
		if (unlikely(!code)) {
			bw_put(&bw, SEQLZ_CODE(escape), SEQLZ_CODE_LEN(escape));
			bw_put(&bw, token, SEQLZ_TOKEN_SYM_BITS);
		} else {
			bw_put(&bw, SEQLZ_CODE(code), SEQLZ_CODE_LEN(code));
		}
		bits = seqlz_class_bits(seq.class);
		bw_put(&bw, seqlz_offset_extra(seq.offset) & ((1U << bits) - 1), bits);
		bw_flush(&bw);
		if (unlikely(seq.lit_len >= SEQLZ_LCODE_LONG))
			enc_len(&bw, seqlz_len_codes[0], seq.lit_len - SEQLZ_LCODE_LONG);
		if (unlikely(seq.mlen >= SEQLZ_MCODE_LONG))
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
		enc_lit(&bw, codes[lits[0]]);
		enc_lit(&bw, codes[lits[1]]);
		enc_lit(&bw, codes[lits[2]]);
		enc_lit(&bw, codes[lits[3]]);
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
	struct enc_lits walk;
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
	enc_gather(&from->walk, from->lits[0], from->lits[1], nr);
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

/* the parts behind their sizes; returns where the next byte goes, or NULL */
static u8 *enc_split(struct enc_source *from, u32 nr, const u16 *codes, u8 *p, u8 *end)
{
	bool wide = seqlz_wide_sizes(nr);
	u32 each = nr / SEQLZ_NR_STREAMS;
	u8 *sizes = p;
	u32 k;

	if (end - p < 2 * SEQLZ_NR_PARTS)
		return NULL;
	p += wide ? 2 * SEQLZ_NR_PARTS : SEQLZ_NR_PARTS;
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
		if (wide)
			put_unaligned_le16(p - start, sizes + 2 * k);
		else
			sizes[k] = p - start;
	}
	return p;
}

/* uncoded literals; returns where the next byte goes, or NULL */
static u8 *enc_raw_lits(const u8 *src, const struct seqlz_parse *parse, u8 *p, u8 *end)
{
	struct enc_lits l;
	u32 nr = parse->nr_lits;

	if (end - p < nr)
		return NULL;
	for (enc_lits_init(&l, src, parse); nr; enc_next_run(&l)) {
		memcpy(p, src + l.pos, l.run);
		p += l.run;
		nr -= l.run;
		l.pos += l.run;
	}
	return p;
}

/* coded literals; returns where the next byte goes, or NULL */
static u8 *enc_coded_lits(struct enc_source *from, u32 nr, const u16 *codes, u8 *p, u8 *end)
{
	if (nr >= SEQLZ_SPLIT_MIN)
		return enc_split(from, nr, codes, p, end);
	return enc_stream(enc_take(from, nr), nr, codes, p, end);
}

int seqlz_encode(const u8 *src, struct seqlz_workmem *wm,
		 const struct seqlz_parse *parse, u8 *dst, size_t dst_len)
{
	struct enc_source from = { .lits = wm->lits };
	struct enc_plan plan = { 0 };
	u32 nr_priced = min_t(u32, parse->nr_lits, SEQLZ_GATHER_MAX);
	u32 nr_tables = SEQLZ_NR_LIT_TABLES;
	u8 *p, *end = dst + dst_len;

	if (dst_len < SEQLZ_HEAD_SIZE)
		return -ENOSPC;

	enc_plan_tokens(&plan, parse);
	enc_lits_init(&from.walk, src, parse);
	enc_gather(&from.walk, wm->lits[0], wm->lits[1], nr_priced);
	if (!parse->nr_words)
		nr_tables = SEQLZ_NR_PLAIN_TABLES;
	enc_plan_lits(&plan, wm, nr_priced, nr_tables);

	from.diff = plan.lit_table >= SEQLZ_NR_PLAIN_TABLES;
	if (!parse->nr_words)
		from.next = src;
	else if (parse->nr_lits == nr_priced)
		from.next = wm->lits[from.diff];
	else
		enc_lits_init(&from.walk, src, parse);

	dst[0] = (plan.coded ? plan.lit_table + 1 : 0) << 2 | plan.token_table;
	put_unaligned_le16(parse->nr_lits, dst + 1);
	p = dst + SEQLZ_HEAD_SIZE;
	if (plan.coded)
		p = enc_coded_lits(&from, parse->nr_lits, seqlz_lit_codes[plan.lit_table],
				   p, end);
	else
		p = enc_raw_lits(src, parse, p, end);
	if (p)
		p = enc_sequences(parse, seqlz_token_codes[plan.token_table], p, end);
	return p ? p - dst : -ENOSPC;
}
