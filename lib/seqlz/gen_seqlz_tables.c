// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz: makes the coding and decoding tables of the trained code lengths
 *
 * The codes are canonical, so that the lengths are all there is to know.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "seqlz_codes.h"
#include "seqlz_entry.h"

#define MAX_SYMS	(SEQLZ_NR_TOKENS + 1)

struct code {
	int nr_syms;
	int max_len;
	int len[MAX_SYMS];		/* 0: the symbol has no code */
	int code[MAX_SYMS];
};

static void die(const char *code, const char *what)
{
	fprintf(stderr, "gen_seqlz_tables: the code of %s %s\n", code, what);
	exit(1);
}

/* shorter codes first, codes of one length in the order of their symbols */
static void assign_codes(struct code *c, const char *what)
{
	int next = 0, len, sym;

	for (len = 1; len <= c->max_len; len++, next <<= 1) {
		for (sym = 0; sym < c->nr_syms; sym++) {
			if (c->len[sym] == len)
				c->code[sym] = next++;
		}
	}
	if (next != 2 << c->max_len)
		die(what, "is not complete");
}

static int hex_digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

static void code_from_digits(struct code *c, const char *digits, int nr_syms,
			     int max_len, const char *what)
{
	int sym;

	c->nr_syms = nr_syms;
	c->max_len = max_len;
	for (sym = 0; sym < nr_syms; sym++) {
		c->len[sym] = hex_digit(digits[sym]);
		if (!c->len[sym])
			die(what, "has a symbol without a code");
	}
	assign_codes(c, what);
}

static void code_from_tokens(struct code *c, const struct seqlz_token_code *t)
{
	int len, i, k = 0;

	memset(c, 0, sizeof(*c));
	c->nr_syms = SEQLZ_NR_TOKENS + 1;
	c->max_len = SEQLZ_TOKEN_BITS;
	for (len = 1; len <= SEQLZ_TOKEN_BITS; len++) {
		for (i = 0; i < t->nr[len]; i++)
			c->len[t->sym[k++]] = len;
	}
	if (!c->len[SEQLZ_TOKEN_ESCAPE])
		die("tokens", "has no escape");
	assign_codes(c, "tokens");
}

static void print_range(const struct code *c, int sym)
{
	int shift = c->max_len - c->len[sym];
	int first = c->code[sym] << shift;

	if (shift)
		printf("\t\t[0x%x ... 0x%x] = ", first, first + (1 << shift) - 1);
	else
		printf("\t\t[0x%x] = ", first);
}

static unsigned int block_shift;

static void print_token_decode(const struct code *c)
{
	int sym;

	for (sym = 0; sym < (int)SEQLZ_NR_TOKENS; sym++) {
		if (!c->len[sym])
			continue;
		print_range(c, sym);
		printf("0x%08x,\n",
		       seqlz_token_entry(block_shift, c->len[sym],
					 sym >> (SEQLZ_MCODE_BITS + SEQLZ_LCODE_BITS),
					 sym >> SEQLZ_LCODE_BITS & ((1 << SEQLZ_MCODE_BITS) - 1),
					 sym & ((1 << SEQLZ_LCODE_BITS) - 1)));
	}
	print_range(c, SEQLZ_TOKEN_ESCAPE);
	printf("0x%08x,\n", seqlz_escape_entry(c->len[SEQLZ_TOKEN_ESCAPE]));
}

static void print_sym_decode(const struct code *c)
{
	int sym;

	for (sym = 0; sym < c->nr_syms; sym++) {
		if (!c->len[sym])
			continue;
		print_range(c, sym);
		printf("0x%04x,\n", SEQLZ_SYM_ENTRY(c->len[sym], sym));
	}
}

static void print_len_decode(const struct code *c)
{
	int sym;

	for (sym = 0; sym < c->nr_syms; sym++) {
		if (!c->len[sym])
			continue;
		print_range(c, sym);
		printf("0x%08x,\n", seqlz_len_entry(c->len[sym], sym));
	}
}

static void print_codes(const struct code *c)
{
	int sym;

	for (sym = 0; sym < c->nr_syms; sym++) {
		if (c->len[sym])
			printf("\t\t[%d] = 0x%04x,\n", sym,
			       SEQLZ_CODE_ENTRY(c->len[sym], c->code[sym]));
	}
}

static void print_lit_codes(const struct code *c)
{
	int sym;

	for (sym = 0; sym < c->nr_syms; sym++)
		printf("\t\t0x%04x,\n", SEQLZ_LIT_ENTRY(c->len[sym], c->code[sym]));
}

/* code lengths of several codes side by side in one word, a byte each */
static void print_prices(const struct code *c, int nr_codes, int nr_syms,
			 int escape_bits, const char *suffix)
{
	int sym, k;

	for (sym = 0; sym < nr_syms; sym++) {
		printf("\t\t0x");
		for (k = nr_codes - 1; k >= 0; k--)
			printf("%02x", c[k].len[sym] ? c[k].len[sym] :
			       c[k].len[SEQLZ_TOKEN_ESCAPE] + escape_bits);
		printf("%s,\n", suffix);
	}
}

static void print_each(const struct code *c, int nr, const char *decl,
		       void (*print)(const struct code *c))
{
	int k;

	printf("\nconst %s = {\n", decl);
	for (k = 0; k < nr; k++) {
		printf("\t{\n");
		print(&c[k]);
		printf("\t},\n");
	}
	printf("};\n");
}

int main(int argc, char **argv)
{
	static struct code lit[SEQLZ_NR_LIT_TABLES], token[SEQLZ_NR_TOKEN_TABLES], len[2];
	const struct seqlz_codes *codes;
	int k;

	if (argc != 2 || (strcmp(argv[1], "4k") && strcmp(argv[1], "16k"))) {
		fprintf(stderr, "usage: gen_seqlz_tables 4k|16k\n");
		return 1;
	}
	codes = strcmp(argv[1], "4k") ? &seqlz_codes_16k : &seqlz_codes_4k;
	block_shift = strcmp(argv[1], "4k") ? 14 : 12;

	for (k = 0; k < SEQLZ_NR_LIT_TABLES; k++)
		code_from_digits(&lit[k], codes->lit[k], 256, SEQLZ_LIT_BITS, "literals");
	for (k = 0; k < 2; k++)
		code_from_digits(&len[k], codes->len[k], SEQLZ_NR_LENS, SEQLZ_LEN_BITS, "lengths");
	for (k = 0; k < SEQLZ_NR_TOKEN_TABLES; k++)
		code_from_tokens(&token[k], &codes->token[k]);

	printf("/* made by gen_seqlz_tables %s */\n", argv[1]);
	print_each(token, SEQLZ_NR_TOKEN_TABLES,
		   "u32 seqlz_token_decode[SEQLZ_NR_TOKEN_TABLES][1 << SEQLZ_TOKEN_BITS]",
		   print_token_decode);
	print_each(token, SEQLZ_NR_TOKEN_TABLES,
		   "u16 seqlz_token_codes[SEQLZ_NR_TOKEN_TABLES][SEQLZ_NR_TOKENS + 1]",
		   print_codes);
	print_each(len, 2, "u32 seqlz_len_decode[2][1 << SEQLZ_LEN_BITS]", print_len_decode);
	print_each(len, 2, "u16 seqlz_len_codes[2][SEQLZ_NR_LENS]", print_codes);
	print_each(lit, SEQLZ_NR_LIT_TABLES,
		   "u16 seqlz_lit_decode[SEQLZ_NR_LIT_TABLES][1 << SEQLZ_LIT_BITS]",
		   print_sym_decode);
	print_each(lit, SEQLZ_NR_LIT_TABLES,
		   "u16 seqlz_lit_codes[SEQLZ_NR_LIT_TABLES][256]", print_lit_codes);

	printf("\nconst u32 seqlz_token_prices[SEQLZ_NR_TOKENS] = {\n");
	print_prices(token, SEQLZ_NR_TOKEN_TABLES, SEQLZ_NR_TOKENS,
		     SEQLZ_TOKEN_SYM_BITS, "U");
	printf("};\n\nconst u64 seqlz_lit_prices[SEQLZ_NR_LIT_TABLES / 8][256] = {\n");
	for (k = 0; k < SEQLZ_NR_LIT_TABLES; k += 8) {
		printf("\t{\n");
		print_prices(&lit[k], 8, 256, 0, "ULL");
		printf("\t},\n");
	}
	printf("};\n");
	return 0;
}
