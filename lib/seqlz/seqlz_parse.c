// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz: parser of levels 2 to 4, from a block to its sequences
 *
 * A position's next bytes hash to a slot that holds the newest positions with
 * the same hash: one, two or four of them, by level. Slots are cleared for every
 * block, so that what is found depends on the block only; an empty slot names
 * position 0, which is as good a candidate as any other.
 *
 * What a match is worth is the literals that it saves less the bits of its
 * offset. The repeat offset has none: such a match is taken as it comes. Of any
 * other, the parser first looks whether there is a better one some positions
 * further; a cheaper offset there often beats a longer match.
 */
#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/seqlz.h>
#include <linux/string.h>
#include "seqlz_match.h"
#include "seqlz_offset.h"
#include "seqlz_private.h"

/* bits that a literal costs, about */
#define PARSE_LIT_BITS		6

/* a match at least this long is taken without looking further: level 2, and higher ones */
#define PARSE_LAZY_MAX_FAST	(SEQLZ_BLOCK_SHIFT == 12 ? 16 : 20)
#define PARSE_LAZY_MAX		128

/*
 * Where a stretch has hardly a sequence, as data that was compressed before, the
 * next is likely to be so: it is searched with steps that grow with the run of
 * literals.
 */
#define PARSE_STRETCH		256
#define PARSE_STRETCH_SEQS	4
#define PARSE_SPARSE_SHIFT	6

/**
 * struct parse_state - where the parser is
 * @src: the block
 * @wm: memory
 * @repeat: the block's start less the repeat offset
 */
struct parse_state {
	const u8 *src;
	struct seqlz_workmem *wm;
	const u8 *repeat;
};

/**
 * struct parse_match - a match
 * @len: its length
 * @kind: the offset's, see seqlz_offset.h
 * @back: the block's start less the offset
 */
struct parse_match {
	u32 len;
	u32 kind;
	const u8 *back;
};

/* enter a position; returns the newest ones with its hash, 16 bits each, the newest lowest */
static __always_inline u64 parse_enter(const struct parse_state *ps, unsigned long pos,
				       u64 bytes, const u32 nr_cands)
{
	u64 cands;

	if (nr_cands == 1) {
		u16 *slot = &ps->wm->one[mf_hash(bytes, MF_ONE_BITS)];

		cands = *slot;
		*slot = pos;
	} else if (nr_cands == 2) {
		u32 *slot = &ps->wm->two[mf_hash(bytes, MF_TWO_BITS)];

		cands = *slot;
		*slot = cands << 16 | pos;
	} else {
		u64 *slot = &ps->wm->four[mf_hash(bytes, MF_FOUR_BITS)];

		cands = *slot;
		*slot = cands << 16 | pos;
	}
	return cands;
}

/* the newest candidate is the first, 0 */
static __always_inline unsigned long parse_cand(u64 cands, u32 k)
{
	return cands >> 16 * k & 0xffff;
}

/* negative if 4 bytes match, which is hard to predict: there is one branch for all */
static __always_inline s64 parse_matches(const struct parse_state *ps, u64 bytes,
					 unsigned long cand)
{
	return (u64)(get_unaligned_le32(ps->src + cand) ^ (u32)bytes) - 1;
}

/**
 * parse_try() - replace a match by one that saves more, as far as 15 bytes tell
 * @ps: the parser
 * @pos: the position
 * @bytes: the 8 bytes there
 * @cand: the candidate, which may match or not
 * @gain: bits that the match saves
 * @m: (in and out) the match, but for its length
 *
 * Return: bits that the match saves now.
 */
static __always_inline s32 parse_try(const struct parse_state *ps, unsigned long pos, u64 bytes,
				     unsigned long cand, s32 gain, struct parse_match *m)
{
	u32 len = mf_match_15(bytes, ps->src + pos, ps->src + cand);
	u32 kind = seqlz_offset_kind(pos - cand);
	s32 new_gain = len * PARSE_LIT_BITS - SEQLZ_KIND_BITS(kind);
	bool better = (len >= SEQLZ_MIN_MATCH) & (new_gain > gain);

	m->kind = seqlz_choose(better, kind, m->kind);
	m->back = better ? ps->src - (pos - cand) : m->back;
	return better ? new_gain : gain;
}

/**
 * parse_find() - enter a position and look for a match there
 * @ps: the parser
 * @pos: the position
 * @nr_cands: number of candidates
 * @m: (output) the match, but for its length
 *
 * The repeat offset has a branch of its own, as it is known long before the
 * candidates' bytes are.
 *
 * Return: whether there is one.
 */
static __always_inline bool parse_find(const struct parse_state *ps, unsigned long pos,
				       const u32 nr_cands, struct parse_match *m)
{
	u64 bytes = get_unaligned_le64(ps->src + pos);
	u64 cands = parse_enter(ps, pos, bytes, nr_cands);
	s64 found = parse_matches(ps, bytes, parse_cand(cands, 0));
	s32 gain;

	/* four bytes save more than any offset costs */
	static_assert(SEQLZ_MIN_MATCH * PARSE_LIT_BITS > SEQLZ_BLOCK_SHIFT);

	if (get_unaligned_le32(ps->repeat + pos) == (u32)bytes) {
		m->back = ps->repeat;
		m->kind = SEQLZ_KIND_REPEAT;
		return true;
	}
	if (nr_cands > 1)
		found |= parse_matches(ps, bytes, parse_cand(cands, 1));
	if (nr_cands > 2)
		found |= parse_matches(ps, bytes, parse_cand(cands, 2)) |
			 parse_matches(ps, bytes, parse_cand(cands, 3));
	if (likely(found >= 0))
		return false;

	if (nr_cands == 1) {
		m->back = ps->src - (pos - cands);
		m->kind = seqlz_offset_kind(pos - cands);
		return true;
	}
	m->back = ps->src;
	m->kind = 0;
	gain = parse_try(ps, pos, bytes, parse_cand(cands, 0), 0, m);
	gain = parse_try(ps, pos, bytes, parse_cand(cands, 1), gain, m);
	if (nr_cands > 2) {
		gain = parse_try(ps, pos, bytes, parse_cand(cands, 2), gain, m);
		parse_try(ps, pos, bytes, parse_cand(cands, 3), gain, m);
	}
	return true;
}

static __always_inline u32 parse_len(const struct parse_state *ps, unsigned long pos,
				     const struct parse_match *m)
{
	return mf_match_len(ps->src + pos, m->back + pos, ps->src + SEQLZ_BLOCK_SIZE);
}

/* bits that a match saves, about */
static __always_inline s32 parse_gain(const struct parse_match *m)
{
	return m->len * PARSE_LIT_BITS - SEQLZ_KIND_BITS(m->kind);
}

/**
 * parse_look_ahead() - is there a better match a bit further?
 * @ps: the parser
 * @pos: position of the match
 * @m: (in and out) the match
 * @nr_cands: number of candidates
 * @steps: look so many positions further
 * @max_len: but not if the match is as long
 *
 * Return: how many positions further the match is.
 */
static __always_inline u32 parse_look_ahead(const struct parse_state *ps, unsigned long pos,
					    struct parse_match *m, const u32 nr_cands,
					    const u32 steps, const u32 max_len)
{
	struct parse_match next;
	u32 step, by = 0;

	for (step = 1; step <= steps && m->len < max_len; step++) {
		/* the same match, from a byte further on, is no better */
		if (!parse_find(ps, pos + step, nr_cands, &next) || next.back == m->back)
			continue;
		next.len = parse_len(ps, pos + step, &next);
		if (parse_gain(&next) <= parse_gain(m))
			continue;
		*m = next;
		by = step;
		if (m->kind == SEQLZ_KIND_REPEAT)
			break;
	}
	return by;
}

/* how many bytes earlier does a match start? No earlier than @anchor. */
static __always_inline u32 parse_look_back(const struct parse_state *ps, unsigned long anchor,
					   unsigned long pos, const struct parse_match *m)
{
	unsigned long offset = ps->src - m->back;

	if (likely(pos == anchor || pos == offset || ps->src[pos - 1] != m->back[pos - 1]))
		return 0;
	return mf_match_back(ps->src, pos, offset, pos - anchor);
}

/**
 * parse_block() - find a block's sequences
 * @src: the block
 * @wm: memory
 * @nr_cands: number of candidates: 1, 2 or 4
 * @steps: look so many positions further before a match is taken
 * @max_len: but not if it is as long
 * @parse: (output) how many sequences there are
 *
 * Return: the number of bytes in matches.
 */
static __always_inline u32 parse_block(const u8 *src, struct seqlz_workmem *wm,
				       const u32 nr_cands, const u32 steps,
				       const u32 max_len, struct seqlz_parse *parse)
{
	/* two positions are searched at a time */
	const unsigned long limit = SEQLZ_BLOCK_SIZE - MF_TAIL - 1 - steps;
	struct parse_state ps = { src, wm, src - SEQLZ_FIRST_OFFSET };
	struct seqlz_seq_writer sw = seqlz_first_seq(wm);
	unsigned long anchor = 0, pos = 1, stretch = PARSE_STRETCH;
	u32 matched = 0, nr_before = 0;

	for (;;) {
		struct parse_match m;
		u32 back = 0;

		while (!parse_find(&ps, pos, nr_cands, &m) &&
		       !parse_find(&ps, ++pos, nr_cands, &m)) {
			if (likely(++pos <= stretch))
				continue;
			if (sw.nr < nr_before + PARSE_STRETCH_SEQS) {
				pos += (pos - anchor) >> PARSE_SPARSE_SHIFT;
			} else {
				nr_before = sw.nr;
				stretch = min(pos + PARSE_STRETCH, limit);
			}
			if (pos > limit)
				goto out;
		}
		if (m.kind == SEQLZ_KIND_REPEAT) {
			m.len = parse_len(&ps, pos, &m);
		} else {
			m.len = parse_len(&ps, pos, &m);
			pos += parse_look_ahead(&ps, pos, &m, nr_cands, steps, max_len);
			back = parse_look_back(&ps, anchor, pos, &m);
		}
		seqlz_put_seq(&sw, pos - back - anchor, m.len + back - SEQLZ_MIN_MATCH,
			      src - m.back, SEQLZ_KIND_CLASS(m.kind));
		matched += m.len + back;
		pos += m.len;
		anchor = pos;
		ps.repeat = m.back;
		if (pos > limit || seqlz_seqs_full(&sw))
			break;
		if (nr_cands > 1)
			parse_enter(&ps, pos - 4, get_unaligned_le64(src + pos - 4), nr_cands);
		parse_enter(&ps, pos - 2, get_unaligned_le64(src + pos - 2), nr_cands);
	}
out:
	parse->nr_seqs = sw.nr;
	return matched;
}

/* one function a level, so that the compiler drops what the level does not do */
static noinline u32 parse_level_2(const u8 *src, struct seqlz_workmem *wm,
				  struct seqlz_parse *parse)
{
	memset(wm->one, 0, sizeof(wm->one));
	return parse_block(src, wm, 1, 1, PARSE_LAZY_MAX_FAST, parse);
}

static noinline u32 parse_level_3(const u8 *src, struct seqlz_workmem *wm,
				  struct seqlz_parse *parse)
{
	memset(wm->two, 0, sizeof(wm->two));
	return parse_block(src, wm, 2, 1, PARSE_LAZY_MAX, parse);
}

static noinline u32 parse_level_4(const u8 *src, struct seqlz_workmem *wm,
				  struct seqlz_parse *parse)
{
	memset(wm->four, 0, sizeof(wm->four));
	return parse_block(src, wm, 4, 2, PARSE_LAZY_MAX, parse);
}

size_t seqlz_parse_memory(int level)
{
	static_assert(sizeof(u16) << MF_ONE_BITS <= 2 * SEQLZ_LITS_ROOM);

	if (level > SEQLZ_LEVEL_DEFAULT)
		return sizeof(struct seqlz_workmem);
	return offsetof(struct seqlz_workmem, lits) + 2 * SEQLZ_LITS_ROOM;
}

void seqlz_parse(const u8 *src, struct seqlz_workmem *wm, int level,
		 struct seqlz_parse *parse)
{
	u32 matched;

	/* the encoder gathers the literals of a small block at once */
	static_assert(SEQLZ_MATCHED_MIN >= SEQLZ_LITS_SLACK);

	switch (level) {
	case 4:
		matched = parse_level_4(src, wm, parse);
		break;
	case 3:
		matched = parse_level_3(src, wm, parse);
		break;
	default:
		matched = parse_level_2(src, wm, parse);
	}

	if (matched < SEQLZ_MATCHED_MIN) {
		parse->nr_seqs = 0;
		matched = 0;
	}
	parse->nr_lits = SEQLZ_BLOCK_SIZE - matched;
}
