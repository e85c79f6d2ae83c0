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

/* a match at least this long is taken without looking further */
#define PARSE_LAZY_MAX		32

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

/**
 * struct parse_match - a match
 * @len: its length
 * @offset: how far back it starts
 * @class: the offset's class
 * @gain: bits that it saves, about
 */
struct parse_match {
	u32 len;
	u32 offset;
	u32 class;
	s32 gain;
};

/* enter a position in the tables; returns the newest one before it */
static __always_inline u32 parse_enter(struct parse_state *ps, u32 pos, u64 bytes,
				       const u32 depth)
{
	u16 *head = &ps->head[mf_hash(bytes)];
	u32 cand = *head;

	*head = pos;
	if (depth > 1)
		ps->prev[pos] = cand;
	return cand;
}

static __always_inline void parse_try(const struct parse_state *ps, u32 pos, u32 offset,
				      u32 class, struct parse_match *best)
{
	const u8 *p = ps->src + pos;
	u32 len = mf_match_len(p, p - offset, ps->end);
	s32 gain = (s32)(len * PARSE_LIT_BITS) - (s32)seqlz_class_bits(class);

	if (gain > best->gain) {
		best->len = len;
		best->offset = offset;
		best->class = class;
		best->gain = gain;
	}
}

static __always_inline void parse_try_cand(const struct parse_state *ps, u32 pos,
					   u32 offset, struct parse_match *best)
{
	parse_try(ps, pos, offset, seqlz_offset_class(offset, ps->last), best);
}

/**
 * parse_find() - enter a position and find the best match there
 * @ps: the parser
 * @pos: the position
 * @depth: number of earlier positions to look at
 * @again: there is a match already, from the position before
 * @best: (in and out) replaced by a match that gains more. One with the same
 *	offset is not looked at: it is the same match, from a byte further on.
 *
 * The chain of earlier positions is only followed where the newest one, or the
 * repeat offset, matches at all.
 *
 * Return: whether @best was replaced.
 */
static __always_inline bool parse_find(struct parse_state *ps, u32 pos, const u32 depth,
				       const bool again, struct parse_match *best)
{
	const u8 *p = ps->src + pos;
	u64 bytes = get_unaligned_le64(p);
	u32 cand = parse_enter(ps, pos, bytes, depth);
	u32 repeat_diff = get_unaligned_le32(p - ps->last) ^ (u32)bytes;
	u32 cand_diff = get_unaligned_le32(ps->src + cand) ^ (u32)bytes;
	s32 gain = best->gain;
	u32 tries;

	if (again) {
		repeat_diff |= ps->last == best->offset;
		cand_diff |= pos - cand == best->offset;
	}
	/* one branch for both: whether there is a match is hard to predict */
	if (likely((u64)repeat_diff * cand_diff != 0))
		return false;
	if (!repeat_diff)
		parse_try(ps, pos, ps->last, SEQLZ_CLASS_REPEAT, best);
	if (depth == 1) {
		if (!cand_diff && pos - cand != best->offset)
			parse_try_cand(ps, pos, pos - cand, best);
		return best->gain > gain;
	}
	for (tries = depth; tries; tries--) {
		if (get_unaligned_le32(ps->src + cand) == (u32)bytes)
			parse_try_cand(ps, pos, pos - cand, best);
		if (!cand)
			break;
		cand = ps->prev[cand];
	}
	return best->gain > gain;
}

static __always_inline void parse_emit(struct parse_state *ps, u32 lit_len,
				       const struct parse_match *m)
{
	u32 mlen = m->len - SEQLZ_MIN_MATCH;
	u32 *w = ps->seqs + ps->nr_words;

	if (likely(lit_len <= SEQLZ_SEQ_LIT_MAX && mlen < SEQLZ_SEQ_LONG)) {
		w[0] = seqlz_pack(m->class, m->offset, mlen, lit_len);
		ps->nr_words++;
	} else {
		w[0] = seqlz_pack(m->class, m->offset, SEQLZ_SEQ_LONG, 0);
		w[1] = mlen << 16 | lit_len;
		ps->nr_words += 2;
	}
	ps->nr_seqs++;
	ps->last = m->offset;
}

/* enter positions that a match covers; with a search depth all, else the last */
static __always_inline void parse_enter_match(struct parse_state *ps, u32 pos,
					      u32 end, const u32 depth)
{
	const u32 limit = SEQLZ_BLOCK_SIZE - MF_TAIL;

	if (depth == 1)
		pos = end - 2;
	for (; pos < end && pos <= limit; pos += depth == 1 ? 2 : 1)
		parse_enter(ps, pos, get_unaligned_le64(ps->src + pos), depth);
}

/**
 * parse_block() - find a block's sequences
 * @state: the parser
 * @depth: number of earlier positions to look at
 * @lazy: look further before taking a match
 *
 * Return: the number of bytes in matches.
 */
static __always_inline u32 parse_block(struct parse_state *state, const u32 depth,
				       const bool lazy)
{
	const u32 limit = SEQLZ_BLOCK_SIZE - MF_TAIL;
	/* a copy that no store can change lives in registers */
	struct parse_state ps = *state;
	u32 anchor = 0, matched = 0;
	u32 pos = 1;

	while (pos <= limit) {
		struct parse_match m = { .gain = PARSE_MIN_GAIN };
		u32 back, found = pos;

		if (!parse_find(&ps, pos, depth, false, &m)) {
			pos++;
			continue;
		}
		while (lazy && m.len < PARSE_LAZY_MAX && found < limit) {
			found++;
			if (!parse_find(&ps, found, depth, true, &m))
				break;
			pos = found;
		}
		/* a match may start earlier than where its hash was found */
		back = mf_match_back(ps.src, pos, m.offset, pos - anchor);
		m.len += back;
		pos -= back;
		parse_emit(&ps, pos - anchor, &m);
		matched += m.len;
		anchor = pos + m.len;
		parse_enter_match(&ps, found + 1, anchor, depth);
		pos = anchor;
		if (unlikely(ps.nr_words + 2 > ps.max_words))
			break;
	}
	*state = ps;
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
