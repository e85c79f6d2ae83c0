#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# make-sample.sh CORPUS: draw the sample of this directory, evenly spaced, from
# the validation pages CORPUS/NAME.valid.pages.zst, and write manifest.tsv.
# make-sample.sh --check: do the files of this directory match manifest.tsv?
set -euo pipefail

corpus=${1:?usage: make-sample.sh CORPUS | --check}
here=$(cd "$(dirname "$0")" && pwd)
manifest=$here/manifest.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

workloads_4k=(chromium jvm node tsgo python gcc db libreoffice)
workloads_16k=(chromium-16k jvm-16k node-16k tsgo-16k)
count_4k=400
count_16k=64

die() {
	echo "make-sample.sh: $*" >&2
	exit 1
}

sha256() {
	sha256sum "$1" | cut -d' ' -f1
}

# draw NAME PAGE_BYTES COUNT: pages 0, 1 * total / COUNT, 2 * total / COUNT, ...
draw() {
	local name=$1 bytes=$2 count=$3 total i

	[ -r "$corpus/$name.valid.pages.zst" ] ||
		die "$corpus/$name.valid.pages.zst is missing: name the directory that has it"
	zstd -dqf "$corpus/$name.valid.pages.zst" -o "$work/all"
	total=$(($(stat -c %s "$work/all") / bytes))
	[ "$total" -ge "$count" ] || die "$name has only $total pages, $count are needed"
	for ((i = 0; i < count; i++)); do
		dd if="$work/all" bs="$bytes" skip=$((i * total / count)) count=1 status=none
	done >"$work/$name.pages"
	zstd -19 -qf "$work/$name.pages" -o "$work/$name.pages.zst"
	printf '%s\t%d\t%d\t%s\t%s\n' "$name.pages" "$count" "$bytes" \
		"$(sha256 "$work/$name.pages")" "$(sha256 "$work/all")"
}

make_sample() {
	local name

	{
		printf '# SPDX-License-Identifier: GPL-2.0-only OR MIT\n'
		printf '# made by: tools/seqlz/sample/make-sample.sh CORPUS\n'
		printf '# file\tpages\tbytes a page\tSHA-256 of the pages\tSHA-256 of the pages they were drawn from\n'
		for name in "${workloads_4k[@]}"; do
			draw "$name" 4096 "$count_4k"
		done
		for name in "${workloads_16k[@]}"; do
			draw "$name" 16384 "$count_16k"
		done
	} >"$work/manifest.tsv"
	mv "$work"/*.pages.zst "$work/manifest.tsv" "$here/"
}

check_sample() {
	local file sum found=0

	while IFS=$'\t' read -r file _ _ sum _; do
		[[ $file == \#* ]] && continue
		zstd -dqf "$here/$file.zst" -o "$work/$file" ||
			die "$file.zst cannot be unpacked: restore it with git checkout"
		[ "$(sha256 "$work/$file")" = "$sum" ] ||
			die "$file.zst is not what manifest.tsv says: restore it with git checkout"
		found=$((found + 1))
	done <"$manifest"
	[ "$found" -eq $((${#workloads_4k[@]} + ${#workloads_16k[@]})) ] ||
		die "manifest.tsv names $found files: restore it with git checkout"
	echo "sample: $found files match their checksums"
}

if [ "$corpus" = --check ]; then
	check_sample
else
	make_sample
fi
