#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# run-fuzz.sh: run each fuzz target for FUZZ_SECONDS with a fixed seed, as many
# at once as there are processors. An input that fails is kept in
# build/fuzz/found. The last line is "fuzz: N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || {
	echo "run-fuzz.sh: FUZZ_SECONDS=$seconds is no number of seconds: give 1 or more" >&2
	exit 2
}
targets=(decode-4k roundtrip-4k decode-16k roundtrip-16k decode-64k roundtrip-64k)
dir=build/fuzz
passed=0
failed=0

# longest input: two pages and a little
max_len() {
	case $1 in
	*-4k) echo 8256 ;;
	*-16k) echo 32832 ;;
	*) echo 131136 ;;
	esac
}

make_seeds() {
	local size=$1

	rm -rf "$dir/seeds/"{decode,roundtrip}-"$size"
	mkdir -p "$dir/seeds/"{decode,roundtrip}-"$size"
	"$dir/mkseeds-$size" "$dir/seeds/decode-$size" "$dir/seeds/roundtrip-$size" \
		build/sample/*.pages
}

run_target() {
	local target=$1

	mkdir -p "$dir/found"
	rm -rf "$dir/corpus/$target"
	mkdir -p "$dir/corpus/$target"
	"$dir/$target" -seed=1 -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
		-max_len="$(max_len "$target")" -print_final_stats=1 \
		-artifact_prefix="$dir/found/$target-" \
		"$dir/corpus/$target" "$dir/seeds/$target" >"$dir/$target.log" 2>&1
}

# One that ran nothing beyond its seeds has not passed.
count_target() {
	local target=$1 status=$2 runs coverage seeds

	seeds=$(find "$dir/seeds/$target" -type f | wc -l)
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/$target.log")
	coverage=$(sed -n 's/.*cov: \([0-9]*\) .*/\1/p' "$dir/$target.log" | tail -n 1)
	if [ "$status" -eq 0 ] && [ "${runs:-0}" -gt $((seeds + 1)) ]; then
		passed=$((passed + 1))
		echo "  $target: $runs inputs, $coverage edges, nothing found"
	else
		failed=$((failed + 1))
		echo "  $target: FAILED after ${runs:-no} inputs"
		grep -m 12 'not true\|ERROR\|SUMMARY\|runtime error\|Test unit written\|^    #[0-5] ' \
			"$dir/$target.log" || tail -n 5 "$dir/$target.log"
	fi
}

make -s sample-pages
make -s -j"$(nproc)" fuzz-build
for size in 4k 16k 64k; do
	make_seeds "$size"
done
rm -f "$dir"/*.log "$dir"/*.status
for target in "${targets[@]}"; do
	while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do
		wait -n || true
	done
	{
		status=0
		run_target "$target" || status=$?
		echo "$status" >"$dir/$target.status"
	} &
done
wait
for target in "${targets[@]}"; do
	count_target "$target" "$(cat "$dir/$target.status")"
done
echo "fuzz: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
