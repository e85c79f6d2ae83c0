#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kunit.sh: run the KUnit suites of seqlz in a user-mode Linux with KASAN,
# lockdep and UBSAN. The last line says how many cases passed and failed.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/debug-guest.sh"
. "$(dirname "$0")/kunit-log.sh"

build_debug_kernel
log=$guest/kunit.log
say "running the KUnit suites"
boot_guest "$log.boot" 600 mem=256M kunit_shutdown=halt 'kunit.filter_glob=seqlz*'
read_kunit "$log.boot" "$log" "$guest/source"
if [ "$kunit_failures" = 0 ]; then
	check_log "$log"
	check_all_ran "$log" um
	[ "$kunit_passed" -gt 0 ] || die "no case passed: see $log"
fi
echo "kunit: $kunit_passed passed, $kunit_failures failed"
[ "$kunit_failures" = 0 ]
