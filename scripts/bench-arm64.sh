#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-arm64.sh [-o TSV] [FILE...]: the benchmark built for arm64, under
# qemu-user: whether it stores every page in as many bytes as on this machine,
# and how many instructions it takes. Times cannot be had this way.
#
# FILEs are as for bench.sh, the sample in the repository by default. The table
# is kept in results/bench-arm64.tsv.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/results.sh"

tools=$SEQLZ_ROOT/tools/seqlz
here=$tools/build/arm64/host
there=$tools/build/arm64/arm64
tsv=$SEQLZ_ROOT/results/bench-arm64.tsv
codecs="seqlz:1 seqlz:2 seqlz:3 seqlz:4 lz4 zstd:3"
compiler=aarch64-linux-gnu-gcc
if [ "${1:-}" = -o ]; then
	tsv=${2:?"usage: bench-arm64.sh [-o TSV] [FILE...]"}
	shift 2
fi
[ $# -gt 0 ] || set -- "$tools"/sample/*.pages.zst

"$SEQLZ_ROOT/scripts/deps.sh" kernel arm64
need_cmd $compiler qemu-aarch64
tree=$(bench_tree)
before=$(library_state)

build() {
	make -s -j"$(nproc)" -C "$tools" KDIR="$tree" "$@" >&2
}

arm64() {
	qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"
}

# counts SIZE CODEC FILE...: instructions of all pages, to compress and back
counts() {
	local size=$1 codec=$2 log=$there/marks.log

	shift 2
	BENCH_TASK=count BENCH_CODEC=$codec arm64 -plugin "$here/qemu-count.so" \
		"$there/bench-$size" "$@" >"$there/count.log" 2>"$log" ||
		die "the arm64 benchmark failed with $codec: see $log"
	awk '$1 == "mark" { mark[++nr] = $2 }
		END { if (nr != 4) exit 1; printf "%.0f %.0f\n", mark[2] - mark[1], mark[4] - mark[3] }' \
		"$log" || die "QEMU's plugin did not count: see $log"
}

# sizes TSV: every size of a page file and codec, for comparison
sizes() {
	grep -P '^size\t.*\t(bytes|zs_bytes|huge_pages|pages)\t' "$1"
}

# page_figure CODEC METRIC
page_figure() {
	awk -F'\t' -v codec="$1" -v metric="$2" \
		'$1 == "size" && $3 == "TOTAL" && $4 == codec && $5 == metric { print $6 }' "$there/sizes.tsv"
}

# measure SIZE FILE...: lines of the table
measure() {
	local size=$1 codec c d pages

	shift
	say "comparing sizes of ${size^^}iB pages"
	"$here/bench-$size" -m size -c "${codecs// /,}" -o "$here/sizes.tsv" "$@" >/dev/null
	arm64 "$there/bench-$size" -m size -c "${codecs// /,}" -o "$there/sizes.tsv" "$@" >/dev/null
	[ "$(sizes "$here/sizes.tsv" | wc -l)" -gt 20 ] || die "the benchmark left no sizes in $here/sizes.tsv"
	diff <(sizes "$here/sizes.tsv") <(sizes "$there/sizes.tsv") >"$there/sizes.diff" ||
		die "arm64 stores pages in other sizes than $(uname -m): see $there/sizes.diff"
	say "counting instructions of ${size^^}iB pages"
	for codec in $codecs; do
		read -r c d < <(counts "$size" "$codec" "$@")
		pages=$(page_figure "$codec" pages)
		printf '%d\t%s\t%s\t%s\t%s\t%s\n' $((${size%k} * 1024)) "$codec" "$pages" \
			"$(page_figure "$codec" bytes)" $((c / pages)) $((d / pages))
	done
}

# with_ratios: instructions to lz4's at the end of each line
with_ratios() {
	awk -F'\t' -v OFS='\t' '
		{ line[NR] = $0; if ($2 == "lz4") { c[$1] = $5; d[$1] = $6 } }
		END {
			for (i = 1; i <= NR; i++) {
				$0 = line[i]
				print $1, $2, $3, $4, $5, sprintf("%.3f", $5 / c[$1]), $6, sprintf("%.3f", $6 / d[$1])
			}
		}'
}

say "building the benchmark for this machine and for arm64"
build OUT="$here" bench-4k bench-16k "$here/qemu-count.so"
build OUT="$there" CC=$compiler bench-4k bench-16k
lines=$there/lines.tsv
: >"$lines"
for size in 4k 16k; do
	files=()
	for file; do
		[ -r "$file" ] || die "$file cannot be read: give page files, raw or compressed with zstd"
		case $size-${file##*/} in
		4k-*16k* | 4k-*64k* | 16k-*64k*) continue ;;
		4k-* | 16k-*16k*) files+=("$file") ;;
		esac
	done
	[ ${#files[@]} -eq 0 ] || measure $size "${files[@]}" >>"$lines"
done
[ -s "$lines" ] || die "there are no files with pages of 4 or 16 KiB: name some"
[ "$(library_state)" = "$before" ] || die "lib/seqlz changed during the run: run it again"

mkdir -p "$(dirname "$tsv")"
{
	results_head "make bench-arm64" "$tree"
	echo "# library: $before"
	echo "# arm64: $($compiler --version | head -n 1), $(qemu-aarch64 --version | head -n 1)"
	echo "# sizes: the same for every file and codec as on $(uname -m)"
	echo "# page_size	codec	pages	bytes	compress_instructions	to_lz4	decompress_instructions	to_lz4"
	with_ratios <"$lines"
} >"$there/bench-arm64.tsv"
cp "$there/bench-arm64.tsv" "$tsv"
echo "arm64: every size as on $(uname -m); instructions a page"
echo
{
	echo "page	codec	pages	bytes	compress	to lz4	decompress	to lz4"
	grep -v '^#' "$tsv"
} | awk -F'\t' '
	NR > 1 { $4 = sprintf("%.1f", $4) }
	{ printf "%-6s %-8s %6s %9s %11s %7s %11s %7s\n", $1, $2, $3, $4, $5, $6, $7, $8 }'
say "the table is in $tsv, took $(elapsed)"
