# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# From the lines of a guest to a table: source it.

# awk_get: for awk, get(KEY) of a line "@kind key=value..."; it is a string, and +0 makes
# a number of it
# shellcheck disable=SC2016,SC2034
awk_get='
	function get(key,    i) {
		for (i = 2; i <= NF; i++)
			if (index($i, key "=") == 1)
				return substr($i, length(key) + 2)
	}'

# align LEFT: columns separated by tabs, the first LEFT of them to the left, the
# others to the right
align() {
	awk -F'\t' -v left="$1" '
	{ n = NF; for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > w[i]) w[i] = length($i) } }
	END {
		for (r = 1; r <= NR; r++) {
			for (i = 1; i <= n; i++)
				printf (i <= left ? "%-*s" : "%*s") (i < n ? "  " : "\n"), w[i], cell[r, i]
		}
	}' | sed 's/ *$//'
}
