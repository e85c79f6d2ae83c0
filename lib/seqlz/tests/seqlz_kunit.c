// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Unit tests and benchmarks for seqlz page compression
 */
#include <kunit/run-in-irq-context.h>
#include <kunit/test.h>
#include <linux/math.h>
#include <linux/seqlz.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "../seqlz_arch.h"
#include "seqlz-testpages.h"

#define SEQLZ_NUM_LEVELS	(SEQLZ_LEVEL_MAX - SEQLZ_LEVEL_MIN + 1)

/* Enough for every page */
#define SEQLZ_MAX_LEN		(2 * PAGE_SIZE)

/* Bits of one compressed page to flip, spread over it when it has more */
#define SEQLZ_MAX_FLIPS		3000

#define SEQLZ_NUM_GARBAGE	10000

/*
 * Every buffer is an area of vmalloc() of its own: an unmapped page precedes
 * it, and another one follows.
 */
struct seqlz_bufs {
	u8 *page;	/* what to compress, one page */
	u8 *copy;	/* the same, never shown to the code under test */
	u8 *obj;	/* a compressed page, SEQLZ_MAX_LEN bytes */
	u8 *cut;	/* whatever shall end at an unmapped page, as much */
	u8 *out;	/* a decompressed page */
	u8 *out2;	/* another one */
	u8 *workmem;
	size_t workmem_size;
	u8 poison;	/* what the work memory was last filled with */
	char what[80];	/* kind, number and level of the page, for messages */
};

struct seqlz_param {
	const struct seqlz_kind *kind;
	int level;
};

/* Go through all kinds of page, and for each of them through all levels. */
static const void *gen_kind_and_level(struct kunit *test, const void *prev, char *desc)
{
	static struct seqlz_param param;

	if (!prev) {
		param.kind = seqlz_kinds;
		param.level = SEQLZ_LEVEL_MIN;
	} else if (param.level < SEQLZ_LEVEL_MAX) {
		param.level++;
	} else {
		param.kind++;
		param.level = SEQLZ_LEVEL_MIN;
	}
	if (param.kind == seqlz_kinds + ARRAY_SIZE(seqlz_kinds))
		return NULL;
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s, level %d", param.kind->name, param.level);
	return &param;
}

/* Go through all levels, with sample pages. */
static const void *gen_level(struct kunit *test, const void *prev, char *desc)
{
	static struct seqlz_param param;

	param.kind = seqlz_kinds;
	param.level = prev ? param.level + 1 : SEQLZ_LEVEL_MIN;
	if (param.level > SEQLZ_LEVEL_MAX)
		return NULL;
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "level %d", param.level);
	return &param;
}

static void action_vfree(void *buf)
{
	vfree(buf);
}

static u8 *alloc_guarded(struct kunit *test, size_t size)
{
	u8 *buf = vmalloc(round_up(size, PAGE_SIZE));

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, action_vfree, buf));
	return buf;
}

static int seqlz_test_init(struct kunit *test)
{
	struct seqlz_bufs *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, b);
	b->page = alloc_guarded(test, PAGE_SIZE);
	b->copy = alloc_guarded(test, PAGE_SIZE);
	b->obj = alloc_guarded(test, SEQLZ_MAX_LEN);
	b->cut = alloc_guarded(test, SEQLZ_MAX_LEN);
	b->out = alloc_guarded(test, PAGE_SIZE);
	b->out2 = alloc_guarded(test, PAGE_SIZE);
	for (int level = SEQLZ_LEVEL_MIN; level <= SEQLZ_LEVEL_MAX; level++)
		b->workmem_size = max(b->workmem_size, seqlz_workmem_size(level));
	b->workmem_size = round_up(b->workmem_size, PAGE_SIZE);
	b->workmem = alloc_guarded(test, b->workmem_size);
	test->priv = b;
	return 0;
}

static void make_page(struct seqlz_bufs *b, const struct seqlz_param *param, unsigned int i)
{
	seqlz_make_page(b->page, param->kind, i);
	memcpy(b->copy, b->page, PAGE_SIZE);
	snprintf(b->what, sizeof(b->what), "%s page %u, level %d", param->kind->name, i,
		 param->level);
}

/* The position of the first byte that differs, or @len */
static size_t first_difference(const u8 *a, const u8 *b, size_t len)
{
	size_t i = 0;

	if (!memcmp(a, b, len))
		return len;
	while (a[i] == b[i])
		i++;
	return i;
}

/* The last @len bytes before the unmapped page behind @b->cut */
static u8 *cut_end(const struct seqlz_bufs *b, size_t len)
{
	return b->cut + SEQLZ_MAX_LEN - len;
}

/* The last bytes before an unmapped page that a level may use */
static u8 *level_workmem(const struct seqlz_bufs *b, int level)
{
	return b->workmem + b->workmem_size - round_up(seqlz_workmem_size(level), 8);
}

/* Compress @b->page with work memory that holds something else at every call. */
static int compress(struct seqlz_bufs *b, u8 *dst, size_t dst_len, int level)
{
	b->poison += 0x55;
	memset(b->workmem, b->poison, b->workmem_size);
	return seqlz_compress(b->page, dst, dst_len, level_workmem(b, level), level);
}

/* Compress @b->page to the start of @b->obj, and expect success. */
static size_t compress_to_obj(struct kunit *test, struct seqlz_bufs *b, int level)
{
	int len = compress(b, b->obj, SEQLZ_MAX_LEN, level);

	KUNIT_ASSERT_GT_MSG(test, len, 0, "%s", b->what);
	KUNIT_ASSERT_LE_MSG(test, len, SEQLZ_MAX_LEN, "%s", b->what);
	return len;
}

/* Decompress @len bytes at @src, and expect the page back. */
static void expect_page(struct kunit *test, struct seqlz_bufs *b, const u8 *src, size_t len)
{
	/* a byte that was not written must not be right by chance */
	for (size_t i = 0; i < PAGE_SIZE; i++)
		b->out[i] = ~b->copy[i];
	KUNIT_ASSERT_EQ_MSG(test, 0, seqlz_decompress(src, len, b->out), "%s", b->what);
	KUNIT_ASSERT_EQ_MSG(test, PAGE_SIZE, first_difference(b->copy, b->out, PAGE_SIZE),
			    "%s", b->what);
}

/*
 * Decompress the last @len bytes of @b->cut, which may be anything: expect
 * -EBADMSG, or a page of which every byte was written. Return whether it is
 * the latter.
 */
static bool expect_whole_page_or_error(struct kunit *test, struct seqlz_bufs *b, size_t len,
				       size_t pos)
{
	const u8 *src = cut_end(b, len);
	int err, err2;

	memset(b->out, 0, PAGE_SIZE);
	err = seqlz_decompress(src, len, b->out);
	if (err == -EBADMSG)
		return false;
	KUNIT_ASSERT_EQ_MSG(test, 0, err, "%s, at %zu", b->what, pos);
	memset(b->out2, 0xff, PAGE_SIZE);
	err2 = seqlz_decompress(src, len, b->out2);
	KUNIT_ASSERT_EQ_MSG(test, 0, err2, "%s, at %zu", b->what, pos);
	KUNIT_ASSERT_EQ_MSG(test, PAGE_SIZE, first_difference(b->out, b->out2, PAGE_SIZE),
			    "%s, at %zu", b->what, pos);
	return true;
}

/*
 * What is longer or shorter than a compressed page is none: every byte has to be
 * accounted for, and none may be missing.
 */
static void expect_error(struct kunit *test, struct seqlz_bufs *b, size_t len, size_t pos)
{
	KUNIT_ASSERT_FALSE_MSG(test, expect_whole_page_or_error(test, b, len, pos),
			       "%s, at %zu: %zu bytes were accepted", b->what, pos, len);
}

static void roundtrip_one(struct kunit *test, struct seqlz_bufs *b, int level)
{
	size_t len = compress_to_obj(test, b, level);
	u8 *exact = cut_end(b, len);

	/* behind an unmapped page, and before one */
	expect_page(test, b, b->obj, len);
	KUNIT_ASSERT_EQ_MSG(test, (int)len, compress(b, exact, len, level), "%s", b->what);
	KUNIT_ASSERT_EQ_MSG(test, len, first_difference(b->obj, exact, len), "%s", b->what);
	expect_page(test, b, exact, len);
	KUNIT_ASSERT_EQ_MSG(test, -ENOSPC, compress(b, exact + 1, len - 1, level), "%s", b->what);
	KUNIT_ASSERT_EQ_MSG(test, PAGE_SIZE, first_difference(b->copy, b->page, PAGE_SIZE),
			    "%s: source changed", b->what);
}

static void seqlz_roundtrip_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;

	for (unsigned int i = 0; i < param->kind->count; i++) {
		make_page(b, param, i);
		roundtrip_one(test, b, param->level);
	}
}

/* Every size of the destination from nothing to enough for every page */
static void test_every_dst_len(struct kunit *test, struct seqlz_bufs *b, int level)
{
	size_t len = compress_to_obj(test, b, level);
	/* with larger pages, every size only where it matters */
	size_t step = PAGE_SIZE / SZ_4K;

	for (size_t dst_len = 0; dst_len <= SEQLZ_MAX_LEN; ) {
		u8 *dst = cut_end(b, dst_len);
		size_t before = min(SEQLZ_MAX_LEN - dst_len, 32);
		int ret;

		memset(dst - before, 0x5a, before);
		ret = compress(b, dst, dst_len, level);
		KUNIT_ASSERT_EQ_MSG(test, dst_len < len ? -ENOSPC : (int)len, ret,
				    "%s, %zu bytes", b->what, dst_len);
		if (ret > 0)
			KUNIT_ASSERT_EQ_MSG(test, len, first_difference(b->obj, dst, len),
					    "%s, %zu bytes", b->what, dst_len);
		KUNIT_ASSERT_NULL_MSG(test, memchr_inv(dst - before, 0x5a, before),
				      "%s, %zu bytes: wrote before them", b->what, dst_len);
		dst_len += dst_len < 64 || abs_diff(dst_len, len) < 64 + step ? 1 : step;
	}
}

static void seqlz_dst_len_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;

	make_page(b, param, 0);
	test_every_dst_len(test, b, param->level);
}

/* Without its end, be it the last byte or all of them, it is no page. */
static void seqlz_truncation_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;
	size_t len;

	make_page(b, param, param->kind->count / 2);
	len = compress_to_obj(test, b, param->level);
	for (size_t n = 0; n < len; n++) {
		memcpy(cut_end(b, n), b->obj, n);
		expect_error(test, b, n, n);
	}
}

/* Nor is it with @n bytes behind it. */
static void test_trailing(struct kunit *test, struct seqlz_bufs *b, size_t len, size_t n)
{
	u8 *src = cut_end(b, len + n);

	memcpy(src, b->obj, len);
	/* any single byte, some fillings of more */
	for (unsigned int value = 0; value < 256; value += n == 1 ? 1 : 51) {
		memset(src + len, value, n);
		expect_error(test, b, len + n, value);
	}
}

static void seqlz_trailing_test(struct kunit *test)
{
	static const u8 lengths[] = { 1, 2, 3, 4, 7, 8, 9, 16, 255 };
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;

	for (unsigned int i = 0; i < min(param->kind->count, 8); i++) {
		size_t len;

		make_page(b, param, i);
		len = compress_to_obj(test, b, param->level);
		for (size_t k = 0; k < ARRAY_SIZE(lengths); k++)
			test_trailing(test, b, len, lengths[k]);
	}
}

static void seqlz_bit_flip_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;
	size_t len, step = 1;
	u8 *src;

	make_page(b, param, param->kind->count / 2);
	len = compress_to_obj(test, b, param->level);
	src = cut_end(b, len);
	memcpy(src, b->obj, len);
	/* every bit of a sample page, and of all that are short */
	if (param->kind != seqlz_kinds || param->level != SEQLZ_LEVEL_DEFAULT)
		step = DIV_ROUND_UP(8 * len, SEQLZ_MAX_FLIPS);
	for (size_t bit = 0; bit < 8 * len; bit += bit < 512 ? 1 : step) {
		src[bit / 8] ^= 1 << (bit % 8);
		expect_whole_page_or_error(test, b, len, bit);
		src[bit / 8] ^= 1 << (bit % 8);
	}
}

/* The start of an object, then something else */
static void seqlz_damage_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;
	size_t len;

	make_page(b, param, param->kind->count / 2);
	len = compress_to_obj(test, b, param->level);
	prandom_seed_state(&rng, SEQLZ_TEST_SEED);
	for (size_t k = 0; k < 300; k++) {
		size_t pos = rand_below(k % 2 ? min(len, 32) : len);
		size_t n = 1 + rand_below(k % 3 ? min(len - pos, 8) : len - pos);
		u8 *src = cut_end(b, len);

		memcpy(src, b->obj, len);
		prandom_bytes_state(&rng, src + pos, n);
		expect_whole_page_or_error(test, b, len, k);
	}
}

/*
 * Letters of which no three come a second time, then copies of all of them: hardly
 * another object can hold such a page.
 */
static void make_letters(struct seqlz_bufs *b, size_t period, int level)
{
	static const char letters[] = " etaoinsrhdl";
	const unsigned int nr = sizeof(letters) - 1;
	u16 seen[12][12] = {};
	unsigned int first = 0, second = 0;

	static_assert(sizeof(letters) - 1 == ARRAY_SIZE(seen));
	prandom_seed_state(&rng, SEQLZ_TEST_SEED + period);
	for (size_t i = 0; i < period; i++) {
		unsigned int third = rand_below(nr);

		for (unsigned int k = 0; k < nr && seen[first][second] & 1 << third; k++)
			third = (third + 1) % nr;
		seen[first][second] |= 1 << third;
		b->page[i] = letters[third];
		first = second;
		second = third;
	}
	put_match(b->page, period, period, PAGE_SIZE);
	memcpy(b->copy, b->page, PAGE_SIZE);
	snprintf(b->what, sizeof(b->what), "%zu letters, level %d", period, level);
}

static void expect_other_page(struct kunit *test, struct seqlz_bufs *b, const u8 *src, size_t len,
			      size_t pos)
{
	int err = seqlz_decompress(src, len, b->out);

	if (err != -EBADMSG) {
		KUNIT_ASSERT_EQ_MSG(test, 0, err, "%s, at %zu", b->what, pos);
		KUNIT_ASSERT_NE_MSG(test, PAGE_SIZE, first_difference(b->copy, b->out, PAGE_SIZE),
				    "%s, at %zu: another object holds the same page", b->what, pos);
	}
}

/* The head of the last block; those before have their lengths in front. */
static size_t last_head(const struct seqlz_bufs *b)
{
	const size_t block = PAGE_SHIFT < 14 ? SZ_4K : SZ_16K;
	size_t head = 0;

	for (size_t left = PAGE_SIZE; left > block; left -= block)
		head += 2 + get_unaligned_le16(b->obj + head);
	return head;
}

/*
 * Flip bits of the last block, but not of the choice of tables, which is in its
 * first byte, nor of the sequences' end before the last byte: what they copy can
 * stand in several places.
 */
static void flip_last_block(struct kunit *test, struct seqlz_bufs *b, size_t len)
{
	u8 *src = cut_end(b, len);

	memcpy(src, b->obj, len);
	for (size_t bit = 8 * (last_head(b) + 1); bit < 8 * len; bit++) {
		size_t i = bit / 8;

		if (i + 5 > len && i + 1 < len)
			continue;
		src[i] ^= 1 << (bit % 8);
		expect_other_page(test, b, src, len, bit);
		src[i] ^= 1 << (bit % 8);
	}
}

/* Put a zero byte between others, which a size or a count near the head allows for. */
static void insert_zero(struct kunit *test, struct seqlz_bufs *b, size_t len)
{
	u8 *src = cut_end(b, len + 1);
	size_t head = last_head(b);

	for (size_t i = head + 1; i <= len; i++) {
		memcpy(src, b->obj, i);
		src[i] = 0;
		memcpy(src + i + 1, b->obj + i, len - i);
		for (size_t k = head + 1; k < min(head + 10, i); k++) {
			src[k]++;
			expect_other_page(test, b, src, len + 1, i);
			src[k]--;
		}
	}
}

/*
 * Bits that fill up a byte must be zero, and streams must meet: else a page would
 * have objects that no encoder writes.
 */
static void seqlz_other_object_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;

	for (size_t period = 20; period < 320; period += period < 60 ? 3 : 23) {
		size_t len;

		make_letters(b, period, param->level);
		len = compress_to_obj(test, b, param->level);
		flip_last_block(test, b, len);
		insert_zero(test, b, len);
	}
}

/*
 * Literals that seem to go on where the input ends: three parts, of which the last
 * is short, and nothing behind them. What is read ahead must not be beyond.
 */
static void seqlz_parts_test(struct kunit *test)
{
	/* a block that is not the last has its length in front */
	const size_t front = PAGE_SIZE == SZ_4K || PAGE_SIZE == SZ_16K ? 0 : 2;
	const unsigned int nr_lits = 300, size = 40;
	struct seqlz_bufs *b = test->priv;

	prandom_seed_state(&rng, SEQLZ_TEST_SEED);
	strscpy(b->what, "parts");
	for (unsigned int last = 0; last <= size; last++) {
		const size_t len = 6 + 2 * size + last;
		u8 *src = cut_end(b, len);

		if (front)
			put_unaligned_le16(len, src - front);
		/* each code for literals, with each code for tokens */
		for (unsigned int head = 4; head < 68; head++) {
			src[0] = head;
			put_unaligned_le16(nr_lits, src + 1);
			src[3] = size;
			src[4] = size;
			src[5] = last;
			prandom_bytes_state(&rng, src + 6, 2 * size + last);
			expect_whole_page_or_error(test, b, front + len, last);
		}
	}
}

/* No input, and inputs of up to 16 bytes that start with any two bytes */
static void seqlz_short_input_test(struct kunit *test)
{
	struct seqlz_bufs *b = test->priv;

	prandom_seed_state(&rng, SEQLZ_TEST_SEED);
	strscpy(b->what, "first bytes");
	KUNIT_ASSERT_EQ(test, -EBADMSG, seqlz_decompress(cut_end(b, 0), 0, b->out));
	for (unsigned int first = 0; first < 65536; first++) {
		size_t len = 1 + first % 16;
		u8 *src = cut_end(b, len);

		/* one byte alone for each length, and each pair of bytes for one */
		memset(src, first % 3 ? rand_below(256) : 0, len);
		src[0] = first >> 8;
		if (len > 1)
			src[1] = first;
		expect_whole_page_or_error(test, b, len, first);
	}
}

static void seqlz_garbage_test(struct kunit *test)
{
	struct seqlz_bufs *b = test->priv;

	prandom_seed_state(&rng, SEQLZ_TEST_SEED);
	strscpy(b->what, "garbage");
	for (size_t k = 0; k < SEQLZ_NUM_GARBAGE; k++) {
		size_t len = 1 + rand_below(k % 2 ? 128 : SEQLZ_MAX_LEN);
		u8 *src = cut_end(b, len);

		prandom_bytes_state(&rng, src, len);
		/* what the first bytes mean is tried more often than at random */
		src[0] = k / 4;
		expect_whole_page_or_error(test, b, len, k);
	}
}

/* A buffer of exactly @offset + @size bytes, for KASAN to watch both ends */
static u8 *alloc_exact(struct kunit *test, size_t offset, size_t size)
{
	u8 *buf = kunit_kmalloc(test, offset + size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	memset(buf, 0xc3, offset + size);
	return buf;
}

static void test_alignment(struct kunit *test, struct seqlz_bufs *b, int level, size_t len,
			   size_t src_offset, size_t dst_offset)
{
	u8 *page = alloc_exact(test, src_offset, PAGE_SIZE);
	u8 *obj = alloc_exact(test, dst_offset, len);
	u8 *out = alloc_exact(test, src_offset, PAGE_SIZE);
	int ret;

	memcpy(page + src_offset, b->page, PAGE_SIZE);
	ret = seqlz_compress(page + src_offset, obj + dst_offset, len, level_workmem(b, level),
			     level);
	KUNIT_ASSERT_EQ_MSG(test, (int)len, ret, "%s, from %zu to %zu", b->what, src_offset,
			    dst_offset);
	KUNIT_ASSERT_EQ_MSG(test, len, first_difference(b->obj, obj + dst_offset, len),
			    "%s, from %zu to %zu", b->what, src_offset, dst_offset);
	ret = seqlz_decompress(obj + dst_offset, len, out + src_offset);
	KUNIT_ASSERT_EQ_MSG(test, 0, ret, "%s, from %zu to %zu", b->what, dst_offset, src_offset);
	KUNIT_ASSERT_EQ_MSG(test, PAGE_SIZE,
			    first_difference(b->copy, out + src_offset, PAGE_SIZE),
			    "%s, from %zu to %zu", b->what, dst_offset, src_offset);
	KUNIT_ASSERT_NULL_MSG(test, memchr_inv(obj, 0xc3, dst_offset),
			      "%s, to %zu: wrote before it", b->what, dst_offset);
	KUNIT_ASSERT_NULL_MSG(test, memchr_inv(out, 0xc3, src_offset),
			      "%s, to %zu: wrote before it", b->what, src_offset);
	kunit_kfree(test, page);
	kunit_kfree(test, obj);
	kunit_kfree(test, out);
}

static void seqlz_alignment_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;
	size_t len;

	for (unsigned int i = 0; i < param->kind->count; i += 3) {
		make_page(b, param, i);
		len = compress_to_obj(test, b, param->level);
		for (size_t k = 0; k < 16 * 16; k++)
			test_alignment(test, b, param->level, len, k / 16, k % 16);
	}
}

/* Fill work memory in one of four ways, the last being what it holds already. */
static void poison_workmem(u8 *workmem, size_t size, unsigned int how)
{
	if (how < 2)
		memset(workmem, how ? 0xff : 0, size);
	else if (how == 2)
		prandom_bytes_state(&rng, workmem, size);
}

/* What the work memory held before must not matter, nor what is around it. */
static void seqlz_workmem_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	size_t size = seqlz_workmem_size(param->level);
	struct seqlz_bufs *b = test->priv;
	/* exactly as large as it says, for KASAN */
	u8 *workmem = kunit_kmalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, workmem);
	for (unsigned int i = 0; i < 4 * param->kind->count; i++) {
		unsigned int how = i / param->kind->count;
		size_t len;

		make_page(b, param, i % param->kind->count);
		len = compress_to_obj(test, b, param->level);
		KUNIT_ASSERT_NULL_MSG(test, memchr_inv(b->workmem, b->poison,
						       b->workmem_size - round_up(size, 8)),
				      "%s: wrote before the work memory", b->what);
		poison_workmem(workmem, size, how);
		KUNIT_ASSERT_EQ_MSG(test, (int)len,
				    seqlz_compress(b->page, b->cut, SEQLZ_MAX_LEN, workmem,
						   param->level),
				    "%s, work memory %u", b->what, how);
		KUNIT_ASSERT_EQ_MSG(test, len, first_difference(b->obj, b->cut, len),
				    "%s, work memory %u", b->what, how);
	}
}

static void seqlz_level_test(struct kunit *test)
{
	static const int bad[] = {
		INT_MIN, -SEQLZ_LEVEL_MAX, -1, SEQLZ_LEVEL_MIN - 1, SEQLZ_LEVEL_MAX + 1, INT_MAX,
	};
	struct seqlz_bufs *b = test->priv;

	memset(b->obj, 0xc3, SEQLZ_MAX_LEN);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		KUNIT_EXPECT_EQ_MSG(test, 0, seqlz_workmem_size(bad[i]), "level %d", bad[i]);
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL,
				    seqlz_compress(b->page, b->obj, SEQLZ_MAX_LEN, b->workmem,
						   bad[i]),
				    "level %d", bad[i]);
	}
	KUNIT_EXPECT_NULL(test, memchr_inv(b->obj, 0xc3, SEQLZ_MAX_LEN));
	for (int level = SEQLZ_LEVEL_MIN; level <= SEQLZ_LEVEL_MAX; level++)
		KUNIT_EXPECT_GT_MSG(test, seqlz_workmem_size(level), 0, "level %d", level);
}

/* Task, softirq and hardirq each have buffers of their own. */
struct seqlz_irq_state {
	const struct seqlz_bufs *b;
	struct {
		u8 *workmem;
		u8 *obj;
		u8 *out;
	} context[3];
	size_t len;
	int level;
};

static bool seqlz_irq_test_func(void *state_)
{
	struct seqlz_irq_state *state = state_;
	const struct seqlz_bufs *b = state->b;
	unsigned int i = in_hardirq() ? 2 : in_serving_softirq() ? 1 : 0;
	u8 *workmem = state->context[i].workmem;
	u8 *obj = state->context[i].obj;
	u8 *out = state->context[i].out;

	return seqlz_compress(b->page, obj, SEQLZ_MAX_LEN, workmem, state->level) == state->len &&
	       !memcmp(obj, b->obj, state->len) &&
	       !seqlz_decompress(obj, state->len, out) &&
	       !memcmp(out, b->copy, PAGE_SIZE);
}

static void seqlz_irq_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;
	struct seqlz_irq_state state = { .b = b, .level = param->level };

	make_page(b, param, 0);
	state.len = compress_to_obj(test, b, param->level);
	for (size_t i = 0; i < ARRAY_SIZE(state.context); i++) {
		state.context[i].workmem = alloc_guarded(test, b->workmem_size);
		state.context[i].obj = alloc_guarded(test, SEQLZ_MAX_LEN);
		state.context[i].out = alloc_guarded(test, PAGE_SIZE);
	}
	kunit_run_irq_test(test, seqlz_irq_test_func, 20000, &state);
}

/* Neither sleeps, allocates or takes locks: say so to the debug checks. */
static void seqlz_atomic_test(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	struct seqlz_bufs *b = test->priv;

	for (unsigned int i = 0; i < param->kind->count; i++) {
		unsigned long flags;
		int len, err = -EBADMSG;

		make_page(b, param, i);
		preempt_disable();
		local_irq_save(flags);
		len = compress(b, b->obj, SEQLZ_MAX_LEN, param->level);
		if (len > 0)
			err = seqlz_decompress(b->obj, len, b->out);
		local_irq_restore(flags);
		preempt_enable();
		KUNIT_ASSERT_GT_MSG(test, len, 0, "%s", b->what);
		KUNIT_ASSERT_EQ_MSG(test, 0, err, "%s", b->what);
		KUNIT_ASSERT_EQ_MSG(test, PAGE_SIZE, first_difference(b->copy, b->out, PAGE_SIZE),
				    "%s", b->what);
	}
}

static void seqlz_benchmark(struct kunit *test)
{
	const struct seqlz_param *param = test->param_value;
	const unsigned int pages = param->kind->count, rounds = 1000;
	struct seqlz_bufs *b = test->priv;
	u64 compress_ns = 0, decompress_ns = 0, bytes = 0;

	if (!IS_ENABLED(CONFIG_SEQLZ_BENCHMARK))
		kunit_skip(test, "not enabled");

	/* the first round of each page warms up and is not counted */
	for (unsigned int i = 0; i < pages; i++) {
		size_t len;
		u64 start;

		make_page(b, param, i);
		len = compress_to_obj(test, b, param->level);
		expect_page(test, b, b->obj, len);
		bytes += len;

		preempt_disable();
		start = ktime_get_ns();
		for (unsigned int k = 0; k < rounds; k++)
			seqlz_compress(b->page, b->cut, SEQLZ_MAX_LEN,
				       level_workmem(b, param->level), param->level);
		compress_ns += ktime_get_ns() - start;
		start = ktime_get_ns();
		for (unsigned int k = 0; k < rounds; k++)
			seqlz_decompress(b->obj, len, b->out);
		decompress_ns += ktime_get_ns() - start;
		preempt_enable();
	}
	kunit_info(test, "level %d: %llu bytes, compress %llu ns, decompress %llu ns per page",
		   param->level, div_u64(bytes, pages), div_u64(compress_ns, pages * rounds),
		   div_u64(decompress_ns, pages * rounds));
}

static struct kunit_case seqlz_test_cases[] = {
	KUNIT_CASE_PARAM(seqlz_roundtrip_test, gen_kind_and_level),
	KUNIT_CASE_PARAM(seqlz_dst_len_test, gen_level),
	KUNIT_CASE_PARAM(seqlz_truncation_test, gen_kind_and_level),
	KUNIT_CASE_PARAM(seqlz_trailing_test, gen_kind_and_level),
	KUNIT_CASE_PARAM(seqlz_bit_flip_test, gen_kind_and_level),
	KUNIT_CASE_PARAM(seqlz_damage_test, gen_kind_and_level),
	KUNIT_CASE_PARAM(seqlz_other_object_test, gen_level),
	KUNIT_CASE(seqlz_parts_test),
	KUNIT_CASE(seqlz_short_input_test),
	KUNIT_CASE(seqlz_garbage_test),
	KUNIT_CASE_PARAM(seqlz_alignment_test, gen_level),
	KUNIT_CASE_PARAM(seqlz_workmem_test, gen_level),
	KUNIT_CASE(seqlz_level_test),
	KUNIT_CASE_PARAM(seqlz_atomic_test, gen_level),
	KUNIT_CASE_PARAM(seqlz_irq_test, gen_level),
	KUNIT_CASE_PARAM(seqlz_benchmark, gen_level),
	{},
};

static struct kunit_suite seqlz_test_suite = {
	.name = "seqlz",
	.init = seqlz_test_init,
	.test_cases = seqlz_test_cases,
};

#ifdef CONFIG_X86_64
/* The decoder that processors without BMI2 get, on one that has it */
static bool had_bmi2;

static int seqlz_generic_suite_init(struct kunit_suite *suite)
{
	had_bmi2 = seqlz_has_bmi2();
	static_branch_disable(&seqlz_bmi2);
	return 0;
}

static void seqlz_generic_suite_exit(struct kunit_suite *suite)
{
	if (had_bmi2)
		static_branch_enable(&seqlz_bmi2);
}

static struct kunit_case seqlz_generic_cases[] = {
	KUNIT_CASE_PARAM(seqlz_roundtrip_test, gen_kind_and_level),
	KUNIT_CASE_PARAM(seqlz_bit_flip_test, gen_kind_and_level),
	KUNIT_CASE_PARAM(seqlz_damage_test, gen_kind_and_level),
	KUNIT_CASE(seqlz_garbage_test),
	{},
};

static struct kunit_suite seqlz_generic_suite = {
	.name = "seqlz_generic",
	.suite_init = seqlz_generic_suite_init,
	.suite_exit = seqlz_generic_suite_exit,
	.init = seqlz_test_init,
	.test_cases = seqlz_generic_cases,
};

kunit_test_suites(&seqlz_test_suite, &seqlz_generic_suite);
MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
#else
kunit_test_suite(seqlz_test_suite);
#endif

MODULE_DESCRIPTION("Unit tests and benchmarks for seqlz page compression");
MODULE_LICENSE("Dual MIT/GPL");
