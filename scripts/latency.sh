#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# latency.sh: how long a process of real-time priority waits for a page of zram
# while processes of the lowest priority write to it or read from it, on one
# processor with full preemption. With both generations of zcomp: B, in which one
# context of a processor is for all, and C (ZCOMP=rework), in which those who
# read need not wait for those who write. The table is kept in results/latency.tsv.
#
# ALGS="..."	algorithms as NAME or NAME:LEVEL; lz4 and zstd are added
# READS=n	timed reads of compressed pages in each case
# GENERATIONS="B C"	one of them alone is not kept
# KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/results.sh"
. "$(dirname "$0")/table.sh"
. "$(dirname "$0")/timed-guest.sh"

mem=128
others=4
results=$SEQLZ_ROOT/results/latency.tsv
command="make latency${ALGS:+ ALGS=\"$ALGS\"}${READS:+ READS=$READS}"

# kernel_of GENERATION: $work/linux-GENERATION. Each has a tree and a directory of
# its own, so the second one is a whole build the first time.
kernel_of() {
	local has lacks

	case $1 in
	B) ZCOMP=mainline has=zcomp_stream_get lacks=zcomp_cstrm_get ;;
	C) ZCOMP=rework has=zcomp_cstrm_get lacks=zcomp_stream_get ;;
	esac
	export ZCOMP
	build_timed_kernel
	cp "$guest/linux" "$work/linux-$1"
	nm "$work/linux-$1" >"$work/symbols"
	if ! grep -q " $has$" "$work/symbols" || grep -q " $lacks$" "$work/symbols"; then
		die "this kernel's zcomp is not of generation $1: see $guest/source/drivers/block/zram/zcomp.c"
	fi
}

# table: from the guests' lines
table() {
	awk -v OFS='\t' "$awk_get"'
	function ratio(ref, column) {
		return v[ref, column] > 0 ? sprintf("%.2f", v[key, column] / v[ref, column]) : "-"
	}
	BEGIN { columns = split("mean p50 p90 p99 p99.9 p99.99 max over others", name, " ") }
	/^@generation / { api = $2; next }
	/^@latency / {
		key = get("case") SUBSEP api SUBSEP get("alg") SUBSEP get("what")
		order[++n] = key
		for (c = 1; c <= columns; c++)
			v[key, name[c]] = get(name[c])
		reads[key] = get("reads")
	}
	END {
		printf "case\tzcomp\talgorithm\tpages\treads"
		for (c = 1; c < columns; c++)
			printf "\t%s", name[c] == "over" ? "over 1 ms" : name[c]
		print "", "p50 of lz4", "p99 of lz4", "p50 of zstd", "p99 of zstd", "others/s"
		split("alone writers readers", cases, " ")
		for (k = 1; k <= 3; k++)
			for (i = 1; i <= n; i++) {
				key = order[i]
				split(key, part, SUBSEP)
				if (part[1] != cases[k])
					continue
				printf "%s\t%s\t%s\t%s\t%s", part[1], part[2], part[3], part[4], reads[key]
				for (c = 1; c < columns; c++)
					printf "\t%s", v[key, name[c]]
				lz4 = part[1] SUBSEP part[2] SUBSEP "lz4" SUBSEP part[4]
				zstd = part[1] SUBSEP part[2] SUBSEP "zstd" SUBSEP part[4]
				print "", ratio(lz4, "p50"), ratio(lz4, "p99"), ratio(zstd, "p50"), ratio(zstd, "p99"), \
					v[key, "others"]
			}
	}' "$work/lines"
}

# show: without some of the columns, aligned
show() {
	cut -f1-4,7,9-19 "$work/table.tsv" | align 4
}

notes() {
	cat <<-END
		Microseconds of one direct read of 4 KiB by a thread of real-time priority (SCHED_FIFO), which sleeps 20 to 120 us
		before each; others: $others threads of nice 19 that write to or read from other pages all the time, and their pages a
		second. page: real pages. same: pages of one word, read in turn with them, for which zram needs no codec and no lock of
		it: the part of a time, and of a tail, that the machine adds. over 1 ms: so many of 1000 reads took longer. Ratios are
		to lz4 and zstd of the same case and kernel; p99.99 is of the $((reads / 10000)) longest reads or less.
		B: mainline's zcomp, one context for all on a processor. C: our stand-in for the rework, see the README.
		This is a user-mode kernel on a shared virtual machine: its interrupts are signals, and what takes the processor away
		from the guest is in every percentile above about the 99th. Do not take them for those of a phone; compare
		page with same, and B with C.
	END
	busy_note "$busy"
}

read -ra algs <<<"${ALGS-seqlz:1 seqlz:2 lz4 zstd}"
check_algs "${algs[@]}"
for reference in lz4 zstd; do
	[[ " ${algs[*]} " == *" $reference "* ]] || algs+=("$reference")
done
reads=${READS:-30000}
[[ $reads =~ ^[1-9][0-9]{4,6}$ ]] || die "READS=$reads is no number from 10000 to 9999999"
read -ra generations <<<"${GENERATIONS:-B C}"
for generation in "${generations[@]}"; do
	[[ $generation =~ ^[BC]$ ]] || die "GENERATIONS has '$generation': use B and C"
done
"$SEQLZ_ROOT/scripts/deps.sh" kernel
mkdir -p "$SEQLZ_CACHE"
work=$(mktemp -d "$SEQLZ_CACHE/latency.XXXXXX")
trap 'end_guest; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
for generation in "${generations[@]}"; do
	kernel_of "$generation"
done
compile_init "$work/init" latency.c
sample_pages >"$work/pages"
busy=$(busy_processors)
for generation in "${generations[@]}"; do
	say "reading beside others, ${#algs[@]} algorithms, zcomp $generation"
	log=$guest/latency-$generation.log
	image=$work/linux-$generation
	boot_timed "$log" "${LIMIT:-900}" $mem "$work/init" "ubd0r=$work/pages" \
		"latency_algs=$(IFS=,; echo "${algs[*]}")" "latency_reads=$reads" "latency_others=$others"
	found=$(grep -c '^@latency ' "$log" || true)
	[ "$found" = $((${#algs[@]} * 6)) ] ||
		die "$found of $((${#algs[@]} * 6)) measurements are there: see $log"
	{
		echo "@generation $generation"
		grep '^@latency ' "$log"
	} >>"$work/lines"
done
table >"$work/table.tsv"
show
echo
notes
[ "${#generations[@]}" -eq 2 ] || exit 0
{
	timed_head "$command" $mem
	notes | sed 's/^/# /'
	cat "$work/table.tsv"
} >"$results" || say "the result could not be written to $results"
