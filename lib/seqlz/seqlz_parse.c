// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz: parser, from a block to its sequences
 *
 * Every level looks at the repeat offset and at one or more earlier positions
 * with the same hash. What a match is worth is the literals that it saves less
 * the bits of its offset. A lazy parse looks one position further before it
 * takes a match; a cheaper offset there often beats a longer match.
 */
#include <linux/seqlz.h>
#include <linux/string.h>
#include "seqlz_match.h"
#include "seqlz_private.h"

/* bits that a literal costs, about */
#define PARSE_LIT_BITS		6
/* a match that saves no more than its token costs is not worth one */
#define PARSE_MIN_GAIN		9

struct parse_state {
	const u8 *src;
	const u8 *end;
	u16 *head;		/* by hash: newest position */
	u16 *prev;		/* by position: the one before with its hash */
	u32 *seqs;
	u32 max_words;
	u32 nr_seqs;
	u32 nr_words;
	u32 last;		/* repeat offset */
};

static __always_inline s32 parse_gain(u32 len, u32 offset, u32 last)
{
	return (s32)(len * PARSE_LIT_BITS - mf_offset_bits(offset, last));
}

/**
 * parse_find() - best match at a position, and enter it in the tables
 * @depth: number of earlier positions to look at
 * @gain: (output) what the match saves, in bits; at most PARSE_MIN_GAIN if
 *	there is none worth taking
 */
static __always_inline struct mf_match
parse_find(struct parse_state *ps, u32 pos, const u32 depth, s32 *gain)
{
	const u8 *p = ps->src + pos;
	u64 bytes = get_unaligned_le64(p);
	u32 slot = mf_hash(bytes);
	u32 cand = ps->head[slot];
	struct mf_match best = { 0, 0 };
	u32 tries = depth;

	ps->head[slot] = pos;
	if (depth > 1)
		ps->prev[pos] = cand;
	*gain = PARSE_MIN_GAIN;

	if (get_unaligned_le32(p - ps->last) == (u32)bytes) {
		best.len = 4 + mf_count(p + 4, p + 4 - ps->last, ps->end);
		best.offset = ps->last;
		*gain = parse_gain(best.len, ps->last, ps->last);
	}
	do {
		if (get_unaligned_le32(ps->src + cand) == (u32)bytes) {
			u32 len = 4 + mf_count(p + 4, ps->src + cand + 4, ps->end);
			s32 g = parse_gain(len, pos - cand, ps->last);

			if (g > *gain) {
				*gain = g;
				best.len = len;
				best.offset = pos - cand;
			}
		}
		if (depth == 1 || !cand)
			break;
		cand = ps->prev[cand];
	} while (--tries);
	return best;
}

static __always_inline void parse_emit(struct parse_state *ps, u32 lit_len,
				       u32 match_len, u32 offset)
{
	u32 mlen = match_len - SEQLZ_MIN_MATCH;
	u32 *w = ps->seqs + ps->nr_words;

	if (likely(lit_len < SEQLZ_SEQ_LONG && mlen < SEQLZ_SEQ_LONG)) {
		w[0] = offset << 16 | mlen << 8 | lit_len;
		ps->nr_words++;
	} else {
		w[0] = offset << 16 | SEQLZ_SEQ_LONG << 8 | SEQLZ_SEQ_LONG;
		w[1] = mlen << 16 | lit_len;
		ps->nr_words += 2;
	}
	ps->nr_seqs++;
	ps->last = offset;
}

/* enter a position that was not searched, if it is not the newest already */
static __always_inline void parse_enter(struct parse_state *ps, u32 pos,
					const u32 depth)
{
	u16 *head = &ps->head[mf_hash(get_unaligned_le64(ps->src + pos))];

	if (depth > 1 && *head < pos)
		ps->prev[pos] = *head;
	*head = pos;
}

/* a match may start earlier than where its hash was found */
static __always_inline u32 parse_extend_back(const u8 *src, u32 pos, u32 anchor,
					     u32 offset)
{
	u32 start = pos;

	while (start > anchor && start > offset &&
	       src[start - 1] == src[start - 1 - offset])
		start--;
	return start;
}

/**
 * parse_block() - find a block's sequences
 * @depth: number of earlier positions to look at
 * @lazy: look one position further before taking a match
 *
 * Return: the number of bytes in matches.
 */
static __always_inline u32 parse_block(struct parse_state *ps, const u32 depth,
				       const bool lazy)
{
	const u32 limit = SEQLZ_BLOCK_SIZE - MF_TAIL;
	u32 anchor = 0, matched = 0;
	u32 pos = 1;

	while (pos <= limit && ps->nr_words + 2 <= ps->max_words) {
		struct mf_match m, next;
		s32 gain, next_gain;
		u32 start, i;

		m = parse_find(ps, pos, depth, &gain);
		if (!m.len) {
			pos++;
			continue;
		}
		while (lazy && pos < limit) {
			next = parse_find(ps, pos + 1, depth, &next_gain);
			if (next_gain <= gain)
				break;
			m = next;
			gain = next_gain;
			pos++;
		}
		start = parse_extend_back(ps->src, pos, anchor, m.offset);
		parse_emit(ps, start - anchor, m.len + pos - start, m.offset);
		matched += m.len + pos - start;
		anchor = pos + m.len;
		for (i = depth > 1 ? pos + 2 : anchor - 2; i < anchor && i <= limit; i += depth > 1 ? 1 : 2)
			parse_enter(ps, i, depth);
		pos = anchor;
	}
	return matched;
}

/* one function a level, so that the compiler drops what the level does not do */
static noinline u32 parse_greedy(struct parse_state *ps)
{
	return parse_block(ps, 1, false);
}

static noinline u32 parse_lazy(struct parse_state *ps)
{
	return parse_block(ps, 1, true);
}

static noinline u32 parse_deep(struct parse_state *ps, u32 depth)
{
	return parse_block(ps, depth, true);
}

static bool parse_is_deep(int level)
{
	return level > SEQLZ_LEVEL_DEFAULT;
}

size_t seqlz_parse_memory(int level)
{
	size_t size = sizeof(struct seqlz_workmem);

	if (parse_is_deep(level))
		size += SEQLZ_BLOCK_SIZE * sizeof(u16);
	return size;
}

void seqlz_parse(const u8 *src, struct seqlz_workmem *wm, int level,
		 struct seqlz_parse *parse)
{
	struct parse_state ps = {
		.src = src,
		.end = src + SEQLZ_BLOCK_SIZE,
		.head = wm->head,
		.prev = wm->deep_prev,
		.seqs = wm->seqs,
		.max_words = SEQLZ_MAX_WORDS,
		.last = SEQLZ_FIRST_OFFSET,
	};
	u32 matched;

	memset(wm->head, 0, sizeof(wm->head));
	if (level == SEQLZ_LEVEL_MIN)
		matched = parse_greedy(&ps);
	else if (level == SEQLZ_LEVEL_DEFAULT)
		matched = parse_lazy(&ps);
	else
		matched = parse_deep(&ps, level == SEQLZ_LEVEL_MAX ? 16 : 4);

	if (matched < SEQLZ_MATCHED_MIN) {
		ps.nr_words = 0;
		ps.nr_seqs = 0;
		matched = 0;
	}
	parse->seqs = wm->seqs;
	parse->nr_words = ps.nr_words;
	parse->nr_seqs = ps.nr_seqs;
	parse->nr_lits = SEQLZ_BLOCK_SIZE - matched;
}
