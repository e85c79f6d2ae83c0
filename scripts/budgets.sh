#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# budgets.sh [-o TSV]: the budgets of the codec against what it takes.
# budgets.sh --rst: put the figures of the last run into the documentation.
#
# Sizes and times are of the *.valid.pages of CORPUS, or of the sample in the
# repository without it. What pages take that did not train the codes comes
# from results/leave-one-out.tsv, if that was made with the library as it is;
# LOO=1 measures it first, which needs CORPUS.
# Everything is built in a directory of its own. The table is kept in
# results/budgets.tsv; -o keeps it elsewhere, and leaves the documentation be.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/results.sh"

tools=$SEQLZ_ROOT/tools/seqlz
work=$tools/build/budgets
left_out=$SEQLZ_ROOT/results/leave-one-out.tsv
recorded=$SEQLZ_ROOT/results/budgets.tsv
document=$SEQLZ_ROOT/Documentation/admin-guide/blockdev/seqlz.rst
codecs=seqlz:1,seqlz:2,seqlz:3,seqlz:4,lz4,lz4-again,zstd:3
corpus=${CORPUS:-}

budgets_py() {
	python3 "$SEQLZ_ROOT/scripts/budgets.py" "$@"
}

# to_rst: the table between the two marks of the documentation
to_rst() {
	local table

	[ -r "$recorded" ] || die "$recorded cannot be read: run make budgets first"
	table=$(mktemp)
	budgets_py rst "$recorded" >"$table"
	[ "$(grep -c '^\.\. budgets: ' "$document")" = 2 ] ||
		die "$document has not its two lines '.. budgets: begin' and '.. budgets: end': restore them"
	sed -i -e '/^\.\. budgets: begin/,/^\.\. budgets: end/{//!d}' \
		-e "/^\.\. budgets: begin/{
			G
			r $table
		}" "$document"
	rm -f "$table"
	say "the table in $document is that of $recorded"
}

# page_files SIZE: what is measured with pages of that size
page_files() {
	local files=()

	if [ -n "$corpus" ]; then
		files=("$corpus"/*.valid.pages "$corpus"/*.valid.pages.zst)
	else
		files=("$tools"/sample/*.pages.zst)
	fi
	for file in "${files[@]}"; do
		case $1-${file##*/} in
		16k-*-16k.*) ;;
		4k-*-16k.* | 16k-*) continue ;;
		esac
		[ ! -r "$file" ] || echo "$file"
	done
}

page_bytes() {
	echo $((${1%k} * 1024))
}

# figure SIZE CODEC METRIC VALUE: in the form that the benchmark has
figure() {
	printf 'object\t%s\tTOTAL\t%s\t%s\t%s\n' "$(page_bytes "$1")" "$2" "$3" "$4"
}

# frames FILE...: largest, and sum of the stack frames in these files; loops that are
# compiled twice count once, since either one or the other runs
frames() {
	awk -F'\t' '$2 + 0 > most { most = $2 } $1 !~ /_bmi2$/ { sum += $2 } END { print most + 0, sum + 0 }' "$@"
}

# of_objects SIZE: what the library's objects contain and ask for
of_objects() {
	local dir=$work/bench/$1/lib most sum level

	# constants of any section; seqlz_workmem_size() gives the memory
	figure "$1" seqlz tables "$(size -A "$dir"/seqlz_*.o |
		awk '$1 ~ /^\.rodata/ { sum += $2 } END { print sum + 0 }')"
	read -r most _ < <(frames "$dir"/seqlz_*.su)
	read -r _ sum < <(frames "$dir"/seqlz_decompress.su)
	[ "$most" -gt 0 ] || die "$dir has no frame sizes: remove $work and run this again"
	figure "$1" seqlz frame "$most"
	figure "$1" seqlz decoder_frames "$sum"
	for level in 1 2 3 4; do
		figure "$1" "seqlz:$level" workmem "$(python3 -c "if 1:
			import ctypes
			print(ctypes.CDLL('$work/libseqlz-$1.so').seqlz_workmem_size($level))")"
	done
}

# measure SIZE: sizes, times and the slowest blocks
measure() {
	local files

	mapfile -t files < <(page_files "$1")
	[ ${#files[@]} -gt 0 ] || return 0
	say "measuring ${#files[@]} files with pages of ${1^^}iB"
	"$work/bench-$1" -m size,time,worst -c $codecs -o "$work/part.tsv" "${files[@]}" \
		>"$work/bench-$1.log"
	cat "$work/part.tsv" >>"$work/figures.tsv"
}

tsv=$recorded
case ${1:-} in
--rst)
	to_rst
	exit
	;;
-o) tsv=${2:?"usage: budgets.sh [-o TSV]"} ;;
"") ;;
*) die "usage: budgets.sh [-o TSV], or budgets.sh --rst" ;;
esac
[ -z "$corpus" ] || compgen -G "$corpus/*.valid.pages*" >/dev/null ||
	die "CORPUS='$corpus' has no *.valid.pages: give a directory with page files"

"$SEQLZ_ROOT/scripts/deps.sh" kernel
tree=$(bench_tree)
[ "${LOO:-0}" = 0 ] || "$SEQLZ_ROOT/scripts/leave-one-out.sh" >/dev/null

pages="the sample of the repository, which did not train; other pages of these workloads did"
[ -z "$corpus" ] || pages="*.valid.pages of ${corpus##*/}, which did not train; other pages of these workloads did"
before=$(library_state)
say "building the benchmark"
make -s -j"$(nproc)" -C "$tools" OUT="$work" KDIR="$tree" bench-4k bench-16k \
	"$work"/bench/64k/seqlz.o "$work"/libseqlz-{4k,16k,64k}.so >"$work.log" 2>&1 ||
	die "the benchmark could not be built: see $work.log"
mkdir -p "$work" "$(dirname "$tsv")"
: >"$work/figures.tsv"
rm -f "$work/leave-one-out.tsv"
# figures of another library would be taken for those of this one
left_out_of="not shown: run make leave-one-out"
if [ -r "$left_out" ] && grep -qxF "# library: $before" "$left_out"; then
	cp "$left_out" "$work/leave-one-out.tsv"
	left_out_of="leave-one-out.tsv of $(sed -n 's/^# date: //p' "$left_out")"
elif [ -r "$left_out" ]; then
	left_out_of="not shown, it is of another lib/seqlz: run make leave-one-out"
fi
for size in 4k 16k 64k; do
	of_objects $size >>"$work/figures.tsv"
	[ $size = 64k ] || measure $size
done
[ "$(library_state)" = "$before" ] || die "lib/seqlz changed during the run: run it again"

{
	results_head "make budgets${corpus:+ CORPUS=${corpus##*/}}${LOO:+ LOO=$LOO}" "$tree"
	echo "# library: $before"
	echo "# pages: $pages"
	echo "# times: median of each page over 3 passes, mean; least of 5 processes over lz4's least"
	echo "# left out: $left_out_of"
	echo "# budget	page_size	what	must	reach	measured	verdict	left_out	verdict	note"
	echo "# codec	page_size	codec	zs_bytes	to_lz4	left_out_to_lz4	compress_to_lz4	decompress_to_lz4	workmem"
	budgets_py evaluate "$work"
} >"$work/budgets.tsv"
cp "$work/budgets.tsv" "$tsv"
grep '^#' "$tsv" | sed '1d; /^# \(budget\|codec\)\t/d; s/^# //'
echo
budgets_py table "$tsv"
[ "$tsv" != "$recorded" ] || [ ! -r "$document" ] || to_rst
say "the table is in $tsv, took $(elapsed)"
