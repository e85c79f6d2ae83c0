#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# sparse.sh: sparse for kernels that use __typeof_unqual__, which the packaged
# sparse does not know; without it the kernel's make would skip the check.
exec sparse -D__typeof_unqual__=__typeof__ "$@"
