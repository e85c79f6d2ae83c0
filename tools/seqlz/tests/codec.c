// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* the codec with the rules of its interface checked on each call */
#include <errno.h>
#include <string.h>
#include "test.h"
#ifdef __x86_64__
#include "../include/linux/jump_label.h"

DECLARE_STATIC_KEY_FALSE(seqlz_bmi2);
#endif

#ifdef SEQLZ_TEST_MSAN
#include <sanitizer/msan_interface.h>
#define mark_unwritten(p, n) __msan_poison(p, n)
#define check_written(p, n) __msan_check_mem_is_initialized(p, n)
#else
#define mark_unwritten(p, n) ((void)(p), (void)(n))
#define check_written(p, n) ((void)(p), (void)(n))
#endif

#define MARGIN 64
#define MARGIN_BYTE 0x5a

const u8 *compressed;
const u8 *decompressed;

static struct guard page_in, obj_out, obj_in, page_out, work;

static void init_once(void)
{
	size_t largest = 8;

	if (work.end)
		return;
	for_each_level(level)
		if (seqlz_workmem_size(level) > largest)
			largest = seqlz_workmem_size(level);
	guard_init(&page_in, PAGE_SIZE);
	guard_init(&page_out, PAGE_SIZE + MARGIN);
	guard_init(&obj_out, 16 * PAGE_SIZE + MARGIN);
	guard_init(&obj_in, 16 * PAGE_SIZE);
	guard_init(&work, largest + 16);
}

static void check_margin(const u8 *p)
{
	static const u8 untouched[MARGIN] = { [0 ... MARGIN - 1] = MARGIN_BYTE };

	check(memcmp(p - MARGIN, untouched, MARGIN) == 0, "wrote in front of the destination");
}

/*
 * Work memory that ends at the unmapped page, or up to 7 bytes before it: it
 * is aligned to 8. Its contents change with each call and must not matter.
 */
static u8 *poisoned_workmem(size_t size)
{
	static u8 poison;
	u8 *p = guard_end(&work, (size + 7) & ~(size_t)7);

	poison = poison * 5 + 0x33;
	memset(p, poison, size);
	mark_unwritten(p, size);
	memset(p + size, MARGIN_BYTE, work.end - (p + size));
	return p;
}

int try_compress(const u8 *page, size_t dst_len, int level)
{
	size_t work_size = seqlz_workmem_size(level);
	u8 *in, *out, *wm;
	int ret;

	init_once();
	in = guard_end(&page_in, PAGE_SIZE);
	memcpy(in, page, PAGE_SIZE);
	out = guard_end(&obj_out, dst_len);
	memset(out - MARGIN, MARGIN_BYTE, MARGIN);
	mark_unwritten(out, dst_len);
	wm = poisoned_workmem(work_size);

	ret = seqlz_compress(in, out, dst_len, wm, level);

	check(ret > 0 || ret == -ENOSPC || ret == -EINVAL, "returned %d", ret);
	check(ret <= 0 || (size_t)ret <= dst_len, "%d bytes in a buffer of %zu", ret, dst_len);
	check_margin(out);
	for (const u8 *p = wm + work_size; p < work.end; p++)
		check(*p == MARGIN_BYTE, "wrote behind the work memory");
	check(memcmp(in, page, PAGE_SIZE) == 0, "changed the source");
	if (ret > 0)
		check_written(out, ret);
	compressed = out;
	return ret;
}

#ifdef __x86_64__
/* the decoder that the processor gets, and the one for those without BMI2, by turns */
static void other_decoder(void)
{
	static bool have, known;

	have = known ? have : seqlz_bmi2.enabled;
	known = true;
	seqlz_bmi2.enabled = have && !seqlz_bmi2.enabled;
}
#else
static void other_decoder(void)
{
}
#endif

static int decompress_into(const u8 *obj, size_t len, u8 *page)
{
	int ret;

	memset(page - MARGIN, MARGIN_BYTE, MARGIN);
	mark_unwritten(page, PAGE_SIZE);
	other_decoder();
	ret = seqlz_decompress(obj, len, page);
	check(ret == 0 || ret == -EBADMSG, "returned %d", ret);
	check_margin(page);
	if (ret == 0)
		check_written(page, PAGE_SIZE);
	return ret;
}

/*
 * After a success decompress again over two different fillings: where the
 * results differ, a byte was not written, or was copied from where nothing had
 * been written.
 */
int try_decompress(const u8 *obj, size_t len)
{
	static u8 first[PAGE_SIZE];
	u8 *in, *page;

	init_once();
	in = guard_end(&obj_in, len);
	memcpy(in, obj, len);
	page = guard_end(&page_out, PAGE_SIZE);
	decompressed = page;
	if (decompress_into(in, len, page)) {
		check(decompress_into(in, len, page) == -EBADMSG, "valid twice, not once");
		return -EBADMSG;
	}

	memset(page, 0x00, PAGE_SIZE);
	check(decompress_into(in, len, page) == 0, "valid once, not twice");
	memcpy(first, page, PAGE_SIZE);
	memset(page, 0xff, PAGE_SIZE);
	check(decompress_into(in, len, page) == 0, "valid twice, not thrice");
	check(memcmp(first, page, PAGE_SIZE) == 0, "success, but not every byte written");
	check(memcmp(in, obj, len) == 0, "changed the source");
	return 0;
}

size_t must_compress(const u8 *page, u8 *obj, int level)
{
	int ret = try_compress(page, DST_MAX, level);

	check(ret > 0, "level %d: %d instead of a length", level, ret);
	memcpy(obj, compressed, ret);
	return ret;
}

/*
 * Literals are coded only where that makes them shorter, whatever they are: of a
 * page that is one block, the sizes of their streams tell. See seqlz_format.h.
 */
static void check_literals(const u8 *obj, int level)
{
	u32 nr = obj[1] | obj[2] << 8;
	bool wide = obj[0] & 0x80;
	size_t size = wide ? 6 : 3;

	if ((PAGE_SIZE != 4096 && PAGE_SIZE != 16384) || obj[0] == 0xff || !(obj[0] >> 2 & 31) ||
	    nr < 48)
		return;
	for (u32 k = 0; k < 3; k++)
		size += wide ? obj[3 + 2 * k] | obj[4 + 2 * k] << 8 : obj[3 + k];
	check(size <= nr, "level %d: %u literals take %zu bytes", level, nr, size);
}

size_t round_trip(const u8 *page, int level)
{
	static u8 obj[DST_MAX];
	size_t len = must_compress(page, obj, level);

	check(try_decompress(obj, len) == 0, "level %d: own output refused", level);
	check(memcmp(decompressed, page, PAGE_SIZE) == 0, "level %d: came back different", level);
	check_literals(obj, level);
	hash_output(level, obj, len);
	return len;
}
