#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# check-libs.sh: what the shared libraries export and what the codec's objects
# contain. The last line is "libs: N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

functions="seqlz_compress seqlz_decompress seqlz_workmem_size"
table_limit=$((160 * 1024))
passed=0
failed=0

# expect WHAT GOT WANTED
expect() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "  FAIL $1: '${2//$'\n'/ }' instead of '$3'"
	fi
}

# names TYPES NM-ARGUMENT...: symbols of those types, in one line
names() {
	local types=$1

	shift
	nm "$@" | awk -v types="$types" 'NF > 1 && $(NF - 1) ~ types { print $NF }' | sort -u | xargs
}

# the objects are those of the unit tests, which the flags of lib/ compiled
check_objects() {
	local size=$1 tables
	local objects=(build/tests/gcc/"$size"/seqlz_*.o)

	# which decoder the processor gets
	expect "$size: writable data" "$(names '^[BbDdSsCc]$' "${objects[@]}")" seqlz_bmi2
	expect "$size: globals that are not called seqlz_" \
		"$(names '^[A-TV-Z]$' -g "${objects[@]}" | tr ' ' '\n' | grep -v '^seqlz_' || true)" ""
	expect "$size: SSE, AVX, MMX or x87 registers used" \
		"$(objdump -d --no-show-raw-insn "${objects[@]}" | grep -cE '%([xyz]?mm[0-9]|st\b)' || true)" 0
	# the compiler may only ask for what the kernel has
	expect "$size: functions taken from elsewhere" \
		"$(comm -23 <(names '^U$' "${objects[@]}" | tr ' ' '\n') \
			<({ names '^[A-TV-Z]$' "${objects[@]}" | tr ' ' '\n'
			    printf '%s\n' memcpy memset memmove memcmp; } | sort -u))" ""
	tables=$(size -A "${objects[@]}" | awk '$1 ~ /^\.rodata/ { n += $2 } END { print n + 0 }')
	expect "$size: tables of $tables bytes within $table_limit" $((tables <= table_limit)) 1
	echo "  $size: $tables bytes of constant tables"
}

make -s libs
make -s unit-build VARIANT=gcc CC=gcc XFLAGS=-Werror
for size in 4k 16k 64k; do
	expect "libseqlz-$size.so exports" \
		"$(names '^[A-TV-Z]$' -D --defined-only "build/libseqlz-$size.so")" "$functions"
	check_objects "$size"
done
echo "libs: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
