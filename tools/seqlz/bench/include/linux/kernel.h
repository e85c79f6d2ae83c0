/* SPDX-License-Identifier: GPL-2.0-only */
/* bench/kernel.h has the rest, but comes before a file's own prefix */
#ifndef pr_fmt
#define pr_fmt(format) format
#endif
