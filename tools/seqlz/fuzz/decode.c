// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fuzz target: any bytes go to the decoder. It reads and writes nothing outside
 * (AddressSanitizer), and if it succeeds, it has written each byte of the page,
 * always the same, and the encoder can write that page again.
 */
#include <errno.h>
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_again(const uint8_t *page, int level)
{
	void *work = must_alloc(seqlz_workmem_size(level));
	uint8_t *obj = must_alloc(DST_MAX), *back = must_alloc(PAGE_SIZE);
	int len = seqlz_compress(page, obj, DST_MAX, work, level);

	must(len > 0 && (size_t)len <= DST_MAX);
	must(seqlz_decompress(obj, len, back) == 0);
	must(memcmp(page, back, PAGE_SIZE) == 0);
	free(back);
	free(obj);
	free(work);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *in = must_alloc(size), *first = must_alloc(PAGE_SIZE);
	uint8_t *second = must_alloc(PAGE_SIZE);
	int ret;

	if (size)
		memcpy(in, data, size);
	memset(first, 0x00, PAGE_SIZE);
	memset(second, 0xff, PAGE_SIZE);
	ret = seqlz_decompress(in, size, first);
	must(ret == 0 || ret == -EBADMSG);
	must(seqlz_decompress(in, size, second) == ret);
	if (ret == 0) {
		must(memcmp(first, second, PAGE_SIZE) == 0);
		write_again(first, level_of(size));
	}
	free(second);
	free(first);
	free(in);
	return 0;
}
