// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fuzz target: any page, made from any bytes, into any destination length at
 * any level. It fits or it does not; if it does, it comes back, and the bytes
 * are those that a larger destination would have got.
 */
#include <errno.h>
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void repeat(uint8_t *page, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < PAGE_SIZE; i++)
		page[i] = size ? data[i % size] : 0;
}

static void then_zeroes(uint8_t *page, const uint8_t *data, size_t size)
{
	memset(page, 0, PAGE_SIZE);
	memcpy(page, data, size < PAGE_SIZE ? size : PAGE_SIZE);
}

/*
 * Four bytes say how many literals follow, how long the copy after them is and
 * where it is from; lengths and offsets are squared, so that all are reached.
 */
static void sequences(uint8_t *page, const uint8_t *data, size_t size)
{
	size_t pos = 0, i = 0;

	memset(page, 0, PAGE_SIZE);
	while (i + 4 <= size && pos < PAGE_SIZE) {
		size_t literals = data[i] < 192 ? data[i] & 31 : data[i] * data[i] >> 6;
		size_t match = data[i + 1] < 128 ? data[i + 1] : data[i + 1] * data[i + 1] >> 4;
		size_t offset = (size_t)data[i + 2] * data[i + 2] / 2 + data[i + 3] + 1;

		for (i += 4; literals && i < size && pos < PAGE_SIZE; literals--)
			page[pos++] = data[i++];
		for (; match && pos >= offset && pos < PAGE_SIZE; match--, pos++)
			page[pos] = page[pos - offset];
	}
}

static void make_page(uint8_t *page, unsigned int generator, const uint8_t *data, size_t size)
{
	switch (generator % NR_GENERATORS) {
	case GEN_REPEAT:
		repeat(page, data, size);
		break;
	case GEN_ZEROES:
		then_zeroes(page, data, size);
		break;
	default:
		sequences(page, data, size);
	}
}

static void compress_into(const uint8_t *page, size_t dst_len, int level)
{
	void *work = must_alloc(seqlz_workmem_size(level));
	uint8_t *obj = must_alloc(dst_len), *whole = must_alloc(DST_MAX);
	uint8_t *back = must_alloc(PAGE_SIZE);
	int len = seqlz_compress(page, whole, DST_MAX, work, level);
	int ret = seqlz_compress(page, obj, dst_len, work, level);

	must(len > 0 && (size_t)len <= DST_MAX);
	if (dst_len < (size_t)len) {
		must(ret == -ENOSPC);
	} else {
		must(ret == len);
		must(memcmp(obj, whole, len) == 0);
	}
	must(seqlz_decompress(whole, len, back) == 0);
	must(memcmp(page, back, PAGE_SIZE) == 0);
	free(back);
	free(whole);
	free(obj);
	free(work);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct roundtrip_head head;
	uint8_t *page;
	size_t dst_len;

	if (size < sizeof(head))
		return 0;
	memcpy(&head, data, sizeof(head));
	dst_len = (head.dst_len[0] | head.dst_len[1] << 8 | head.dst_len[2] << 16) % (DST_MAX + 1);
	page = must_alloc(PAGE_SIZE);
	make_page(page, head.generator, data + sizeof(head), size - sizeof(head));
	compress_into(page, dst_len ? dst_len : DST_MAX, level_of(head.level));
	free(page);
	return 0;
}
