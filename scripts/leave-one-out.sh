#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# leave-one-out.sh: what a kind of page costs that did not train the codes.
#
# For each workload X of CORPUS, X.train.pages and X-16k.train.pages, codes are
# trained on the others, tables made of them in a build directory of their own,
# and the benchmark built with these says what X.valid.pages take. Files may be
# compressed with zstd. STARTS=n: starts of the trainer's grouping (default 4;
# the codes of the library have 12). The table is kept in
# results/leave-one-out.tsv; -o FILE keeps it elsewhere.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/results.sh"

tools=$SEQLZ_ROOT/tools/seqlz
tsv=$SEQLZ_ROOT/results/leave-one-out.tsv
starts=${STARTS:-4}
levels="seqlz:1 seqlz:2 seqlz:4"
while getopts o: option; do
	case $option in
	o) tsv=$OPTARG ;;
	'?') die "usage: leave-one-out.sh [-o TSV], with CORPUS=dir in the environment" ;;
	esac
done
corpus=${CORPUS:-}
[ -d "$corpus" ] || die "CORPUS='$corpus' is no directory: give one with *.train.pages.zst and *.valid.pages.zst"
[[ $starts =~ ^[1-9][0-9]*$ ]] || die "STARTS=$starts: give a number from 1"
work=$tools/build/leave-one-out

# files KIND SIZE: page files of that kind (train, valid) and page size
files() {
	local file

	for file in "$corpus"/*."$1".pages "$corpus"/*."$1".pages.zst; do
		[ -r "$file" ] || continue
		case $2-${file##*/} in
		16k-*-16k.* | 4k-*) [[ $2 = 4k && $file == *-16k.* ]] || echo "$file" ;;
		esac
	done
}

# workload FILE: chromium, of chromium-16k.train.pages.zst
workload() {
	local name=${1##*/}

	name=${name%%.*}
	echo "${name%-16k}"
}

# others WORKLOAD SIZE: what trains if that one is left out
others() {
	local file

	while read -r file; do
		[ "$(workload "$file")" = "$1" ] || echo "$file"
	done < <(files train "$2")
}

# valid WORKLOAD SIZE: the file that judges it, if there is one
valid() {
	local file

	while read -r file; do
		[ "$(workload "$file")" != "$1" ] || echo "$file"
	done < <(files valid "$2")
}

build() {
	make -s -j"$(nproc)" -C "$tools" OUT="$work" KDIR="$tree" "$@" >&2
}

# train WORKLOAD SIZE: codes without it; the library's if it has no such pages
train() {
	local header=seqlz_codes_$2.h list

	if [ -z "$(valid "$1" "$2")" ]; then
		cp "$SEQLZ_ROOT/lib/seqlz/$header" "$work/$1/$header"
		return
	fi
	mapfile -t list < <(others "$1" "$2")
	[ ${#list[@]} -gt 0 ] ||
		die "no *.train.pages of $2 pages in $corpus are left without $1: give more workloads"
	"$work/train-$2" --starts "$starts" --output "$work/$1/$header" "${list[@]}" >&2
}

# bytes TSV CODEC: zsmalloc bytes a page
bytes() {
	awk -F'\t' -v codec="$2" '$1 == "size" && $3 == "TOTAL" && $4 == codec && $5 == "zs_bytes" { print $6 }' "$1"
}

# measure WORKLOAD SIZE: a line for each level
measure() {
	local file level codecs=$levels

	file=$(valid "$1" "$2")
	[ -n "$file" ] || return 0
	codecs=${codecs// /,}
	"$work/bench-$2" -m size -c "$codecs,lz4,zstd:3" -o "$work/shipped.tsv" "$file" >/dev/null
	"$work/$1/bench-$2" -m size -c "$codecs" -o "$work/left-out.tsv" "$file" >/dev/null
	for level in $levels; do
		printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$(page_bytes "$2")" "$1" "$level" \
			"$(bytes "$work/shipped.tsv" "$level")" "$(bytes "$work/left-out.tsv" "$level")" \
			"$(bytes "$work/shipped.tsv" lz4)" "$(bytes "$work/shipped.tsv" zstd:3)"
	done
}

page_bytes() {
	case $1 in
	4k) echo 4096 ;;
	16k) echo 16384 ;;
	esac
}

# with_ratios: a line of means for each page size and level, where every
# workload counts the same, and the ratios
with_ratios() {
	awk -F'\t' -v OFS='\t' '
		function line() {
			print $1, $2, $3, sprintf("%.1f\t%.1f\t%.1f\t%.1f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f",
				$4, $5, $6, $7, $4 / $6, $5 / $6, $4 / $7, $5 / $7, $5 / $4)
		}
		{
			key = $1 OFS "TOTAL" OFS $3
			if (!(key in nr)) order[++keys] = key
			nr[key]++
			for (i = 4; i <= 7; i++) sum[key, i] += $i
			line()
		}
		END {
			for (k = 1; k <= keys; k++) {
				$0 = order[k]
				for (i = 4; i <= 7; i++) $i = sum[order[k], i] / nr[order[k]]
				line()
			}
		}'
}

columns="page_size	workload	codec	shipped	left_out	lz4	zstd3	shipped_to_lz4	left_out_to_lz4	shipped_to_zstd3	left_out_to_zstd3	left_out_to_shipped"

print_table() {
	awk -F'\t' '
		{ printf "%-9s %-12s %-8s %8s %8s %8s %8s   %7s %8s   %8s %8s  %8s\n", \
			$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 }'
}

"$SEQLZ_ROOT/scripts/deps.sh" kernel
tree=$(bench_tree)
mapfile -t workloads < <({ files valid 4k; files valid 16k; } | while read -r file; do
	workload "$file"
done | sort -u)
[ ${#workloads[@]} -gt 1 ] || die "$corpus has not two workloads with *.valid.pages: leaving one out needs others"

before=$(library_state)
say "building the benchmark and the trainer"
build bench-4k bench-16k train
lines=$work/lines.tsv
: >"$lines"
for name in "${workloads[@]}"; do
	say "training without $name"
	mkdir -p "$work/$name"
	for size in 4k 16k; do
		train "$name" "$size"
	done
	build CODES="$work/$name" bench-4k bench-16k
	for size in 4k 16k; do
		measure "$name" "$size" >>"$lines"
	done
done
[ "$(library_state)" = "$before" ] || die "lib/seqlz changed during the run: run it again"
[ -s "$lines" ] || die "nothing was measured: is there a *.valid.pages for each *.train.pages in $corpus?"

mkdir -p "$(dirname "$tsv")"
{
	results_head "make leave-one-out CORPUS=${corpus##*/}${STARTS:+ STARTS=$STARTS}" "$tree"
	echo "# library: $before"
	echo "# codes: left_out has $starts starts of the grouping; shipped is lib/seqlz as it is"
	echo "# pages: *.valid.pages of the workload that is left out; zsmalloc bytes a page"
	echo "# $columns"
	sort -s -k1,1n "$lines" | with_ratios
} >"$tsv.new"
mv "$tsv.new" "$tsv"
echo "zsmalloc bytes a page: with the codes in lib/seqlz, with codes that this workload did not train,"
echo "and their ratios to lz4 and zstd:3 in the same order"
echo
{
	echo "page	workload	codec	shipped	left out	lz4	zstd:3	to lz4	left out	to zstd3	left out	worse"
	grep -v '^#' "$tsv"
} | print_table
say "the table is in $tsv, took $(elapsed)"
