#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# swap-test.sh: swap the sample pages through seqlz at levels 1, 2 and 4 in a
# user-mode Linux with KASAN, lockdep and UBSAN, and compare each of them.
# Beside guest.sh, which fails if a page differs or the kernel complains, this
# wants to see that pages of every level were really swapped out and in.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/debug-guest.sh"

levels=(1 2 4)
mem=160		# MiB; the checks take nearly half of it
copies=6	# of 12.5 MiB of sample pages

# field KEY: of the line @result or @time of one algorithm
field() {
	grep -E "^@(result|time) .*\balg=$alg " "$log" | grep -oE "\b$1=[0-9]+" | cut -d= -f2
}

build_debug_kernel
dir=$SEQLZ_CACHE/swap-test
log=$dir/guest.log
mkdir -p "$dir"
find "$SEQLZ_ROOT/tools/seqlz/sample" -name '*.pages.zst' ! -name '*-16k*' |
	sort | xargs zstd -dcq >"$dir/pages"

say "swapping at levels ${levels[*]}"
algs=$(printf 'seqlz:%s,' "${levels[@]}")
MEM=$mem LIMIT=900 UMLARGS="seccomp=auto ncpus=1 kasan.fault=panic kunit.enable=0" \
	"$SEQLZ_ROOT/scripts/guest.sh" "$guest" "$dir/pages" "$log" \
	"swap_algs=${algs%,}" "swap_copies=$copies"
check_log "$log"
for alg in "${levels[@]/#/seqlz:}"; do
	in=$(field in) different=$(field different)
	[ "${in:-0}" -gt 1000 ] || die "only ${in:-0} pages were swapped in with $alg: see $log"
	[ "$different" = 0 ] || die "$different pages came back different with $alg: see $log"
	echo "swap-test: $alg: $(field out) pages out, $in in, $different different"
done
echo "swap-test: ${#levels[@]} passed, 0 failed"
