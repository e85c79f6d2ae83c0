#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-warnings.sh: build lib/seqlz and drivers/block/zram with W=1 and check
# them with sparse; there must be no warning. Last line: counts.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"

configs=$SEQLZ_ROOT/configs
need_cmd sparse

# every file is compiled each time: a warning shows only then
build() {
	TARGETS="lib/seqlz/ drivers/block/zram/" KMAKE="W=1 C=2 CHECK=$SEQLZ_ROOT/scripts/sparse.sh" \
		"$SEQLZ_ROOT/scripts/build-kernel.sh" warnings um "$configs"/{uml,zram,kunit}.config
}

no_lines() {
	! grep -E "$1" "$log"
}

# The packaged sparse cannot read MODULE_LICENSE() and the like of new kernels.
sparse_found_nothing() {
	local file line rest found=0

	while IFS=: read -r file line rest; do
		if [[ $rest == *"error: bad constant expression" ]] &&
			sed -n "${line}p" "$file" | grep -q '^MODULE_'; then
			continue
		fi
		echo "$file:$line:$rest"
		found=1
	done < <(grep -E '^/[^ ]*(lib/seqlz/|backend_seqlz)[^ ]*: (warning|error):' "$log")
	[ $found = 0 ]
}

rm -rf "$SEQLZ_CACHE"/build/warnings-*/{lib/seqlz,drivers/block/zram}
out=$(build)
log=$out/build.log
check "gcc W=1 on lib/seqlz and drivers/block/zram" \
	no_lines '(lib/seqlz|drivers/block/zram)/[^ ]*: warning:.*\[-W'
# the rest of zram has some of its own
check "sparse on seqlz" sparse_found_nothing
check "sparse was run" grep -q '^  CHECK .*lib/seqlz/' "$log"
check "sparse is accepted by the kernel" no_lines 'sparse.*(not up to date|too old)|--arch.*sparse'
for object in lib/seqlz/seqlz_decompress.o lib/seqlz/tests/seqlz_kunit.o drivers/block/zram/backend_seqlz.o; do
	check "$object was built" test -s "$out/$object"
done

finish warnings
