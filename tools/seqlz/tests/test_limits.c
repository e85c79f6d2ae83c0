// SPDX-License-Identifier: GPL-2.0-only
/* limits of the format: objects on both sides of them, which no encoder writes */
#include <errno.h>
#include <string.h>
#include "test.h"
#include "../blocks/blocks.h"

static void put_le16(u8 *p, size_t value)
{
	p[0] = (u8)value;
	p[1] = (u8)(value >> 8);
}

/* blocks of zeroes in front of a page's last one; returns their length */
static size_t stored_blocks(u8 *obj)
{
	size_t len = 0;

	for (size_t left = PAGE_SIZE; left > SEQLZ_BLOCK_SIZE; left -= SEQLZ_BLOCK_SIZE) {
		put_le16(obj + len, 1 + SEQLZ_BLOCK_SIZE);
		obj[len + SEQLZ_SIZE_BYTES] = SEQLZ_HEAD_STORED;
		memset(obj + len + SEQLZ_SIZE_BYTES + 1, 0, SEQLZ_BLOCK_SIZE);
		len += SEQLZ_SIZE_BYTES + 1 + SEQLZ_BLOCK_SIZE;
	}
	return len;
}

/* a literal and a match of 4 bytes, a number of times; the block's bytes go to @block */
static size_t many_sequences(u8 *obj, u32 table, u32 nr, bool escape, u8 *block)
{
	size_t len = stored_blocks(obj), nr_lits = SEQLZ_BLOCK_SIZE - 4 * nr, pos = 0;
	u8 *lits = obj + len + SEQLZ_HEAD_SIZE;
	struct bits b = { lits + nr_lits, 0 };
	u32 last = SEQLZ_FIRST_OFFSET;

	obj[len] = (u8)table;
	put_le16(obj + len + 1, nr_lits);
	rnd_fill(lits, nr_lits);
	for (u32 i = 0; i < nr; i++) {
		u32 offset = 1 + rnd_below((u32)pos + 1);

		put_seq(&b, &token_code[table], &(struct seq){ 1, 4, offset, last }, escape);
		last = offset;
		block[pos++] = lits[i];
		for (int k = 0; k < 4; k++, pos++)
			block[pos] = block[pos - offset];
	}
	memcpy(block + pos, lits + nr, SEQLZ_BLOCK_SIZE - pos);
	return lits + nr_lits + whole_bytes(&b) - obj;
}

static void test_number_of_sequences(void)
{
	static u8 obj[4 * DST_MAX], page[PAGE_SIZE];
	u8 *block = page + PAGE_SIZE - SEQLZ_BLOCK_SIZE;

	make_codes();
	for (u32 table = 0; table < SEQLZ_NR_TOKEN_TABLES; table++) {
		for (u32 more = 0; more < 4; more++) {
			/* escaped they could make a block longer than any is */
			bool escape = more & 1 && PAGE_SIZE < 8192;
			u32 nr = SEQLZ_MAX_SEQS + more - 1;
			size_t len = many_sequences(obj, table, nr, escape, block);
			int ret = try_decompress(obj, len);

			at("%u sequences, table %u", nr, table);
			check(ret == (nr > SEQLZ_MAX_SEQS ? -EBADMSG : 0), "returned %d", ret);
			check(ret || !memcmp(decompressed, page, PAGE_SIZE), "another page");
		}
	}
}

/* where the last block of an object is */
static u8 *last_block(u8 *obj)
{
	for (size_t left = PAGE_SIZE; left > SEQLZ_BLOCK_SIZE; left -= SEQLZ_BLOCK_SIZE)
		obj += SEQLZ_SIZE_BYTES + (obj[0] | obj[1] << 8);
	return obj;
}

/* sizes of two bytes where one is enough; or of one, where it is not; or where there are none */
static void refuse_other_width(const u8 *page, const char *name)
{
	static u8 obj[DST_MAX + SEQLZ_NR_PARTS];

	for_each_level(level) {
		size_t len = must_compress(page, obj, level);
		u8 *head = last_block(obj), *sizes = head + SEQLZ_HEAD_SIZE;
		u32 nr_lits = head[1] | head[2] << 8;

		at("%s, level %d, sizes of the other width", name, level);
		if (*head == SEQLZ_HEAD_STORED)
			continue;
		*head ^= SEQLZ_HEAD_WIDE;
		check(try_decompress(obj, len) == -EBADMSG, "accepted as it was");
		if (!SEQLZ_HEAD_MODE(*head) || nr_lits < SEQLZ_SPLIT_MIN || !(*head & SEQLZ_HEAD_WIDE))
			continue;
		memmove(sizes + 2 * SEQLZ_NR_PARTS, sizes + SEQLZ_NR_PARTS,
			obj + len - (sizes + SEQLZ_NR_PARTS));
		for (int k = SEQLZ_NR_PARTS; k-- > 0; )
			put_le16(sizes + 2 * k, sizes[k]);
		check(try_decompress(obj, len + SEQLZ_NR_PARTS) == -EBADMSG, "accepted when made wider");
	}
}

static void test_width_of_sizes(void)
{
	for_some_pages(refuse_other_width);
}

const struct test limits_tests[] = {
	{ "no more sequences than a block may have", test_number_of_sequences },
	{ "sizes no wider than they need be", test_width_of_sizes },
	{ }
};
