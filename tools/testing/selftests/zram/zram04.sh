#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Test recompresses what is on a zram device with a secondary algorithm, drops
# caches, reads the data back and compares it: for every algorithm that the
# kernel has, as primary and as secondary one.
# shellcheck disable=SC1091,SC2034,SC2154 # of what zram_lib.sh does

TCID="zram04"
ERR_CODE=0

. ./zram_lib.sh

dev_num=1
zram_sizes="4194304" # 4MB
zram_data=$(mktemp -d)

zram_fail()
{
	echo "FAIL $*"
	ERR_CODE=1
}

# Programs, and a quarter of random data that no algorithm makes smaller.
zram_make_data()
{
	head -c $((zram_sizes / 4)) /dev/urandom > "$zram_data/data"
	cat /bin/* 2> /dev/null | head -c $zram_sizes >> "$zram_data/data"
	truncate -s $zram_sizes "$zram_data/data"
}

# zram_setup PRIMARY SECONDARY
zram_setup()
{
	local sys="/sys/block/zram$dev_start"

	echo 1 > "$sys/reset" &&
	echo "$1" > "$sys/comp_algorithm" &&
	echo "algo=$2 priority=1" > "$sys/recomp_algorithm" &&
	echo $zram_sizes > "$sys/disksize"
}

zram_compressed_size()
{
	awk '{print $2}' "/sys/block/zram$dev_start/mm_stat"
}

# zram_recompress TYPE: none of the data may change or grow
zram_recompress()
{
	local dev="/dev/zram$dev_start"
	local before

	before=$(zram_compressed_size)
	echo all > "/sys/block/zram$dev_start/idle"
	if ! echo "type=$1" > "/sys/block/zram$dev_start/recompress"; then
		zram_fail "recompress type=$1 failed"
		return 1
	fi
	sync
	echo 3 > /proc/sys/vm/drop_caches
	if ! cmp "$zram_data/data" "$dev"; then
		zram_fail "other data was read after type=$1 than written"
		return 1
	fi
	if [ "$(zram_compressed_size)" -gt "$before" ]; then
		zram_fail "recompress type=$1 made the data larger"
		return 1
	fi
}

# zram_round_trip PRIMARY SECONDARY
zram_round_trip()
{
	local before type

	if ! zram_setup "$1" "$2"; then
		zram_fail "$1, then $2: the device cannot be set up"
		return
	fi
	if ! dd if="$zram_data/data" of="/dev/zram$dev_start" bs=64K conv=fsync \
			status=none; then
		zram_fail "$1, then $2: write failed"
		return
	fi
	before=$(zram_compressed_size)
	for type in huge idle huge_idle; do
		if ! zram_recompress "$type"; then
			zram_fail "$1, then $2"
			return
		fi
	done
	echo "$1, then $2: $before bytes to $(zram_compressed_size): OK"
}

zram_test_all()
{
	local algs first second

	algs=$(tr -d '[]' < "/sys/block/zram$dev_start/comp_algorithm")
	for first in $algs; do
		for second in $algs; do
			[ "$first" = "$second" ] || zram_round_trip "$first" "$second"
		done
	done
}

check_prereqs
zram_make_data
zram_load
if [ ! -e "/sys/block/zram$dev_start/recompress" ]; then
	zram_cleanup
	rm -rf "$zram_data"
	echo "$TCID : [SKIP] the kernel has no CONFIG_ZRAM_MULTI_COMP"
	exit "$ksft_skip"
fi
zram_test_all
zram_cleanup
rm -rf "$zram_data"

if [ $ERR_CODE -ne 0 ]; then
	echo "$TCID : [FAIL]"
else
	echo "$TCID : [PASS]"
fi
exit $ERR_CODE
