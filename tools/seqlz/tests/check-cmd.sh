#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# check-cmd.sh: the seqlz command on the sample, and on what it must refuse. The
# last line is "cmd: N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=../../../scripts/checks.sh
. ../../scripts/checks.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seqlz=build/seqlz

make -s seqlz
head -c 6000 /dev/zero >"$work/odd.pages"
head -c 4096 /dev/zero >"$work/zero.pages"
: >"$work/empty.pages"
head -c 4096 /dev/urandom >"$work/broken.pages.zst"

for size in 4k 16k 64k; do
	check "verify, pages of $size" "$seqlz" verify -p $size sample/*.zst
done
check "verify a file that is not compressed" "$seqlz" verify -l 2 "$work/zero.pages"

# one line a file
"$seqlz" stat -l 2 sample/*.zst | tee "$work/stat"
check "stat has a line for each file" \
	test "$(wc -l <"$work/stat")" -eq $(($(find sample -name '*.zst' | wc -l) + 1))
"$seqlz" stat -p 16k sample/*-16k.pages.zst

refuses "no command" "$seqlz"
refuses "an unknown command" "$seqlz" pack "$work/zero.pages"
refuses "no file" "$seqlz" stat
refuses "an unknown option" "$seqlz" stat -x "$work/zero.pages"
refuses "level 0" "$seqlz" stat -l 0 "$work/zero.pages"
refuses "level 5" "$seqlz" stat -l 5 "$work/zero.pages"
refuses "level 2x" "$seqlz" stat -l 2x "$work/zero.pages"
refuses "pages of 8k" "$seqlz" stat -p 8k "$work/zero.pages"
refuses "a page and a half" "$seqlz" verify "$work/odd.pages"
refuses "an empty file" "$seqlz" verify "$work/empty.pages"
refuses "a file that is not there" "$seqlz" verify "$work/none.pages"
refuses "a directory" "$seqlz" verify "$work"
refuses "a broken .zst" "$seqlz" verify "$work/broken.pages.zst"

finish cmd
