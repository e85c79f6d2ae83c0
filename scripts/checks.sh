# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Counting what the check-*.sh scripts find: source it after lib.sh.

passed=0
failed=0

ok() {
	passed=$((passed + 1))
}

# not_ok WHAT
not_ok() {
	failed=$((failed + 1))
	echo "  FAIL: $1"
}

# check WHAT COMMAND...: shows what the command said if it fails
check() {
	local what=$1 output

	shift
	if output=$("$@" 2>&1); then
		ok
	else
		not_ok "$what"
		[ -z "$output" ] || head -n 12 <<<"$output" | sed 's/^/    /'
	fi
}

# refuses WHAT COMMAND...: it must fail, with one line on standard error and
# nothing on standard output
refuses() {
	local what=$1 status=0 stdout stderr

	shift
	stderr=$(mktemp)
	stdout=$("$@" 2>"$stderr" </dev/null) || status=$?
	if [ "$status" -eq 0 ]; then
		not_ok "$what: accepted"
	elif [ -n "$stdout" ] || [ "$(wc -l <"$stderr")" -ne 1 ]; then
		not_ok "$what: refused, but not in one line:"
		head -n 5 "$stderr" | sed 's/^/    /'
	else
		ok
		echo "  $what: $(cat "$stderr")"
	fi
	rm -f "$stderr"
}

# finish NAME: the last line, and the status
finish() {
	echo "$1: $passed passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
