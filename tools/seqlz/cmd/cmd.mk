# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The seqlz command, which finds the shared libraries beside itself.

$(out)/seqlz: cmd/seqlz.c $(top)/include/linux/seqlz.h | $(out)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -I$(top)/include $< -Wl,-rpath,'$$ORIGIN' -ldl -o $@

## seqlz                  build/seqlz: statistics on page files, and verification
seqlz: libs $(out)/seqlz

.PHONY: seqlz
