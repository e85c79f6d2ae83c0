#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# selftest.sh: the kernel's own selftests of zram, tools/testing/selftests/zram,
# in a user-mode Linux with KASAN, lockdep and UBSAN whose root is this
# machine's, read-only. The filesystem on zram is compressed with seqlz. Last
# line: counts.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/debug-guest.sh"

# write_init FILE: process 1 of the guest. zram01 wants an algorithm's name.
write_init() {
	cat >"$1" <<-END
		#!/bin/bash
		export PATH=/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin HOME=/mnt TMPDIR=/mnt
		mount -t proc proc /proc
		mount -t sysfs sys /sys
		mount -t devtmpfs dev /dev
		mount -t tmpfs tmp /mnt
		mkdir /mnt/zram
		cp $guest/source/tools/testing/selftests/zram/*.sh /mnt/zram
		cd /mnt/zram
		sed -i 's/^zram_algs=.*/zram_algs=seqlz/' zram01.sh
		./zram.sh
		echo "@status \$?"
		sync
		perl -e 'syscall(169, 0xfee1dead, 672274793, 0x4321fedc, 0)'
	END
	chmod +x "$1"
}

said() {
	grep -qE "$1" "$log"
}

said_not() {
	! grep -E -m5 "$1" "$log"
}

"$SEQLZ_ROOT/scripts/deps.sh" selftest
build_debug_kernel
work=$(mktemp -d "$SEQLZ_CACHE/selftest.XXXXXX")
trap 'end_guest; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
log=$guest/selftest.log
write_init "$work/init"

say "the kernel's selftests of zram"
boot_guest "$log.boot" "${LIMIT:-1200}" mem=256M kunit.enable=0 root=/dev/root \
	rootfstype=hostfs rootflags=/ ro "init=$work/init"
sed 's/\r$//' "$log.boot" >"$log"
check_log "$log"

for test in zram01 zram02 zram03 zram04; do
	check "$test" said "^$test : \[PASS\]"
done
check "no part of them failed" said_not '(^| )FAIL'
check "the status is 0" said '^@status 0$'
check "zram01 with seqlz" said "comp_algorithm = 'seqlz'"
for level in 1 2 3 4; do
	check "zram03 with level $level" said "^seqlz level $level: .*: OK"
done
for alg in lz4 lzo-rle zstd; do
	check "zram04 with $alg, then seqlz" said "^$alg, then seqlz: .*: OK"
	check "zram04 with seqlz, then $alg" said "^seqlz, then $alg: .*: OK"
done
finish selftest
