/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* user-space stand-in for the kernel header */
#ifndef _SEQLZ_SHIM_LINUX_UNALIGNED_H
#define _SEQLZ_SHIM_LINUX_UNALIGNED_H

#include <linux/types.h>

struct seqlz_shim_una { u64 x; } __attribute__((__packed__, __may_alias__));
struct seqlz_shim_una32 { u32 x; } __attribute__((__packed__, __may_alias__));
struct seqlz_shim_una16 { u16 x; } __attribute__((__packed__, __may_alias__));

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SEQLZ_SHIM_LE(bits, x) (x)
#define SEQLZ_SHIM_BE(bits, x) __builtin_bswap##bits(x)
#else
#define SEQLZ_SHIM_LE(bits, x) __builtin_bswap##bits(x)
#define SEQLZ_SHIM_BE(bits, x) (x)
#endif

static inline u64 get_unaligned_le64(const void *p)
{
	return SEQLZ_SHIM_LE(64, ((const struct seqlz_shim_una *)p)->x);
}

static inline u64 get_unaligned_be64(const void *p)
{
	return SEQLZ_SHIM_BE(64, ((const struct seqlz_shim_una *)p)->x);
}

static inline u32 get_unaligned_le32(const void *p)
{
	return SEQLZ_SHIM_LE(32, ((const struct seqlz_shim_una32 *)p)->x);
}

static inline u16 get_unaligned_le16(const void *p)
{
	return SEQLZ_SHIM_LE(16, ((const struct seqlz_shim_una16 *)p)->x);
}

static inline void put_unaligned_le64(u64 val, void *p)
{
	((struct seqlz_shim_una *)p)->x = SEQLZ_SHIM_LE(64, val);
}

static inline void put_unaligned_be64(u64 val, void *p)
{
	((struct seqlz_shim_una *)p)->x = SEQLZ_SHIM_BE(64, val);
}

static inline void put_unaligned_le32(u32 val, void *p)
{
	((struct seqlz_shim_una32 *)p)->x = SEQLZ_SHIM_LE(32, val);
}

static inline void put_unaligned_le16(u16 val, void *p)
{
	((struct seqlz_shim_una16 *)p)->x = SEQLZ_SHIM_LE(16, val);
}

#endif
