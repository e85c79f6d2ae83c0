/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef __BACKEND_SEQLZ_H__
#define __BACKEND_SEQLZ_H__

#include "zcomp.h"

extern const struct zcomp_ops backend_seqlz;

#endif /* __BACKEND_SEQLZ_H__ */
