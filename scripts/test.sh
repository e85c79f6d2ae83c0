#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# test.sh [--quick]: everything that shows seqlz works, or the part of it for
# every commit.
#
# A stage is a command whose last line ends in "N passed, N failed". One that
# ends in another way could not run: it counts as one failure. The last line is
# the sum.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

quick=0
case ${1:-} in
"") ;;
--quick) quick=1 ;;
*) die "test.sh has no option '$1': it knows --quick" ;;
esac

passed=0
failed=0
cannot_run=()
logs=$SEQLZ_CACHE/test
tools=$SEQLZ_ROOT/tools/seqlz

# stage TITLE COMMAND...
stage() {
	local title=$1 start=$SECONDS log status=0 p=0 f=1 how=""

	shift
	log=$logs/${title//[^a-z0-9]/-}.log
	echo "== $title"
	"$@" </dev/null 2>&1 | tee "$log" || status=$?
	if [[ $(tail -n 1 "$log") =~ (^|: )([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		p=${BASH_REMATCH[2]}
		f=${BASH_REMATCH[3]}
	else
		how=": it could not run to its end"
		cannot_run+=("$title")
	fi
	# neither a status nor a count alone is enough to pass
	if [ "$f" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$p" -eq 0 ]; }; then
		f=1
		how=": status $status with $p passed"
	fi
	passed=$((passed + p))
	failed=$((failed + f))
	echo "== $title: $p ok, $f not ok, $((SECONDS - start)) s$how"
	echo
}

unit_tests() {
	if [ $quick = 1 ]; then
		QUICK=1 "$tools/tests/run-unit.sh" gcc-asan
	else
		"$tools/tests/run-unit.sh"
	fi
}

fuzz() {
	FUZZ_SECONDS=$([ $quick = 1 ] && echo 4 || echo 60) "$tools/fuzz/run-fuzz.sh"
}

sample() {
	if "$tools/sample/make-sample.sh" --check; then
		echo "sample: 1 passed, 0 failed"
	else
		echo "sample: 0 passed, 1 failed"
		return 1
	fi
}

# reworked TITLE SCRIPT: a stage with the reworked zcomp, if this kernel has one.
# It changes only zram of the kernel that the stages before have built.
reworked() {
	local version

	version=$(tree_version "${KDIR:-$("$SEQLZ_ROOT/scripts/kernel-source.sh")}")
	if [ -d "$SEQLZ_ROOT/patches/$version/zcomp-rework" ]; then
		stage "$1" env ZCOMP=rework ZCOMP_SHARE=1 "$SEQLZ_ROOT/scripts/$2"
	else
		echo "== $1: left out, there is none for Linux $version"
		echo
	fi
}

mkdir -p "$logs" || die "cannot create $logs: set SEQLZ_CACHE to a directory you can write to"
rm -f "$logs"/*.log
"$SEQLZ_ROOT/scripts/deps.sh" test

stage "sample of real pages" sample
stage "unit tests of the codec" unit_tests
stage "shared libraries" "$tools/tests/check-libs.sh"
stage "fuzzing" fuzz
stage "the seqlz command" "$tools/tests/check-cmd.sh"
stage "style" "$SEQLZ_ROOT/scripts/check-style.sh"
stage "apply and unapply" "$SEQLZ_ROOT/scripts/check-apply.sh"
stage "bad input" "$SEQLZ_ROOT/scripts/check-bad-input.sh"
if [ $quick = 0 ]; then
	stage "faults put in on purpose" "$SEQLZ_ROOT/scripts/mutation-test.sh" --quick
	stage "warnings of compiler and sparse" "$SEQLZ_ROOT/scripts/check-warnings.sh"
	stage "kunit in user-mode linux" "$SEQLZ_ROOT/scripts/kunit.sh"
	stage "swap in user-mode linux" "$SEQLZ_ROOT/scripts/swap-test.sh"
	stage "roles of zram" "$SEQLZ_ROOT/scripts/roles-test.sh"
	stage "selftests of zram" "$SEQLZ_ROOT/scripts/selftest.sh"
	reworked "kunit with the reworked zcomp" kunit.sh
	reworked "roles with the reworked zcomp" roles-test.sh
	stage "swap in x86-64" "$SEQLZ_ROOT/scripts/vm.sh" --quick
fi

[ ${#cannot_run[@]} -eq 0 ] ||
	printf 'could not run, counted as failed: %s\n' "${cannot_run[@]}"
echo "logs: $logs, took $(elapsed)"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
