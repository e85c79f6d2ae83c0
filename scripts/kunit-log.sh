# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the console of a guest says of the KUnit suites of seqlz: source it after
# lib.sh.

# suites ARCH: their names, with the file each is in. ZCOMP says which zcomp the
# kernel has, $left_out names a file that is not in it.
suites() {
	local file name

	for file in "$SEQLZ_ROOT"/lib/seqlz/tests/*_kunit.c; do
		# what it tests is only there in the reworked zcomp
		[[ $file != */seqlz_zcomp_kunit.c || ${ZCOMP:-mainline} = rework ]] || continue
		[[ ${file##*/} != "${left_out:-}" ]] || continue
		while read -r name; do
			# other processors have just one decoder
			[[ $name != seqlz_generic || $1 =~ ^(um|x86_64)$ ]] || continue
			echo "$name $file"
		done < <(sed -n 's/^\t\.name = "\(.*\)",$/\1/p' "$file")
	done
}

# check_all_ran LOG ARCH: each case of the sources must be in the log, not just none
# that failed
check_all_ran() {
	local suite file name

	while read -r suite file; do
		grep -qE "^ok [0-9]+ $suite\$" "$1" ||
			die "the suite $suite did not run or failed: see $1"
		while read -r name; do
			[[ $name == *_benchmark ]] || grep -qE "^    ok [0-9]+ $name\$" "$1" ||
				die "the case $name of the suite $suite did not run or failed: see $1"
		done < <(sed -nE 's/^\tKUNIT_CASE(_PARAM)?\((\w+).*/\2/p' "$file")
	done < <(suites "$2")
}

# read_kunit CONSOLE LOG TREE: sets kunit_passed and kunit_failures, and shows what
# failed. The console ends lines with CR LF, and prints times.
# shellcheck disable=SC2034
read_kunit() {
	local log=$2 text=$2.txt ended bad=0

	sed 's/\r$//; s/^\[ *[0-9.]*\] //' "$1" >"$log"
	python3 "$3/tools/testing/kunit/kunit.py" parse "$log" >"$text" 2>&1 || bad=1
	[ $bad = 0 ] ||
		sed -n '/\[FAILED\]\|\[CRASHED\]\|\[ERROR\]\|EXPECTATION\|ASSERTION/p' "$text" >&2
	ended=$(sed -n 's/.*Testing complete\. *//p' "$text" | tail -n 1)
	kunit_passed=$(kunit_count passed "$ended")
	kunit_failures=$(($(kunit_count failed "$ended") + $(kunit_count crashed "$ended") +
		$(kunit_count errors "$ended")))
	[ "$kunit_failures" -gt 0 ] || kunit_failures=$bad
}

# kunit_count WORD LINE: that many cases, of the line that ends what kunit.py says
kunit_count() {
	sed -n "s/.*$1: \([0-9]*\).*/\1/p" <<<"$2" | grep . || echo 0
}
