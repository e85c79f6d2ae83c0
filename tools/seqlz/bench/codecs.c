// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backends of zram as the benchmark calls them: parameters set up once,
 * one context, and compress() and decompress() of zcomp_ops as zcomp.c calls
 * them. The backends and the libraries below them are the tree's own files.
 */
#include "kernel.h"
#include "zcomp.h"
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

extern const struct zcomp_ops backend_seqlz;
extern const struct zcomp_ops backend_lz4;
extern const struct zcomp_ops backend_lz4_again;
extern const struct zcomp_ops backend_lz4hc;
extern const struct zcomp_ops backend_lzo;
extern const struct zcomp_ops backend_lzorle;
extern const struct zcomp_ops backend_zstd;
extern const struct zcomp_ops backend_deflate;
extern const struct zcomp_ops backend_842;

/* "lz4-again" is a second copy of lz4: what differs between them is noise */
static const struct {
	const char *name;
	const struct zcomp_ops *ops;
} backends[] = {
	{ "seqlz", &backend_seqlz },
	{ "lz4", &backend_lz4 },
	{ "lz4-again", &backend_lz4_again },
	{ "lz4hc", &backend_lz4hc },
	{ "lzo", &backend_lzo },
	{ "lzo-rle", &backend_lzorle },
	{ "zstd", &backend_zstd },
	{ "deflate", &backend_deflate },
	{ "842", &backend_842 },
};

struct codec {
	const char *spec;
	const struct zcomp_ops *ops;
	struct zcomp_params params;
	struct zcomp_ctx ctx;		/* compresses */
	struct zcomp_ctx dctx;		/* decompresses, the same if there is one */
	struct codec_memory memory;
};

/* what is allocated while a codec is opened */
static struct codec_memory memory;

static size_t kmalloc_rounded(size_t size)
{
	size_t bucket = 8;

	if (size > 64 && size <= 96)
		return 96;
	if (size > 128 && size <= 192)
		return 192;
	while (bucket < size)
		bucket *= 2;
	return bucket;
}

void *bench_alloc(size_t size, enum bench_allocator allocator)
{
	void *mem = aligned_alloc(4096, round_up(size, 4096UL));

	if (!mem)
		die("out of memory");
	memset(mem, 0, size);
	memory.asked += size;
	memory.taken += allocator == BENCH_VMALLOC ?
		round_up(size, PAGE_SIZE) : kmalloc_rounded(size);
	return mem;
}

void bench_free(const void *mem)
{
	free((void *)mem);
}

void bench_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
}

void codec_list(FILE *out)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(backends); i++)
		fprintf(out, " %s", backends[i].name);
}

/* the backend that "name" or "name:level" names, and the level */
static const struct zcomp_ops *find_backend(const char *spec, s32 *level)
{
	const char *colon = strchr(spec, ':');
	size_t len = colon ? (size_t)(colon - spec) : strlen(spec);
	char *end;
	unsigned int i;

	*level = ZCOMP_PARAM_NOT_SET;
	if (colon) {
		*level = strtol(colon + 1, &end, 10);
		if (end == colon + 1 || *end)
			die("codec '%s': the level must be a number", spec);
	}
	for (i = 0; i < ARRAY_SIZE(backends); i++)
		if (strlen(backends[i].name) == len &&
		    !memcmp(backends[i].name, spec, len))
			return backends[i].ops;
	die("codec '%s' is unknown: -h lists them", spec);
}

static int create_contexts(struct codec *codec)
{
#ifdef ZCOMP_SPLIT
	if (codec->ops->create_cctx &&
	    codec->ops->create_cctx(&codec->params, &codec->ctx))
		return -ENOMEM;
	if (codec->ops->create_dctx)
		return codec->ops->create_dctx(&codec->params, &codec->dctx);
	return 0;
#else
	int ret = codec->ops->create_ctx(&codec->params, &codec->ctx);

	codec->dctx = codec->ctx;
	return ret;
#endif
}

struct codec *codec_open(const char *spec)
{
	struct codec *codec = xmalloc(sizeof(*codec));

	memset(codec, 0, sizeof(*codec));
	codec->spec = spec;
	codec->ops = find_backend(spec, &codec->params.level);
	codec->params.deflate.winbits = ZCOMP_PARAM_NOT_SET;
	if (codec->ops->setup_params(&codec->params))
		die("codec '%s': its backend refuses these parameters", spec);

	memset(&memory, 0, sizeof(memory));
	if (create_contexts(codec))
		die("codec '%s': its context could not be created", spec);
	codec->memory = memory;
	return codec;
}

const char *codec_name(const struct codec *codec)
{
	return codec->spec;
}

struct codec_memory codec_memory(const struct codec *codec)
{
	return codec->memory;
}

unsigned int codec_compress(struct codec *codec, const void *page, void *dst)
{
	struct zcomp_req req = {
		.src = page,
		.src_len = PAGE_SIZE,
		.dst = dst,
		.dst_len = DST_SIZE,
	};

	if (codec->ops->compress(&codec->params, &codec->ctx, &req))
		die("%s failed to compress a page", codec->spec);
	return req.dst_len;
}

void codec_decompress(struct codec *codec, const void *src, unsigned int len,
		      void *page)
{
	struct zcomp_req req = {
		.src = src,
		.src_len = len,
		.dst = page,
		.dst_len = PAGE_SIZE,
	};

	if (codec->ops->decompress(&codec->params, &codec->dctx, &req))
		die("%s failed to decompress what it compressed", codec->spec);
}

/* without a context; returns what the backend returns */
int codec_decompress_bare(struct codec *codec, const void *src, unsigned int len,
			  void *page)
{
	struct zcomp_ctx none = { };
	struct zcomp_req req = {
		.src = src,
		.src_len = len,
		.dst = page,
		.dst_len = PAGE_SIZE,
	};

	return codec->ops->decompress(&codec->params, &none, &req);
}

/* the destination is filled first, so that bytes left out are seen */
void codec_verify(struct codec *codec, const void *page, const void *src,
		  unsigned int len)
{
	static u8 out[PAGE_SIZE];

	memset(out, ~*(const u8 *)page, PAGE_SIZE);
	codec_decompress(codec, src, len, out);
	if (memcmp(page, out, PAGE_SIZE))
		die("%s gave back another page than it was given", codec->spec);
}
