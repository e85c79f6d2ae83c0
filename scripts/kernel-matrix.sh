#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel-matrix.sh [CELL...]: build kernels for other architectures, page sizes and
# compilers, boot each under emulation, run the KUnit suites in it and swap pages
# through seqlz at levels 1, 2 and 4. Without a CELL all of them, one after the
# other.
#
# REST=1	only those that results/kernel-matrix.tsv lacks for these sources
# RESULTS=file	where the rows go, instead of results/kernel-matrix.tsv
# KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
#
# A row of the same kernel and cell is replaced. Last line: counts.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/results.sh"
. "$(dirname "$0")/debug-guest.sh"
. "$(dirname "$0")/kunit-log.sh"

configs=$SEQLZ_ROOT/configs
results=${RESULTS:-$SEQLZ_ROOT/results/kernel-matrix.tsv}
cells=(arm64-16k arm64-4k arm64-64k s390x i386-highmem x86_64 x86_64-clang-cfi)
columns="kernel	cell	arch	page size	compiler	test	passed	failed	date	sources	commit"
levels=(1 2 4)

# describe CELL: what is built and booted
describe() {
	arch=x86_64 cross="" make="" mib=128 copies=8
	fragments=(emulated) image=arch/x86/boot/bzImage console=ttyS0 append=""
	serial=(-serial chardev:c0)
	machine=(qemu-system-x86_64 -M pc -cpu qemu64)
	case $1 in
	arm64-*)
		arch=arm64 cross=aarch64-linux-gnu- fragments+=(arm64 "$1")
		image=arch/arm64/boot/Image console=ttyAMA0
		machine=(qemu-system-aarch64 -M virt -cpu max)
		[ "$1" != arm64-64k ] || mib=192
		;;
	s390x)
		arch=s390 cross=s390x-linux-gnu- fragments+=(s390)
		image=arch/s390/boot/bzImage console=ttysclp0
		serial=(-device "sclpconsole,chardev=c0")
		machine=(qemu-system-s390x -M s390-ccw-virtio -cpu max)
		;;
	i386-highmem)
		arch=i386 fragments+=(i386) append="highmem=64M"
		machine=(qemu-system-i386 -M pc -cpu qemu32)
		;;
	x86_64)
		fragments+=(x86)
		;;
	x86_64-clang-cfi)
		fragments=(x86 zram cfi) make=LLVM=-19
		;;
	*)
		die "there is no cell '$1': choose from ${cells[*]}"
		;;
	esac
	[ -z "$cross" ] || make=CROSS_COMPILE=$cross
}

# build CELL: sets guest
build() {
	local files=("${fragments[@]/%/.config}" kunit.config)

	guest=$(KMAKE=$make TARGETS=$(basename "$image") "$SEQLZ_ROOT/scripts/build-kernel.sh" \
		"$1" "$arch" "${files[@]/#/$configs/}")
}

# boot CELL: KUnit runs while the kernel starts, then the swap
boot() {
	local cc=(gcc) algs

	[ "$arch" != i386 ] || cc=(gcc -m32 -isystem "/usr/include/$(gcc -print-multiarch)")
	[ -z "$cross" ] || cc=("${cross}gcc")
	guest_cc=${cc[*]} make_initramfs "$work/initramfs" init.c "$work/pages"
	algs=$(printf 'seqlz:%s,' "${levels[@]}")
	say "booting $1"
	run_guest "$log.boot" 1500 "${machine[@]}" -smp 1 -m "$mib" -accel tcg -nographic \
		-nodefaults -chardev stdio,id=c0 "${serial[@]}" -monitor none -no-reboot \
		-kernel "$guest/$image" -initrd "$work/initramfs" \
		-append "console=$console panic=-1 reboot=k guest_reset=1 kunit.filter_glob=seqlz* swap_algs=${algs%,} swap_copies=$copies $append"
}

# field KEY ALGORITHM: of its line @result or @time
field() {
	grep -aE "^@(result|time) .*\balg=$2 " "$log" | grep -oE "\b$1=[0-9]+" | cut -d= -f2
}

# check_swap: each level swapped pages, and all came back
check_swap() {
	local level in different

	for level in "${levels[@]}"; do
		in=$(field in "seqlz:$level") different=$(field different "seqlz:$level")
		if [ "${in:-0}" -gt 100 ] && [ "$different" = 0 ]; then
			swap_passed=$((swap_passed + 1))
		else
			swap_failed=$((swap_failed + 1))
		fi
		pages_in=$((pages_in + ${in:-0}))
	done
}

# row CELL TEST PASSED FAILED: replaces that of the same kernel and cell
row() {
	local line

	line=$(printf '%s\t' "$kernel" "$1" "$arch" "$page_size" "$compiler" "$2" "$3" "$4" \
		"$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$sources")$commit
	{
		results_head "make matrix, which replaces the rows of a cell" "$guest/source" | grep -v '^# \(date\|compiler\)'
		echo "# $columns"
		{
			[ ! -r "$results" ] || grep -v '^#' "$results" |
				awk -F'\t' -v k="$kernel" -v c="$1" -v t="$2" '!($1 == k && $2 == c && $6 == t)'
			echo "$line"
		} | sort -t "$(printf '\t')" -k1,2 -k6,6
	} >"$results.new"
	mv "$results.new" "$results"
}

# what the rows say of the kernel
describe_kernel() {
	kernel=$(make -s -C "$guest/source" kernelversion)
	page_size=$(sed -n 's/^CONFIG_PAGE_SHIFT=//p' "$guest/.config")
	page_size=$((1 << ${page_size:-12}))
	compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\(.*\)"$/\1/p' "$guest/.config")
	sources=$(sources_of "$guest/source")
	commit=$(git -C "$SEQLZ_ROOT" rev-parse --short=12 HEAD 2>/dev/null || echo none)
}

# cell NAME
cell() {
	local swap_passed=0 swap_failed=0 pages_in=0 status=0 complaint

	describe "$1"
	build "$1"
	describe_kernel
	log=$guest/matrix.log
	boot "$1" || status=$?
	read_kunit "$log.boot" "$log" "$guest/source"
	[ "$kunit_failures" -gt 0 ] || (check_all_ran "$log" "$arch") || kunit_failures=1
	check_swap
	if complaint=$(grep -aE -m1 "$reports" "$log"); then
		say "$1: the kernel complained: $complaint (see $log)"
		swap_failed=$((swap_failed + 1))
	elif ! grep -q '^@done ' "$log"; then
		say "$1: the guest did not reach its end, status $status: see $log"
		swap_failed=$((swap_failed + 1))
	fi
	row "$1" kunit "$kunit_passed" "$kunit_failures"
	row "$1" swap "$swap_passed" "$swap_failed"
	echo "$1: $compiler, pages of $page_size: KUnit $kunit_passed passed, $kunit_failures failed; $pages_in pages swapped in, $swap_failed levels failed"
	passed=$((passed + kunit_passed + swap_passed))
	failed=$((failed + kunit_failures + swap_failed))
}

# is_done CELL: the file has its rows, of these sources, and nothing failed
is_done() {
	[ -r "$results" ] &&
		[ "$(awk -F'\t' -v c="$1" -v s="$(sources_of "$tree")" \
			'$2 == c && $10 == s && $8 == 0 { n++ } END { print n + 0 }' "$results")" -ge 2 ]
}

for name; do
	describe "$name"
done
"$SEQLZ_ROOT/scripts/deps.sh" matrix
tree=$("$SEQLZ_ROOT/scripts/kernel-tree.sh")
work=$(mktemp -d "$SEQLZ_CACHE/matrix.XXXXXX")
trap 'end_guest; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
sample_pages >"$work/pages"
[ $# -gt 0 ] || set -- "${cells[@]}"
for name; do
	if [ -n "${REST:-}" ] && is_done "$name"; then
		say "$name: done before"
		continue
	fi
	cell "$name"
done
finish matrix
