// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests for the seqlz backend of zram, through zcomp as zram drives it
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/prandom.h>
#include <linux/seqlz.h>
#include <linux/string.h>

#include "../../../drivers/block/zram/zcomp.h"

struct seqlz_zram_param {
	const char *name;
	const char *dict;
	s32 level;
	s32 winbits;
	int err;		/* what creating the compressor returns */
	int used_level;		/* the level it has then */
};

#define LEVEL(_name, _level, _err, _used_level) {	\
	.name = _name,					\
	.level = _level,				\
	.winbits = ZCOMP_PARAM_NOT_SET,			\
	.err = _err,					\
	.used_level = _used_level,			\
}

static const struct seqlz_zram_param seqlz_zram_params[] = {
	LEVEL("level not set", ZCOMP_PARAM_NOT_SET, 0, SEQLZ_LEVEL_DEFAULT),
	LEVEL("level 1", 1, 0, 1),
	LEVEL("level 2", 2, 0, 2),
	LEVEL("level 3", 3, 0, 3),
	LEVEL("level 4", 4, 0, 4),
	LEVEL("level 0", 0, -EINVAL, 0),
	LEVEL("level 5", 5, -EINVAL, 0),
	LEVEL("level -1", -1, -EINVAL, 0),
	LEVEL("lowest level", INT_MIN + 1, -EINVAL, 0),
	LEVEL("highest level", INT_MAX, -EINVAL, 0),
	{
		.name = "dictionary",
		.dict = "a dictionary",
		.level = ZCOMP_PARAM_NOT_SET,
		.winbits = ZCOMP_PARAM_NOT_SET,
		.err = -EOPNOTSUPP,
	}, {
		.name = "window of deflate",
		.level = SEQLZ_LEVEL_DEFAULT,
		.winbits = 12,
		.err = -EOPNOTSUPP,
	},
};

KUNIT_ARRAY_PARAM_DESC(seqlz_zram, seqlz_zram_params, name);

/* A page of few or of all byte values, to be stored small or as it is */
static void make_page(u8 *page, u8 mask)
{
	struct rnd_state rng;

	prandom_seed_state(&rng, mask);
	prandom_bytes_state(&rng, page, PAGE_SIZE);
	for (size_t i = 0; i < PAGE_SIZE; i++)
		page[i] &= mask;
}

#ifdef SEQLZ_ZCOMP_REWORK	/* a stream for each direction */

static struct zcomp *create(struct zcomp_params *params)
{
	return zcomp_create("seqlz", params, false);
}

static int compress(struct zcomp *comp, const u8 *page, u8 *obj, unsigned int *len)
{
	struct zcomp_cstrm *cstrm = zcomp_cstrm_get(comp);
	int err = zcomp_compress(comp, cstrm, page, len);

	memcpy(obj, cstrm->buffer, 2 * PAGE_SIZE);
	zcomp_cstrm_put(cstrm);
	return err;
}

static int decompress(struct zcomp *comp, u8 *obj, unsigned int len, u8 *out)
{
	struct zcomp_dstrm *dstrm = zcomp_dstrm_get(comp, ZCOMP_DECOMP_INPLACE);
	struct scatterlist sg;
	int err;

	/* also of more than a page, which zram would not store: it is linear */
	sg_init_one(&sg, obj, len);
	err = zcomp_decompress(comp, dstrm, &sg, len, out);
	zcomp_dstrm_put(dstrm);
	return err;
}

#else	/* one stream for both */

static struct zcomp *create(struct zcomp_params *params)
{
	return zcomp_create("seqlz", params);
}

static int compress(struct zcomp *comp, const u8 *page, u8 *obj, unsigned int *len)
{
	struct zcomp_strm *strm = zcomp_stream_get(comp);
	int err = zcomp_compress(comp, strm, page, len);

	memcpy(obj, strm->buffer, 2 * PAGE_SIZE);
	zcomp_stream_put(strm);
	return err;
}

static int decompress(struct zcomp *comp, u8 *obj, unsigned int len, u8 *out)
{
	struct zcomp_strm *strm = zcomp_stream_get(comp);
	int err = zcomp_decompress(comp, strm, obj, len, out);

	zcomp_stream_put(strm);
	return err;
}

#endif

/* Swap @page out and in, and return what came back in @out. */
static void roundtrip(struct kunit *test, struct zcomp *comp, const u8 *page, u8 *obj, u8 *out)
{
	unsigned int len = 0;
	int err;

	err = compress(comp, page, obj, &len);
	KUNIT_EXPECT_EQ(test, 0, err);
	KUNIT_EXPECT_GT(test, len, 0);
	KUNIT_EXPECT_LE(test, len, 2 * PAGE_SIZE);
	if (!err && len > 0 && len <= 2 * PAGE_SIZE) {
		KUNIT_EXPECT_EQ(test, 0, decompress(comp, obj, len, out));
		KUNIT_EXPECT_NE_MSG(test, 0, decompress(comp, obj, len - 1, obj + len),
				    "takes an object without its last byte");
	}
}

static void use_compressor(struct kunit *test, struct zcomp *comp)
{
	static const u8 masks[] = { 0x03, 0xff };
	u8 *page = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	u8 *obj = kunit_kzalloc(test, 3 * PAGE_SIZE, GFP_KERNEL);
	u8 *out = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	if (!page || !obj || !out) {
		KUNIT_FAIL(test, "no memory");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(masks); i++) {
		make_page(page, masks[i]);
		roundtrip(test, comp, page, obj, out);
		KUNIT_EXPECT_TRUE_MSG(test, !memcmp(page, out, PAGE_SIZE),
				      "another page came back, bytes & %#x", masks[i]);
	}
}

/* Twice, as a user does who corrects a mistake or changes a device's mind */
static void seqlz_zram_param_test(struct kunit *test)
{
	const struct seqlz_zram_param *param = test->param_value;

	for (int i = 0; i < 2; i++) {
		struct zcomp_params params = {
			.dict = (void *)param->dict,
			.dict_sz = param->dict ? strlen(param->dict) : 0,
			.level = param->level,
			.deflate.winbits = param->winbits,
		};
		struct zcomp *comp = create(&params);

		KUNIT_ASSERT_EQ(test, param->err, PTR_ERR_OR_ZERO(comp));
		if (IS_ERR(comp))
			continue;
		KUNIT_EXPECT_EQ(test, param->used_level, params.level);
		use_compressor(test, comp);
		zcomp_destroy(comp);
	}
}

static void seqlz_zram_name_test(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, "seqlz", zcomp_lookup_backend_name("seqlz"));
}

static struct kunit_case seqlz_zram_test_cases[] = {
	KUNIT_CASE(seqlz_zram_name_test),
	KUNIT_CASE_PARAM(seqlz_zram_param_test, seqlz_zram_gen_params),
	{},
};

static struct kunit_suite seqlz_zram_test_suite = {
	.name = "seqlz_zram",
	.test_cases = seqlz_zram_test_cases,
};

kunit_test_suite(seqlz_zram_test_suite);

MODULE_DESCRIPTION("Unit tests for the seqlz backend of zram");
MODULE_LICENSE("GPL");
