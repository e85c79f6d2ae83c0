// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests for zcomp with separate streams for compression and decompression:
 * what seqlz, which decompresses without a context, relies on there
 *
 * Every test runs its threads on one CPU, so that all of them want the stream
 * of that CPU.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/kthread.h>
#include <linux/prandom.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../../../drivers/block/zram/zcomp.h"

#define SOON	(HZ / 10)	/* long enough to see that somebody waits */
#define LATE	(20 * HZ)	/* longer than anything takes on a busy host */

/* A compressor with a page and what it makes of that page */
struct zcomp_dev {
	struct zcomp *comp;
	struct zcomp_params params;
	int cpu;
	u8 *page;
	u8 *obj;
	unsigned int len;
};

static int first_cpu(void)
{
	return cpumask_first(cpu_online_mask);
}

static void destroy_comp(void *comp)
{
	zcomp_destroy(comp);
}

KUNIT_DEFINE_ACTION_WRAPPER(free_page_action, free_page, unsigned long);

static u8 *alloc_test_page(struct kunit *test)
{
	unsigned long addr = get_zeroed_page(GFP_KERNEL);

	KUNIT_ASSERT_NE(test, 0, addr);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, free_page_action, (void *)addr));
	return (u8 *)addr;
}

static void compress_page(struct kunit *test, struct zcomp_dev *dev)
{
	struct zcomp_cstrm *cstrm = zcomp_cstrm_get(dev->comp);
	int err = zcomp_compress(dev->comp, cstrm, dev->page, &dev->len);

	memcpy(dev->obj, cstrm->buffer, PAGE_SIZE);
	zcomp_cstrm_put(cstrm);
	KUNIT_ASSERT_EQ(test, 0, err);
	KUNIT_ASSERT_GT(test, dev->len, 1);
	KUNIT_ASSERT_LE(test, dev->len, PAGE_SIZE);
}

static struct zcomp_dev *make_device_dict(struct kunit *test, const char *alg, bool recomp,
					  size_t dict_sz)
{
	struct zcomp_dev *dev = kunit_kzalloc(test, sizeof(*dev), GFP_KERNEL);
	struct rnd_state rng;

	if (!zcomp_lookup_backend_name(alg))
		kunit_skip(test, "zram has no %s here", alg);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	dev->page = alloc_test_page(test);
	dev->obj = alloc_test_page(test);

	prandom_seed_state(&rng, 1);
	prandom_bytes_state(&rng, dev->page, PAGE_SIZE / 4);
	memcpy(dev->page + PAGE_SIZE / 2, dev->page, PAGE_SIZE / 4);

	dev->cpu = first_cpu();
	dev->params.level = ZCOMP_PARAM_NOT_SET;
	dev->params.deflate.winbits = ZCOMP_PARAM_NOT_SET;
	if (dict_sz) {
		dev->params.dict = alloc_test_page(test);
		memcpy(dev->params.dict, dev->page, dict_sz);
		dev->params.dict_sz = dict_sz;
	}
	dev->comp = zcomp_create(alg, &dev->params, recomp);
	KUNIT_ASSERT_FALSE(test, IS_ERR(dev->comp));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, destroy_comp, dev->comp));
	compress_page(test, dev);
	return dev;
}

static struct zcomp_dev *make_device(struct kunit *test, const char *alg, bool recomp)
{
	return make_device_dict(test, alg, recomp, 0);
}

/* Decompress the object of @dev with @dstrm. 0: it is the page */
static int read_back(struct zcomp_dev *dev, struct zcomp_dstrm *dstrm)
{
	u8 *out = kzalloc(PAGE_SIZE, GFP_KERNEL);
	struct scatterlist sg;
	int err;

	if (!out)
		return -ENOMEM;
	sg_init_one(&sg, dev->obj, dev->len);
	err = zcomp_decompress(dev->comp, dstrm, &sg, dev->len, out);
	if (!err && memcmp(out, dev->page, PAGE_SIZE))
		err = -EBADMSG;
	kfree(out);
	return err;
}

/* Who uses a stream, in a thread of its own, and keeps it until released */
enum role {
	COMPRESS,
	INPLACE,	/* reads an object that lies in one page */
	BOUNCE,		/* reads one that does not, or to ->local_copy */
	DEAD,		/* takes the CPU's streams down */
};

static enum zcomp_decomp_mode mode_of(enum role role)
{
	return role == INPLACE ? ZCOMP_DECOMP_INPLACE : ZCOMP_DECOMP_BOUNCE;
}

struct stream_user {
	struct zcomp_dev *dev;
	enum role role;
	void *stream;
	int err;
	struct completion got;
	struct completion release;
	struct completion done;
};

static int use_stream(void *data)
{
	struct stream_user *user = data;
	struct zcomp *comp = user->dev->comp;
	struct zcomp_cstrm *cstrm;
	struct zcomp_dstrm *dstrm;
	unsigned int len;

	switch (user->role) {
	case COMPRESS:
		cstrm = zcomp_cstrm_get(comp);
		user->stream = cstrm;
		complete(&user->got);
		wait_for_completion(&user->release);
		user->err = zcomp_compress(comp, cstrm, user->dev->page, &len);
		zcomp_cstrm_put(cstrm);
		break;
	case INPLACE:
	case BOUNCE:
		dstrm = zcomp_dstrm_get(comp, mode_of(user->role));
		user->stream = dstrm;
		user->err = read_back(user->dev, dstrm);
		complete(&user->got);
		wait_for_completion(&user->release);
		/* it must not have gone away meanwhile */
		if (!user->err)
			user->err = read_back(user->dev, dstrm);
		zcomp_dstrm_put(dstrm);
		break;
	case DEAD:
		user->err = zcomp_cpu_dead(user->dev->cpu, &comp->node);
		complete(&user->got);
		break;
	}
	complete(&user->done);
	return 0;
}

static bool start_user(struct kunit *test, struct stream_user *user, struct zcomp_dev *dev,
		       enum role role, int cpu)
{
	struct task_struct *task;

	user->dev = dev;
	user->role = role;
	init_completion(&user->got);
	init_completion(&user->release);
	init_completion(&user->done);
	task = kthread_create(use_stream, user, "zcomp-user");
	if (IS_ERR(task)) {
		KUNIT_FAIL(test, "no thread");
		return false;
	}
	kthread_bind(task, cpu);
	wake_up_process(task);
	return true;
}

static bool got_it(struct stream_user *user, unsigned long timeout)
{
	return wait_for_completion_timeout(&user->got, timeout);
}

/* Let @user go on and end. Nothing may be freed before it has. */
static void end_user(struct kunit *test, struct stream_user *user)
{
	complete(&user->release);
	wait_for_completion(&user->done);
	KUNIT_EXPECT_EQ(test, 0, user->err);
}

struct pair {
	const char *name;
	const char *alg;
	enum role first;
	enum role second;
	bool together;
};

static const struct pair pairs[] = {
	{ "seqlz, two readers", "seqlz", INPLACE, INPLACE, true },
	{ "seqlz, reader and reader of two pages", "seqlz", INPLACE, BOUNCE, false },
	{ "seqlz, reader of two pages and reader", "seqlz", BOUNCE, INPLACE, false },
	{ "seqlz, two readers of two pages", "seqlz", BOUNCE, BOUNCE, false },
	{ "seqlz, writer and reader", "seqlz", COMPRESS, INPLACE, true },
	{ "seqlz, writer and reader of two pages", "seqlz", COMPRESS, BOUNCE, true },
	{ "seqlz, two writers", "seqlz", COMPRESS, COMPRESS, false },
	{ "lz4, two readers", "lz4", INPLACE, INPLACE, true },
	{ "lz4hc, two readers", "lz4hc", INPLACE, INPLACE, true },
	{ "lzo, two readers", "lzo", INPLACE, INPLACE, true },
	{ "lzo-rle, two readers", "lzo-rle", INPLACE, INPLACE, true },
	{ "842, two readers", "842", INPLACE, INPLACE, true },
	{ "zstd, two readers", "zstd", INPLACE, INPLACE, false },
	{ "zstd, writer and reader", "zstd", COMPRESS, INPLACE, true },
	{ "deflate, two readers", "deflate", INPLACE, INPLACE, false },
	{ "deflate, writer and reader", "deflate", COMPRESS, INPLACE, true },
};

KUNIT_ARRAY_PARAM_DESC(pair, pairs, name);

/* Either both have the CPU's stream at a time, or the second one waits. */
static void seqlz_zcomp_share_test(struct kunit *test)
{
	const struct pair *pair = test->param_value;
	struct zcomp_dev *dev = make_device(test, pair->alg, false);
	struct stream_user first = {}, second = {};

	if (!start_user(test, &first, dev, pair->first, dev->cpu))
		return;
	KUNIT_EXPECT_TRUE(test, got_it(&first, LATE));
	if (start_user(test, &second, dev, pair->second, dev->cpu)) {
		KUNIT_EXPECT_EQ(test, pair->together,
				got_it(&second, pair->together ? LATE : SOON));
		end_user(test, &first);
		if (!pair->together)
			KUNIT_EXPECT_TRUE(test, got_it(&second, LATE));
		if (pair->first == pair->second)
			KUNIT_EXPECT_PTR_EQ(test, first.stream, second.stream);
		end_user(test, &second);
	} else {
		end_user(test, &first);
	}
}

static const struct pair users[] = {
	{ "writer", "seqlz", COMPRESS },
	{ "reader", "seqlz", INPLACE },
	{ "reader of two pages", "seqlz", BOUNCE },
	{ "reader of zstd", "zstd", INPLACE },
};

KUNIT_ARRAY_PARAM_DESC(user, users, name);

/*
 * A CPU that goes away waits for who uses its streams. Who comes then finds
 * none, tries again, and goes on when there is one again.
 */
static void seqlz_zcomp_hotplug_test(struct kunit *test)
{
	const struct pair *pair = test->param_value;
	struct zcomp_dev *dev = make_device(test, pair->alg, false);
	struct hlist_node *node = &dev->comp->node;
	struct stream_user user = {}, dead = {}, late = {};

	if (!start_user(test, &user, dev, pair->first, dev->cpu))
		return;
	KUNIT_EXPECT_TRUE(test, got_it(&user, LATE));
	if (!start_user(test, &dead, dev, DEAD, dev->cpu)) {
		end_user(test, &user);
		return;
	}
	KUNIT_EXPECT_FALSE(test, got_it(&dead, SOON));
	end_user(test, &user);
	end_user(test, &dead);
	KUNIT_EXPECT_NULL(test, per_cpu_ptr(dev->comp->cstreams, dev->cpu)->buffer);
	KUNIT_EXPECT_NULL(test, per_cpu_ptr(dev->comp->cstreams, dev->cpu)->ctx.context);
	KUNIT_EXPECT_NULL(test, per_cpu_ptr(dev->comp->dstreams, dev->cpu)->local_copy);
	KUNIT_EXPECT_NULL(test, per_cpu_ptr(dev->comp->dstreams, dev->cpu)->ctx.context);

	if (start_user(test, &late, dev, pair->first, dev->cpu)) {
		KUNIT_EXPECT_FALSE(test, got_it(&late, SOON));
		KUNIT_EXPECT_EQ(test, 0, zcomp_cpu_up_prepare(dev->cpu, node));
		KUNIT_EXPECT_TRUE(test, got_it(&late, LATE));
		end_user(test, &late);
	} else {
		KUNIT_EXPECT_EQ(test, 0, zcomp_cpu_up_prepare(dev->cpu, node));
	}
}

/* Users that come and go, until told to stop */
struct churn {
	struct zcomp_dev *dev;
	enum role role;
	bool stop;
	unsigned int rounds;
	int err;
	struct completion done;
};

static int use_streams(void *data)
{
	struct churn *churn = data;
	struct zcomp *comp = churn->dev->comp;
	struct zcomp_cstrm *cstrm;
	struct zcomp_dstrm *dstrm;
	unsigned int len;
	int err;

	while (!READ_ONCE(churn->stop)) {
		if (churn->role == COMPRESS) {
			cstrm = zcomp_cstrm_get(comp);
			err = zcomp_compress(comp, cstrm, churn->dev->page, &len);
			if (!err && (len != churn->dev->len ||
				     memcmp(cstrm->buffer, churn->dev->obj, len)))
				err = -EBADMSG;
			zcomp_cstrm_put(cstrm);
		} else {
			dstrm = zcomp_dstrm_get(comp, mode_of(churn->role));
			err = read_back(churn->dev, dstrm);
			zcomp_dstrm_put(dstrm);
		}
		if (err)
			churn->err = err;
		churn->rounds++;
		cond_resched();
	}
	complete(&churn->done);
	return 0;
}

/* All kinds of users while the CPU's streams go and come: nobody fails */
static void seqlz_zcomp_churn_test(struct kunit *test)
{
	static const enum role roles[] = { COMPRESS, INPLACE, INPLACE, BOUNCE };
	struct churn churns[ARRAY_SIZE(roles)] = {};
	const struct pair *pair = test->param_value;
	struct zcomp_dev *dev = make_device(test, pair->alg, false);
	struct hlist_node *node = &dev->comp->node;
	struct task_struct *task;
	size_t n;

	for (n = 0; n < ARRAY_SIZE(roles); n++) {
		churns[n].dev = dev;
		churns[n].role = roles[n];
		init_completion(&churns[n].done);
		task = kthread_create(use_streams, &churns[n], "zcomp-churn");
		if (IS_ERR(task)) {
			KUNIT_FAIL(test, "no thread");
			break;
		}
		kthread_bind(task, dev->cpu);
		wake_up_process(task);
	}
	for (int i = 0; i < 20; i++) {
		schedule_timeout_uninterruptible(1);
		KUNIT_EXPECT_EQ(test, 0, zcomp_cpu_dead(dev->cpu, node));
		schedule_timeout_uninterruptible(1);
		KUNIT_EXPECT_EQ(test, 0, zcomp_cpu_up_prepare(dev->cpu, node));
	}
	schedule_timeout_uninterruptible(SOON);
	while (n--) {
		WRITE_ONCE(churns[n].stop, true);
		wait_for_completion(&churns[n].done);
		KUNIT_EXPECT_EQ(test, 0, churns[n].err);
		KUNIT_EXPECT_GT(test, churns[n].rounds, 0);
	}
}

static const struct pair algs[] = {
	{ "seqlz", "seqlz" },
	{ "lz4", "lz4" },
	{ "zstd", "zstd" },
};

KUNIT_ARRAY_PARAM_DESC(alg, algs, name);

/* An object in two pages, cut at every byte, and one at every place in a page */
static void seqlz_zcomp_span_test(struct kunit *test)
{
	struct zcomp_dev *dev = make_device(test, "seqlz", false);
	u8 *out = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	u8 *pages[2] = { alloc_test_page(test), alloc_test_page(test) };
	struct scatterlist sg[2];
	struct zcomp_dstrm *dstrm;

	KUNIT_ASSERT_NOT_NULL(test, out);
	for (unsigned int cut = 1; cut < dev->len; cut++) {
		memcpy(pages[0] + PAGE_SIZE - cut, dev->obj, cut);
		memcpy(pages[1], dev->obj + cut, dev->len - cut);
		sg_init_table(sg, 2);
		sg_set_buf(&sg[0], pages[0] + PAGE_SIZE - cut, cut);
		sg_set_buf(&sg[1], pages[1], dev->len - cut);
		memset(out, 0, PAGE_SIZE);
		dstrm = zcomp_dstrm_get(dev->comp, ZCOMP_DECOMP_BOUNCE);
		KUNIT_EXPECT_EQ_MSG(test, 0, zcomp_decompress(dev->comp, dstrm, sg, dev->len, out),
				    "cut at byte %u", cut);
		zcomp_dstrm_put(dstrm);
		KUNIT_EXPECT_TRUE_MSG(test, !memcmp(out, dev->page, PAGE_SIZE),
				      "cut at byte %u", cut);
	}
	for (unsigned int off = 0; off <= PAGE_SIZE - dev->len; off++) {
		memcpy(pages[0] + off, dev->obj, dev->len);
		sg_init_one(sg, pages[0] + off, dev->len);
		memset(out, 0, PAGE_SIZE);
		dstrm = zcomp_dstrm_get(dev->comp, ZCOMP_DECOMP_INPLACE);
		KUNIT_EXPECT_EQ_MSG(test, 0, zcomp_decompress(dev->comp, dstrm, sg, dev->len, out),
				    "at byte %u", off);
		zcomp_dstrm_put(dstrm);
		KUNIT_EXPECT_TRUE_MSG(test, !memcmp(out, dev->page, PAGE_SIZE), "at byte %u", off);
	}
}

struct dict_alg {
	const char *name;
	bool shared;
};

static const struct dict_alg dict_algs[] = {
	{ "lz4", true },
	{ "lz4hc", true },
	{ "zstd", false },
};

KUNIT_ARRAY_PARAM_DESC(dict_alg, dict_algs, name);

/* A dictionary makes objects smaller and no reader wait that would not without. */
static void seqlz_zcomp_dict_test(struct kunit *test)
{
	const struct dict_alg *param = test->param_value;
	struct zcomp_dev *with = make_device_dict(test, param->name, false, PAGE_SIZE / 4);
	struct zcomp_dev *without = make_device(test, param->name, false);
	struct zcomp_dstrm *dstrm;

	KUNIT_EXPECT_LT(test, with->len, without->len / 2);
	/* twice, as a stream remembers nothing of the first time */
	for (int i = 0; i < 2; i++) {
		compress_page(test, with);
		dstrm = zcomp_dstrm_get(with->comp, ZCOMP_DECOMP_INPLACE);
		KUNIT_EXPECT_EQ(test, param->shared, !dstrm->excl_locked);
		KUNIT_EXPECT_EQ(test, 0, read_back(with, dstrm));
		KUNIT_EXPECT_EQ(test, 0, read_back(with, dstrm));
		zcomp_dstrm_put(dstrm);
	}
}

/* A backend of which the test decides what contexts it has */
static int live_contexts;

static int make_context(struct zcomp_params *params, struct zcomp_ctx *ctx)
{
	ctx->context = kmalloc(1, GFP_KERNEL);
	if (!ctx->context)
		return -ENOMEM;
	live_contexts++;
	return 0;
}

static int make_no_context(struct zcomp_params *params, struct zcomp_ctx *ctx)
{
	return -ENXIO;
}

static void free_context(struct zcomp_ctx *ctx)
{
	if (!ctx->context)
		return;
	kfree(ctx->context);
	live_contexts--;
}

static int copy(struct zcomp_params *params, struct zcomp_ctx *ctx, struct zcomp_req *req)
{
	memcpy(req->dst, req->src, PAGE_SIZE);
	req->dst_len = PAGE_SIZE;
	return 0;
}

/* Exchange the backend of @dev, whose streams are down. */
static void swap_backend(struct kunit *test, struct zcomp_dev *dev, const struct zcomp_ops *ops,
			 int err)
{
	int cpu;

	dev->comp->ops = ops;
	for_each_online_cpu(cpu)
		KUNIT_EXPECT_EQ(test, err, zcomp_cpu_up_prepare(cpu, &dev->comp->node));
}

static void take_down(struct zcomp_dev *dev)
{
	int cpu;

	for_each_online_cpu(cpu)
		zcomp_cpu_dead(cpu, &dev->comp->node);
}

struct contexts {
	const char *name;
	struct zcomp_ops ops;
	int err;
	int each;	/* contexts of a CPU */
};

static const struct contexts contexts[] = {
	{
		.name = "none",
	}, {
		.name = "for compression",
		.ops.create_cctx = make_context,
		.ops.destroy_cctx = free_context,
		.each = 1,
	}, {
		.name = "for decompression",
		.ops.create_dctx = make_context,
		.ops.destroy_dctx = free_context,
		.each = 1,
	}, {
		.name = "both",
		.ops.create_cctx = make_context,
		.ops.destroy_cctx = free_context,
		.ops.create_dctx = make_context,
		.ops.destroy_dctx = free_context,
		.each = 2,
	}, {
		.name = "failing for compression",
		.ops.create_cctx = make_no_context,
		.ops.destroy_cctx = free_context,
		.ops.create_dctx = make_context,
		.ops.destroy_dctx = free_context,
		.err = -ENXIO,
	}, {
		.name = "failing for decompression",
		.ops.create_cctx = make_context,
		.ops.destroy_cctx = free_context,
		.ops.create_dctx = make_no_context,
		.ops.destroy_dctx = free_context,
		.err = -ENXIO,
	},
};

KUNIT_ARRAY_PARAM_DESC(context, contexts, name);

/* Each kind of context may be missing, and nothing is left of one that fails. */
static void seqlz_zcomp_context_test(struct kunit *test)
{
	const struct contexts *param = test->param_value;
	struct zcomp_dev *dev = make_device(test, "seqlz", false);
	const struct zcomp_ops *seqlz = dev->comp->ops;
	struct zcomp_ops ops = param->ops;
	struct zcomp_cstrm *cstrm;
	struct zcomp_dstrm *dstrm;
	unsigned int len = 0;

	ops.compress = copy;
	ops.decompress = copy;
	live_contexts = 0;
	take_down(dev);
	swap_backend(test, dev, &ops, param->err);
	KUNIT_EXPECT_EQ(test, param->each * num_online_cpus(), live_contexts);
	if (!param->err) {
		cstrm = zcomp_cstrm_get(dev->comp);
		KUNIT_EXPECT_EQ(test, !!ops.create_cctx, !!cstrm->ctx.context);
		KUNIT_EXPECT_EQ(test, 0, zcomp_compress(dev->comp, cstrm, dev->page, &len));
		memcpy(dev->obj, cstrm->buffer, PAGE_SIZE);
		zcomp_cstrm_put(cstrm);
		dev->len = len;
		KUNIT_EXPECT_EQ(test, PAGE_SIZE, len);
		dstrm = zcomp_dstrm_get(dev->comp, ZCOMP_DECOMP_INPLACE);
		KUNIT_EXPECT_EQ(test, !!ops.create_dctx, !!dstrm->ctx.context);
		KUNIT_EXPECT_EQ(test, !!ops.create_dctx, dstrm->excl_locked);
		KUNIT_EXPECT_EQ(test, 0, read_back(dev, dstrm));
		zcomp_dstrm_put(dstrm);
		KUNIT_EXPECT_FALSE(test, dstrm->excl_locked);
		take_down(dev);
	}
	KUNIT_EXPECT_EQ(test, 0, live_contexts);
	/* as the device was, for its end */
	swap_backend(test, dev, seqlz, 0);
}

/* seqlz itself has a context for compression and none for decompression. */
static void seqlz_zcomp_seqlz_test(struct kunit *test)
{
	struct zcomp_dev *dev = make_device(test, "seqlz", false);
	int cpu;

	KUNIT_EXPECT_NULL(test, dev->comp->ops->create_dctx);
	KUNIT_EXPECT_NULL(test, dev->comp->recomp_cstream);
	for_each_online_cpu(cpu) {
		KUNIT_EXPECT_NOT_NULL(test, per_cpu_ptr(dev->comp->cstreams, cpu)->ctx.context);
		KUNIT_EXPECT_NULL(test, per_cpu_ptr(dev->comp->dstreams, cpu)->ctx.context);
		KUNIT_EXPECT_NOT_NULL(test, per_cpu_ptr(dev->comp->dstreams, cpu)->local_copy);
	}
}

/*
 * To recompress there is one stream, the same on every CPU, for one user at a
 * time, and CPUs that go away do not take it with them.
 */
static void seqlz_zcomp_recomp_test(struct kunit *test)
{
	struct zcomp_dev *dev = make_device(test, "seqlz", true);
	struct stream_user first = {}, second = {};
	int cpu;

	KUNIT_ASSERT_NULL(test, dev->comp->cstreams);
	KUNIT_ASSERT_NOT_NULL(test, dev->comp->recomp_cstream);
	for_each_online_cpu(cpu) {
		if (!start_user(test, &first, dev, COMPRESS, cpu))
			return;
		KUNIT_EXPECT_TRUE(test, got_it(&first, LATE));
		KUNIT_EXPECT_PTR_EQ(test, first.stream, (void *)dev->comp->recomp_cstream);
		if (start_user(test, &second, dev, COMPRESS, dev->cpu)) {
			KUNIT_EXPECT_FALSE(test, got_it(&second, SOON));
			end_user(test, &first);
			KUNIT_EXPECT_TRUE(test, got_it(&second, LATE));
			KUNIT_EXPECT_PTR_EQ(test, first.stream, second.stream);
			end_user(test, &second);
		} else {
			end_user(test, &first);
		}
	}

	take_down(dev);
	compress_page(test, dev);
	swap_backend(test, dev, dev->comp->ops, 0);

	/* What it has compressed any number of readers may read. */
	if (!start_user(test, &first, dev, INPLACE, dev->cpu))
		return;
	KUNIT_EXPECT_TRUE(test, got_it(&first, LATE));
	if (start_user(test, &second, dev, INPLACE, dev->cpu)) {
		KUNIT_EXPECT_TRUE(test, got_it(&second, LATE));
		end_user(test, &second);
	}
	end_user(test, &first);
}

static struct kunit_case seqlz_zcomp_test_cases[] = {
	KUNIT_CASE(seqlz_zcomp_seqlz_test),
	KUNIT_CASE(seqlz_zcomp_span_test),
	KUNIT_CASE_PARAM(seqlz_zcomp_dict_test, dict_alg_gen_params),
	KUNIT_CASE_PARAM(seqlz_zcomp_share_test, pair_gen_params),
	KUNIT_CASE_PARAM(seqlz_zcomp_context_test, context_gen_params),
	KUNIT_CASE_PARAM(seqlz_zcomp_hotplug_test, user_gen_params),
	KUNIT_CASE_PARAM(seqlz_zcomp_churn_test, alg_gen_params),
	KUNIT_CASE(seqlz_zcomp_recomp_test),
	{},
};

static struct kunit_suite seqlz_zcomp_test_suite = {
	.name = "seqlz_zcomp",
	.test_cases = seqlz_zcomp_test_cases,
};

kunit_test_suite(seqlz_zcomp_test_suite);

MODULE_DESCRIPTION("Unit tests for what seqlz relies on in zcomp");
MODULE_LICENSE("GPL");
