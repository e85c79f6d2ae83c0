#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Test writes random and real data to a zram device, drops caches, reads the
# data back and compares it: with every compression algorithm that the kernel
# has, without parameters and with several levels.
# shellcheck disable=SC1091,SC2034,SC2154 # of what zram_lib.sh does

TCID="zram03"
ERR_CODE=0

. ./zram_lib.sh

dev_num=1
zram_sizes="8388608" # 8MB
zram_data=$(mktemp -d)

# Levels that an algorithm must accept, those of others are not tested.
zram_levels()
{
	case $1 in
	lz4)		echo 1 8 ;;
	lz4hc)		echo 1 9 ;;
	zstd)		echo 1 3 12 ;;
	deflate)	echo 1 6 9 ;;
	seqlz)		echo 1 2 3 4 ;;
	esac
}

zram_fail()
{
	echo "FAIL $*"
	ERR_CODE=1
}

# A quarter random, a quarter text, the rest programs. Zeros are not tested:
# pages of one repeated word do not get to the compression algorithm.
zram_make_data()
{
	local part=$((zram_sizes / 4))

	head -c "$part" /dev/urandom > "$zram_data/data"
	cat /proc/kallsyms /proc/kallsyms | head -c "$part" >> "$zram_data/data"
	cat /bin/* 2> /dev/null | head -c $zram_sizes >> "$zram_data/data"
	truncate -s $zram_sizes "$zram_data/data"
}

# zram_setup ALGORITHM [LEVEL]
zram_setup()
{
	local sys="/sys/block/zram$dev_start"

	echo 1 > "$sys/reset" &&
	echo "$1" > "$sys/comp_algorithm" &&
	{ [ -z "$2" ] || echo "algo=$1 level=$2" > "$sys/algorithm_params"; } &&
	echo $zram_sizes > "$sys/disksize"
}

# zram_round_trip ALGORITHM [LEVEL]
zram_round_trip()
{
	local dev="/dev/zram$dev_start"
	local what="$1${2:+ level $2}"
	local compr

	if ! zram_setup "$1" "$2"; then
		zram_fail "$what: the device cannot be set up"
		return
	fi
	if ! dd if="$zram_data/data" of="$dev" bs=64K conv=fsync status=none; then
		zram_fail "$what: write failed"
		return
	fi
	sync
	echo 3 > /proc/sys/vm/drop_caches
	if ! cmp "$zram_data/data" "$dev"; then
		zram_fail "$what: other data was read than written"
		return
	fi
	compr=$(awk '{print $2}' "/sys/block/zram$dev_start/mm_stat")
	if [ "$compr" -le 0 ] || [ "$compr" -ge $zram_sizes ]; then
		zram_fail "$what: $compr bytes of $zram_sizes are left"
		return
	fi
	echo "$what: $zram_sizes bytes to $compr: OK"
}

zram_test_all()
{
	local algs alg level

	algs=$(tr -d '[]' < "/sys/block/zram$dev_start/comp_algorithm")
	if [ -z "$algs" ]; then
		zram_fail "the kernel has no compression algorithm"
		return
	fi
	for alg in $algs; do
		zram_round_trip "$alg"
		[ -w "/sys/block/zram$dev_start/algorithm_params" ] || continue
		for level in $(zram_levels "$alg"); do
			zram_round_trip "$alg" "$level"
		done
	done
}

check_prereqs
zram_make_data
zram_load
zram_test_all
zram_cleanup
rm -rf "$zram_data"

if [ $ERR_CODE -ne 0 ]; then
	echo "$TCID : [FAIL]"
else
	echo "$TCID : [PASS]"
fi
exit $ERR_CODE
