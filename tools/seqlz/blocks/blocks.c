// SPDX-License-Identifier: GPL-2.0-only
/* see blocks.h */
#define PAGE_SIZE (1UL << PAGE_SHIFT)

#include "blocks.h"
#include "seqlz_codes.h"

struct code lit_code[SEQLZ_NR_LIT_TABLES];
struct code len_code[2];
struct code token_code[SEQLZ_NR_TOKEN_TABLES];

static void assign_codes(struct code *c, unsigned int nr, unsigned int longest)
{
	unsigned int next = 0, len, sym;

	for (len = 1; len <= longest; len++, next <<= 1)
		for (sym = 0; sym < nr; sym++)
			if (c->len[sym] == len)
				c->code[sym] = next++;
}

static void code_from_digits(struct code *c, const char *digits, unsigned int nr,
			     unsigned int longest)
{
	unsigned int sym;

	for (sym = 0; sym < nr; sym++)
		c->len[sym] = digits[sym] <= '9' ? digits[sym] - '0' : digits[sym] - 'a' + 10;
	assign_codes(c, nr, longest);
}

void make_codes(void)
{
	const struct seqlz_codes *codes = SEQLZ_BLOCK_SHIFT == 12 ?
		&seqlz_codes_4k : &seqlz_codes_16k;
	unsigned int t, len, i, k;

	for (t = 0; t < SEQLZ_NR_LIT_TABLES; t++)
		code_from_digits(&lit_code[t], codes->lit[t], 256, SEQLZ_LIT_BITS);
	for (t = 0; t < 2; t++)
		code_from_digits(&len_code[t], codes->len[t], SEQLZ_NR_LENS, SEQLZ_LEN_BITS);
	for (t = 0; t < SEQLZ_NR_TOKEN_TABLES; t++) {
		for (len = 1, k = 0; len <= SEQLZ_TOKEN_BITS; len++)
			for (i = 0; i < codes->token[t].nr[len]; i++)
				token_code[t].len[codes->token[t].sym[k++]] = len;
		assign_codes(&token_code[t], SEQLZ_NR_TOKENS + 1, SEQLZ_TOKEN_BITS);
	}
}

void put(struct bits *b, unsigned int value, unsigned int nr)
{
	while (nr--) {
		if (b->nr % 8 == 0)
			b->data[b->nr / 8] = 0;
		b->data[b->nr / 8] |= (value >> nr & 1) << (7 - b->nr % 8);
		b->nr++;
	}
}

unsigned long whole_bytes(struct bits *b)
{
	b->nr = (b->nr + 7) / 8 * 8;
	return b->nr / 8;
}

static unsigned int class_of(unsigned int offset, unsigned int last)
{
	if (offset == last)
		return SEQLZ_CLASS_REPEAT;
	if (offset == 2)
		return SEQLZ_CLASS_TWO;
	if (offset == 8)
		return SEQLZ_CLASS_EIGHT;
	if (offset % 8)
		return offset <= 16 ? SEQLZ_CLASS_TINY :
			offset <= 256 ? SEQLZ_CLASS_NEAR : SEQLZ_CLASS_FAR;
	return offset <= 256 ? SEQLZ_CLASS_NEAR8 : SEQLZ_CLASS_FAR8;
}

static void put_offset(struct bits *b, unsigned int class, unsigned int offset)
{
	switch (class) {
	case SEQLZ_CLASS_TINY:
		put(b, offset - 1, 4);
		break;
	case SEQLZ_CLASS_NEAR8:
		put(b, offset / 8 - 1, 5);
		break;
	case SEQLZ_CLASS_NEAR:
		put(b, offset - 1, 8);
		break;
	case SEQLZ_CLASS_FAR8:
		put(b, offset / 8 - 1, SEQLZ_BLOCK_SHIFT - 3);
		break;
	case SEQLZ_CLASS_FAR:
		put(b, offset - 1, SEQLZ_BLOCK_SHIFT);
		break;
	}
}

static void put_len(struct bits *b, const struct code *c, unsigned int len)
{
	unsigned int code = len, extra = 0;

	if (len >= SEQLZ_LEN_SINGLES) {
		while (len >> extra >= 4)
			extra++;
		code = SEQLZ_LEN_SINGLES + 2 * (extra - 2) + (len >> extra & 1);
	}
	put(b, c->code[code], c->len[code]);
	put(b, len & ((1U << extra) - 1), extra);
}

void put_seq(struct bits *b, const struct code *c, const struct seq *seq, bool escape)
{
	unsigned int class = class_of(seq->offset, seq->last);
	unsigned int long_lit = SEQLZ_LCODE_LONG, long_match = SEQLZ_MCODE_LONG;
	unsigned int mlen = seq->match_len - SEQLZ_MIN_MATCH;
	unsigned int lcode = seq->lit_len < long_lit ? seq->lit_len : long_lit;
	unsigned int mcode = mlen < long_match ? mlen : long_match;
	unsigned int token = (class << SEQLZ_MCODE_BITS | mcode) << SEQLZ_LCODE_BITS | lcode;

	if (!c->len[token] || escape) {
		put(b, c->code[SEQLZ_TOKEN_ESCAPE], c->len[SEQLZ_TOKEN_ESCAPE]);
		put(b, token, SEQLZ_TOKEN_SYM_BITS);
	} else {
		put(b, c->code[token], c->len[token]);
	}
	put_offset(b, class, seq->offset);
	if (seq->lit_len >= long_lit)
		put_len(b, &len_code[0], seq->lit_len - long_lit);
	if (mlen >= long_match)
		put_len(b, &len_code[1], mlen - long_match);
}
