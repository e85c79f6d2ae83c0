#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-bad-input.sh: what the commands do not accept, they refuse at once, in
# one line. Last line: counts.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"

cd "$SEQLZ_ROOT"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head -c 4095 /dev/zero >"$work/short"
head -c 6000 /dev/zero >"$work/odd"
: >"$work/empty"

refuses "a page file that is not there" env PAGES="$work/none" scripts/run.sh
refuses "a directory as page file" env PAGES="$work" scripts/run.sh
refuses "an empty page file" env PAGES="$work/empty" scripts/run.sh
refuses "less than a page" env PAGES="$work/short" scripts/run.sh
refuses "a page and a half" env PAGES="$work/odd" scripts/run.sh
refuses "an unknown algorithm" env ALGS="lz4 foo" scripts/run.sh
refuses "a level too high" env ALGS="seqlz:5" scripts/run.sh
refuses "level 0" env ALGS="seqlz:0" scripts/run.sh
refuses "a level that is no number" env ALGS="seqlz:best" scripts/run.sh
refuses "no algorithm" env ALGS="" scripts/run.sh
refuses "a guest without memory" env MEM=1 scripts/run.sh
refuses "memory that is no number" env MEM=lots scripts/run.sh
refuses "a kernel that is not there" env KDIR="$work/none" scripts/run.sh
refuses "no kernel in KDIR" env KDIR="$work" scripts/run.sh
refuses "a cache that cannot be written" env SEQLZ_CACHE=/proc/seqlz scripts/run.sh
refuses "a cache with a relative path" env SEQLZ_CACHE=cache scripts/run.sh
for command in speed latency workload; do
	refuses "an unknown algorithm, $command" env ALGS="lz4 foo" scripts/$command.sh
	refuses "a level too high, $command" env ALGS="seqlz:5" scripts/$command.sh
	refuses "no algorithm, $command" env ALGS="" scripts/$command.sh
done
refuses "too few passes" env PASSES=1 scripts/speed.sh
refuses "too few reads" env READS=10 scripts/latency.sh
refuses "an unknown generation of zcomp" env GENERATIONS="B D" scripts/latency.sh
refuses "a guest without memory for programs" env MEM=1 scripts/workload.sh
refuses "no switches" env CYCLES=0 scripts/workload.sh
refuses "an unknown kernel version" env VERSION=5.4 scripts/kernel-source.sh
refuses "an unknown option" scripts/test.sh --fast
refuses "an unknown set of packages" scripts/deps.sh everything
refuses "no seconds to fuzz" env FUZZ_SECONDS=0 tools/seqlz/fuzz/run-fuzz.sh
refuses "an unknown build of the unit tests" tools/seqlz/tests/run-unit.sh tcc

finish "bad input"
