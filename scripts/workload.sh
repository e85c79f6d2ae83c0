#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# workload.sh: switch between programs of the distribution that together are
# larger than RAM, in a guest with the same RAM for each algorithm: how long a
# switch takes, what it faults in, what the swapped pages take, and how many
# programs there is room for. The table is kept in results/workload.tsv.
#
# ALGS="..."	algorithms as NAME or NAME:LEVEL, and none; lz4 and zstd are added
# MEM=MiB	RAM of the guest
# CYCLES=n	how often each program is switched to
# WAIT=s		how long a program may take to load
# KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/results.sh"
. "$(dirname "$0")/table.sh"
. "$(dirname "$0")/timed-guest.sh"

results=$SEQLZ_ROOT/results/workload.tsv
command="make workload${ALGS:+ ALGS=\"$ALGS\"}${MEM:+ MEM=$MEM}${CYCLES:+ CYCLES=$CYCLES}"

# text: what the programs read, a part of the kernel's source
text() {
	(cd "$guest/source" && find mm kernel fs net -name '*.c' -type f | sort | xargs cat) |
		sed '/^$/d' >"$work/text.all"
	head -n 600000 "$work/text.all" >"$work/text"
	rm "$work/text.all"
	[ "$(wc -l <"$work/text")" -ge 300000 ] ||
		die "the kernel tree has too little source text for the programs: see $guest/source"
}

# table: from the guest's lines
table() {
	awk -v OFS='\t' "$awk_get"'
	# percent of the m values in v, sorted
	function percentile(percent,    i) {
		i = int(m * percent / 100) + 1
		return v[i > m ? m : i]
	}
	function collect(values, a,    i, j, t) {
		m = n[a]
		for (i = 1; i <= m; i++)
			v[i] = values[a, i] + 0
		for (i = 2; i <= m; i++)
			for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
				t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
			}
	}
	function ratio(a, ref) { return p50[a] && p50[ref] ? sprintf("%.2f", p50[a] / p50[ref]) : "-" }
	/^@switch / {
		a = get("alg")
		ms[a, ++n[a]] = get("ms"); again[a, n[a]] = get("again")
		in_[a] += get("in"); out[a] += get("out"); faults[a] += get("faults")
	}
	/^@pool / { a = get("alg"); orig[a] = get("orig"); used[a] = get("used"); max[a] = get("max") }
	/^@fit / {
		a = get("alg"); order[++count] = a
		programs[a] = get("programs"); end[a] = get("end"); loading[a] = get("loading")
	}
	END {
		for (i = 1; i <= count; i++) {
			a = order[i]
			if (!n[a])
				continue
			collect(again, a); warm[a] = percentile(50)
			collect(ms, a); p50[a] = percentile(50); p99[a] = percentile(99)
		}
		print "algorithm", "switches", "ms p50", "of lz4", "of zstd", "ms p99", "ms again", "swap-ins", \
			"swap-outs", "faults", "MiB swapped", "MiB pool", "MiB most", "s loading", "programs", "then"
		for (i = 1; i <= count; i++) {
			a = order[i]
			if (n[a])
				print a, n[a], sprintf("%.1f", p50[a]), ratio(a, "lz4"), ratio(a, "zstd"), \
					sprintf("%.1f", p99[a]), sprintf("%.1f", warm[a]), sprintf("%.0f", in_[a] / n[a]), \
					sprintf("%.0f", out[a] / n[a]), sprintf("%.0f", faults[a] / n[a]), \
					sprintf("%.1f", orig[a] / 1048576), sprintf("%.1f", used[a] / 1048576), \
					sprintf("%.1f", max[a] / 1048576), loading[a], programs[a], end[a]
			else
				print a, 0, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", programs[a], end[a]
		}
	}' "$log"
}

notes() {
	cat <<-END
		Six programs (python3, perl, lua, ruby, gawk, sqlite3) that each hold about 50 MiB of kernel source as their own data, in
		$mem MiB of RAM. A switch asks one of them for a round through half of its memory: ms is from the question to the answer;
		again: the median of the same round once more, right after it. swap-ins, swap-outs, faults: per switch; every fault
		counted here waited for a page, of zram or of a program's file. pool: mem_used_total of zram after the switches, for so
		many MiB swapped; most: ever until then. programs: how many could be loaded, one after the other, before one was killed
		for want of memory or was not ready in $wait s (slow); 6 are switched. $cycles switches to each: p99 is of few of them.
		What the programs answered was the same every time.
		This is a user-mode kernel on a shared virtual machine: a fault costs other than on a phone, a program's file comes from
		the host's memory, not from flash, and there is one processor, which compresses on nobody else's time. Compare the
		algorithms with each other; faults, pool and programs depend on the machine the least.
	END
	busy_note "$busy"
}

read -ra algs <<<"${ALGS-none lz4 lzo-rle zstd seqlz:1 seqlz:2 seqlz:4}"
[ ${#algs[@]} -gt 0 ] || check_algs
for reference in lz4 zstd; do
	[[ " ${algs[*]} " == *" $reference "* ]] || algs+=("$reference")
done
for alg in "${algs[@]}"; do
	[ "$alg" = none ] || check_algs "$alg"
done
mem=${MEM:-160} cycles=${CYCLES:-6} wait=${WAIT:-15}
[[ $mem =~ ^[0-9]{2,4}$ && $mem -ge 96 && $mem -le 512 ]] || die "MEM=$mem is no number from 96 to 512"
[[ $cycles =~ ^[1-9][0-9]?$ ]] || die "CYCLES=$cycles is no number from 1 to 99"
[[ $wait =~ ^[1-9][0-9]{0,2}$ ]] || die "WAIT=$wait is no number of seconds from 1 to 999"
"$SEQLZ_ROOT/scripts/deps.sh" workload
build_timed_kernel
work=$(mktemp -d "$SEQLZ_CACHE/workload.XXXXXX")
trap 'end_guest; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
log=$guest/workload.log
compile_init "$work/init" workload.c
cp "$SEQLZ_ROOT"/tools/seqlz/guest/workload/* "$work"
text
busy=$(busy_processors)
say "switching between programs, ${#algs[@]} algorithms, in a guest with $mem MiB"
boot_timed "$log" "${LIMIT:-1200}" "$mem" "$work/init" "workload_dir=$work" "workload_mib=$((mem - 48))" \
	"workload_algs=$(IFS=,; echo "${algs[*]}")" "workload_cycles=$cycles" "workload_seconds=$wait"
found=$(grep -c '^@fit ' "$log" || true)
[ "$found" = ${#algs[@]} ] || die "$found of ${#algs[@]} algorithms came to their end: see $log"
grep -q '^@switch ' "$log" ||
	die "with no algorithm six programs fit into $mem MiB: give the guest more MEM"
table >"$work/table.tsv"
align 1 <"$work/table.tsv"
echo
notes
{
	timed_head "$command" "$mem"
	notes | sed 's/^/# /'
	cat "$work/table.tsv"
} >"$results" || say "the result could not be written to $results"
