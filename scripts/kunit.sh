#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kunit.sh: run the KUnit suites of seqlz in a user-mode Linux with KASAN,
# lockdep and UBSAN. The last line says how many cases passed and failed.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/debug-guest.sh"

# check_all_ran: each case of the sources must be in the log, not just none
# that failed
check_all_ran() {
	local suite file name

	for file in "$SEQLZ_ROOT"/lib/seqlz/tests/*_kunit.c; do
		# what it tests is only there in the reworked zcomp
		[[ $file != */seqlz_zcomp_kunit.c || ${ZCOMP:-mainline} = rework ]] || continue
		suite=$(sed -n 's/^\t\.name = "\(.*\)",$/\1/p' "$file")
		grep -qE "^ok [0-9]+ $suite\$" "$log" ||
			die "the suite $suite did not run or failed: see $log"
		while read -r name; do
			[[ $name == *_benchmark ]] || grep -qE "^    ok [0-9]+ $name\$" "$log" ||
				die "the case $name of the suite $suite did not run or failed: see $log"
		done < <(sed -nE 's/^\tKUNIT_CASE(_PARAM)?\((\w+).*/\2/p' "$file")
	done
}

# count WORD: that many cases, of the line that ends what kunit.py says
count() {
	sed -n "s/.*Testing complete.* $1: \([0-9]*\).*/\1/p" "$guest/kunit.txt" | grep . || echo 0
}

build_debug_kernel
log=$guest/kunit.log
say "running the KUnit suites"
boot_guest "$log.boot" 600 mem=256M kunit_shutdown=halt 'kunit.filter_glob=seqlz*'
# the console ends lines with CR LF, and prints times
sed 's/\r$//; s/^\[ *[0-9.]*\] //' "$log.boot" >"$log"

failed=0
python3 "$guest/source/tools/testing/kunit/kunit.py" parse "$log" >"$guest/kunit.txt" 2>&1 || failed=1
if [ $failed = 1 ]; then
	sed -n '/\[FAILED\]\|\[CRASHED\]\|\[ERROR\]\|EXPECTATION\|ASSERTION/p' "$guest/kunit.txt" >&2
fi
passed=$(count passed)
failures=$(($(count failed) + $(count crashed) + $(count errors)))
if [ $failed = 0 ]; then
	check_log "$log"
	check_all_ran
	[ "$passed" -gt 0 ] || die "no case passed: see $log"
fi
echo "kunit: $passed passed, $failures failed"
[ $failed = 0 ] && [ "$failures" = 0 ]
