#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# run-unit.sh [VARIANT...]: the unit tests for each page size in each build, and
# whether all builds write the same compressed bytes. QUICK=1 makes fewer checks.
# The last line is "unit: N passed, N failed"; logs stay in build/tests/VARIANT.
set -euo pipefail
cd "$(dirname "$0")/.."

sizes=(4k 8k 16k 64k)
all_variants=(gcc clang gcc-asan clang-asan clang-msan gcc-m32 gcc-m32-ubsan s390x)
san="-O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -Wno-frame-larger-than"
asan="-fsanitize=address,undefined,alignment $san"
msan="-fsanitize=memory -DSEQLZ_TEST_MSAN $san"
# 32-bit libraries do not bring the headers that the compiler looks for first
m32="-m32 -isystem /usr/include/$(gcc -print-multiarch 2>/dev/null || true)"
passed=0
failed=0

# flags_of VARIANT
flags_of() {
	case $1 in
	gcc | clang) echo "-Werror" ;;
	gcc-m32) echo "$m32 -Werror" ;;
	gcc-asan | clang-asan) echo "$asan" ;;
	gcc-m32-ubsan) echo "$m32 -fsanitize=undefined,alignment $san" ;;
	clang-msan) echo "$msan" ;;
	s390x) echo "-static -Werror" ;;
	*)
		echo "run-unit.sh: no variant '$1': choose from ${all_variants[*]}" >&2
		return 1
		;;
	esac
}

# compiler_of VARIANT
compiler_of() {
	case $1 in
	# big-endian
	s390x) echo s390x-linux-gnu-gcc ;;
	*) echo "${1%%-*}" ;;
	esac
}

# find_runner32: what runs a 32-bit program here: nothing, or an emulator where the
# machine's kernel cannot
find_runner32() {
	local dir=build/tests/runner32

	mkdir -p "$dir"
	echo 'int main(void) { return 0; }' >"$dir/true.c"
	runner32=""
	! gcc -m32 "$dir/true.c" -o "$dir/true" 2>/dev/null || "$dir/true" 2>/dev/null ||
		runner32=qemu-i386
}

# count_log VARIANT SIZE: show what failed, add up the log's last line
count_log() {
	local log=build/tests/$1/seqlz-test-$2.log last

	last=$(tail -n 1 "$log")
	if [[ $last =~ ^[0-9]+\ KiB\ pages:\ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		passed=$((passed + BASH_REMATCH[1]))
		failed=$((failed + BASH_REMATCH[2]))
		[ "${BASH_REMATCH[2]}" -eq 0 ] || grep -v '^hash\|^ok\|checks, ' "$log" | head -n 40
	else
		failed=$((failed + 1))
		tail -n 20 "$log"
		last="did not finish, see tools/seqlz/$log"
	fi
	printf '  %-13s %s\n' "$1" "$last"
}

run_variant() {
	local variant=$1 flags size quick=-q runner=""
	local dir=build/tests/$variant

	[[ $variant != *-m32* ]] || runner=$runner32
	[ "$variant" != s390x ] || runner=qemu-s390x
	# one build makes all the checks, the slower ones a part of each
	[ "$variant" != gcc ] || [ -n "${QUICK:-}" ] || quick=""
	flags=$(flags_of "$variant") || exit 2
	mkdir -p "$dir"
	# a log of an earlier run must not be counted
	rm -f "$dir"/*.log
	if ! make -s -j"$(nproc)" unit-build VARIANT="$variant" \
		CC="$(compiler_of "$variant")" XFLAGS="$flags" >"$dir/build.log" 2>&1; then
		tail -n 20 "$dir/build.log"
		printf '  %-13s does not build: FAILED\n' "$variant"
		failed=$((failed + 1))
		return
	fi
	printf '%s\n' "${sizes[@]}" | xargs -P "$(nproc)" -I{} bash -c \
		"$runner $dir/seqlz-test-{} $quick build/sample/*.pages >$dir/seqlz-test-{}.log 2>&1 || true"
	for size in "${sizes[@]}"; do
		count_log "$variant" "$size"
	done
}

# compare_builds SIZE: lines "hash ..." of all logs with the same key (the first
# five words) must agree, and each build must have written some
compare_builds() {
	local size=$1 variant lines differing

	lines=$(for variant in "${variants[@]}"; do
		grep '^hash ' "build/tests/$variant/seqlz-test-$size.log" || echo "none from $variant"
	done 2>/dev/null | sort -u)
	differing=$(cut -d' ' -f1-5 <<<"$lines" | uniq -d)
	if [ -n "$differing" ] || grep -q '^none' <<<"$lines"; then
		grep '^none' <<<"$lines" || true
		[ -z "$differing" ] || (cd build/tests && grep -F "$differing" ./*/seqlz-test-"$size".log)
		echo "  $size: not the same compressed bytes in all builds: FAILED"
		failed=$((failed + 1))
		return
	fi
	echo "  $size: the same compressed bytes in ${#variants[@]} builds"
	passed=$((passed + 1))
}

variants=("$@")
[ $# -gt 0 ] || variants=("${all_variants[@]}")
make -s libs sample-pages
find_runner32
for variant in "${variants[@]}"; do
	run_variant "$variant"
done
if [ "${#variants[@]}" -gt 1 ]; then
	for size in "${sizes[@]}"; do
		compare_builds "$size"
	done
fi
echo "unit: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
