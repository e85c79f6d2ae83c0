#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-plot.sh [TSV]: plot memory against time of each page size in the
# figures of bench.sh, as SVG and PNG beside them.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

tsv=${1:-$SEQLZ_ROOT/results/bench.tsv}
[ -r "$tsv" ] || die "$tsv cannot be read: run make bench first"
command -v gnuplot >/dev/null || "$SEQLZ_ROOT/scripts/deps.sh" bench
need_cmd gnuplot

# points SIZE: codec, us of a write and 0.34 of a read, zsmalloc bytes
points() {
	awk -F'\t' -v size="$1" '
		$2 != size || $3 != "TOTAL" { next }
		$1 == "size" && $5 == "zs_bytes" { bytes[$4] = $6 }
		$1 == "score" && $5 == "us" { us[$4] = $6 }
		END { for (c in us) if (c in bytes) print c, us[c], bytes[c] }' "$tsv" |
		sort -k2n
}

# plot SIZE TERMINAL FILE
plot() {
	local from to

	from=$(awk 'NR == 1 { print 0.8 * $2 }' "$points")
	to=$(awk 'END { print 1.6 * $2 }' "$points")
	gnuplot <<-END
		set terminal $2
		set output "$3"
		set title "zram codecs, pages of $(($1 / 1024)) KiB: towards the lower left is better"
		set xlabel "µs to write a page, and 0.34 of reading it (log scale)"
		set ylabel "zsmalloc bytes a page"
		set logscale x
		set xrange [$from:$to]
		set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
		set offsets 0, 0, graph 0.06, graph 0.06
		set grid
		set key off
		plot "$points" using 2:3 with points pt 7 ps 0.8, \
			"" using 2:3:1 with labels left offset 0.8,0.3
	END
}

points=$(mktemp)
trap 'rm -f "$points"' EXIT
plots=0
for size in 4096 16384 65536; do
	points $size >"$points"
	[ -s "$points" ] || continue
	name=${tsv%.tsv}-$((size / 1024))k
	plot $size "svg size 800,600 noenhanced background rgb 'white'" "$name.svg"
	plot $size "pngcairo size 800,600 noenhanced" "$name.png"
	say "$name.svg and .png are written"
	plots=$((plots + 1))
done
[ $plots -gt 0 ] || die "$tsv has no scores: run make bench with the modes size, time and score"
