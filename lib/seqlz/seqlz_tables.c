// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * seqlz: the tables, made at build time
 */
#include "seqlz_tables.h"

#if SEQLZ_BLOCK_SHIFT == 12
#include "seqlz_tables_4k.h"
#else
#include "seqlz_tables_16k.h"
#endif
