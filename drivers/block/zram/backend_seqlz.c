// SPDX-License-Identifier: GPL-2.0-only

#define pr_fmt(fmt) "zram: seqlz: " fmt

#include <linux/kernel.h>
#include <linux/seqlz.h>
#include <linux/slab.h>

#include "backend_seqlz.h"

static void seqlz_release_params(struct zcomp_params *params)
{
}

static int seqlz_setup_params(struct zcomp_params *params)
{
	if (params->dict || params->dict_sz) {
		pr_err("dictionary is not supported\n");
		return -EOPNOTSUPP;
	}

	if (params->deflate.winbits != ZCOMP_PARAM_NOT_SET) {
		pr_err("deflate.winbits is not supported\n");
		return -EOPNOTSUPP;
	}

	if (params->level == ZCOMP_PARAM_NOT_SET) {
		params->level = SEQLZ_LEVEL_DEFAULT;
	} else if (params->level < SEQLZ_LEVEL_MIN ||
		   params->level > SEQLZ_LEVEL_MAX) {
		pr_err("invalid compression level %d, must be %d to %d\n",
		       params->level, SEQLZ_LEVEL_MIN, SEQLZ_LEVEL_MAX);
		return -EINVAL;
	}

	return 0;
}

static void seqlz_destroy(struct zcomp_ctx *ctx)
{
	kvfree(ctx->context);
	ctx->context = NULL;
}

static int seqlz_create(struct zcomp_params *params, struct zcomp_ctx *ctx)
{
	ctx->context = kvmalloc(seqlz_workmem_size(params->level), GFP_KERNEL);
	if (!ctx->context)
		return -ENOMEM;

	return 0;
}

static int seqlz_zcompress(struct zcomp_params *params, struct zcomp_ctx *ctx,
			   struct zcomp_req *req)
{
	int ret;

	ret = seqlz_compress(req->src, req->dst, req->dst_len, ctx->context,
			     params->level);
	if (ret < 0)
		return -EINVAL;

	req->dst_len = ret;
	return 0;
}

static int seqlz_zdecompress(struct zcomp_params *params, struct zcomp_ctx *ctx,
			     struct zcomp_req *req)
{
	if (seqlz_decompress(req->src, req->src_len, req->dst))
		return -EINVAL;

	return 0;
}

/*
 * No decompression context: seqlz_decompress() needs no memory of its own, so
 * the readers of a CPU need not wait for each other.
 */
const struct zcomp_ops backend_seqlz = {
	.compress	= seqlz_zcompress,
	.decompress	= seqlz_zdecompress,
	.create_cctx	= seqlz_create,
	.destroy_cctx	= seqlz_destroy,
	.setup_params	= seqlz_setup_params,
	.release_params	= seqlz_release_params,
	.name		= "seqlz",
};
