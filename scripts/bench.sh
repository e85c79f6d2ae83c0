#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench.sh [-o TSV] [OPTION...] [FILE...]: run the benchmark on page files, or
# on the sample in the repository, and keep every figure in results/bench.tsv.
#
# Options are those of the benchmark: tools/seqlz/build/bench-4k -h lists them.
# Files with 16k or 64k in their name hold pages of that size, others 4 KiB
# ones. The codecs come from KDIR, or from the kernel tree in the cache.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

tsv=$SEQLZ_ROOT/results/bench.tsv
options=()
# what made the figures, for their head; of paths only the names
BENCH_COMMAND="scripts/bench.sh $(printf '%s\n' "$@" | sed 's|.*/||' | paste -sd ' ')"
export BENCH_COMMAND
while getopts 'm:c:C:n:P:R:s:w:o:h' option; do
	case $option in
	o) tsv=$OPTARG ;;
	h) options+=(-h) ;;
	'?') die "usage: bench.sh [option...] [file...], bench.sh -h lists the options" ;;
	*) options+=("-$option" "$OPTARG") ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- "$SEQLZ_ROOT"/tools/seqlz/sample/*.pages.zst

# page_size FILE
page_size() {
	case ${1##*/} in
	*16k*) echo 16k ;;
	*64k*) echo 64k ;;
	*) echo 4k ;;
	esac
}

"$SEQLZ_ROOT/scripts/deps.sh" kernel
if [ -z "${KDIR:-}" ]; then
	KDIR=$("$SEQLZ_ROOT/scripts/kernel-source.sh")
fi
[ -r "$KDIR/mm/zsmalloc.c" ] || die "KDIR=$KDIR is no kernel tree: give the top of one"
for file; do
	[ -r "$file" ] || die "$file cannot be read: give page files, raw or compressed with zstd"
done

mkdir -p "$(dirname "$tsv")"
: >"$tsv.new"
trap 'rm -f "$tsv.new" "$tsv.part"' EXIT
for size in 4k 16k 64k; do
	files=()
	for file; do
		[ "$(page_size "$file")" != $size ] || files+=("$file")
	done
	[ ${#files[@]} -gt 0 ] || continue
	say "building the benchmark for pages of ${size^^}iB"
	make -s -j"$(nproc)" -C "$SEQLZ_ROOT/tools/seqlz" "bench-$size" KDIR="$KDIR"
	"$SEQLZ_ROOT/tools/seqlz/build/bench-$size" -o "$tsv.part" \
		"${options[@]}" "${files[@]}"
	cat "$tsv.part" >>"$tsv.new"
done
mv "$tsv.new" "$tsv"
say "every figure is in $tsv"
