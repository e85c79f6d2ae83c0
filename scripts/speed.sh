#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# speed.sh: how long a page takes to zram and back in a kernel, by algorithm, in
# one boot: swap-out, swap-in and the whole fault, direct reads through fio, and
# beside them the codecs alone in user space. The table is kept in
# results/speed.tsv.
#
# ALGS="..."	algorithms as NAME or NAME:LEVEL; lz4 and zstd are added
# PASSES=n	how often each page goes out and in, per algorithm: at least 2, so that each
#		is faulted in by the program and by the kernel
# KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/results.sh"
. "$(dirname "$0")/table.sh"
. "$(dirname "$0")/timed-guest.sh"

mem=192
results=$SEQLZ_ROOT/results/speed.tsv
command="make speed${ALGS:+ ALGS=\"$ALGS\"}${PASSES:+ PASSES=$PASSES}"

# native: what the codecs take in user space, in the form of the guest's lines
native() {
	local codecs pass run

	# the default level of zstd has a name there
	codecs=$(printf '%s\n' "${algs[@]}" | sed 's/^zstd$/zstd:3/' | sort -u | paste -sd,)
	for ((pass = 0; pass < 7; pass++)); do
		# the first run builds it
		run=("$SEQLZ_ROOT/scripts/bench.sh")
		[ $pass = 0 ] || run=("$SEQLZ_ROOT/tools/seqlz/build/bench-4k")
		KDIR=$guest/source "${run[@]}" -m time -P 1 -R 1 -c "$codecs" -o "$work/bench.tsv" \
			"$SEQLZ_ROOT"/tools/seqlz/sample/*[!k].pages.zst >"$work/bench.log" 2>&1 ||
			die "the benchmark in user space failed: $(tail -n 1 "$work/bench.log")"
		awk -F'\t' -v pass=$pass '$3 == "TOTAL" && $5 ~ /^(de)?compress_ns$/ {
			sub(/zstd:3/, "zstd", $4)
			sub(/_ns/, "", $5)
			printf "@native alg=%s what=%s pass=%d us=%.3f\n", $4, $5, pass, $6 / 1000
		}' "$work/bench.tsv"
	done
}

# figures: every time of a pass, as: what, algorithm, pass, microseconds a page;
# instead of a pass "least" for the guest's own sum of undisturbed batches
figures() {
	awk -v OFS='\t' "$awk_get"'
	function swap(pass) {
		print get("set") " out", get("alg"), pass, get("us_out")
		print get("set") " in", get("alg"), pass, get("us_in")
		print get("set") " fault", get("alg"), pass, get("us_fault")
	}
	/^@speed / { swap(get("pass")) }
	/^@undisturbed / { swap("least") }
	/^@fio / { print "fio " get("mode"), get("alg"), get("pass"), 4e6 / get("kibs") }
	/^@native / { print "native " get("what"), get("alg"), get("pass"), get("us") }' "$log"
}

# table: the least time, which the ratios are of, and what the passes took
table() {
	awk -F'\t' -v OFS='\t' '
	function sort(n,    i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
				t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
			}
	}
	function ratio(what, alg, ref) {
		return least[what, ref] > 0 ? sprintf("%.2f", least[what, alg] / least[what, ref]) : "-"
	}
	!($1 in whats) { whats[$1] = 1; what[++nwhats] = $1 }
	!($2 in algs) { algs[$2] = 1; alg[++nalgs] = $2 }
	$3 == "least" { least[$1, $2] = $4; next }
	{ us[$1, $2, ++n[$1, $2]] = $4 + 0 }
	END {
		for (key in n)
			if (!(key in least)) {
				least[key] = us[key, 1]
				for (i = 2; i <= n[key]; i++)
					if (us[key, i] < least[key]) least[key] = us[key, i]
			}
		print "what", "algorithm", "us/page", "of lz4", "of zstd", "median of passes", "longest pass"
		for (w = 1; w <= nwhats; w++)
			for (a = 1; a <= nalgs; a++) {
				m = n[what[w], alg[a]]
				if (!m)
					continue
				for (i = 1; i <= m; i++)
					v[i] = us[what[w], alg[a], i]
				sort(m)
				print what[w], alg[a], sprintf("%.2f", least[what[w], alg[a]]), ratio(what[w], alg[a], "lz4"), \
					ratio(what[w], alg[a], "zstd"), \
					sprintf("%.2f", (v[int((m + 1) / 2)] + v[int(m / 2) + 1]) / 2), sprintf("%.2f", v[m])
			}
	}'
}

# show: the table with a column for each algorithm
show() {
	awk -F'\t' '
	NR == 1 { next }
	{
		if (!($1 in seen)) { seen[$1] = 1; whats[++n] = $1 }
		if (!(("alg", $2) in seen)) { seen["alg", $2] = 1; algs[++m] = $2 }
		us[$1, $2] = $3; lz4[$1, $2] = $4; zstd[$1, $2] = $5
	}
	function row(name, values, what,    a) {
		printf "%-18s", name
		for (a = 1; a <= m; a++)
			printf " %9s", values[what, algs[a]]
		printf "\n"
	}
	END {
		printf "%-18s", "us/page"
		for (a = 1; a <= m; a++)
			printf " %9s", algs[a]
		printf "\n"
		for (w = 1; w <= n; w++) {
			row(whats[w], us, whats[w])
			row("  of lz4", lz4, whats[w])
			row("  of zstd", zstd, whats[w])
		}
	}' "$work/table.tsv"
}

notes() {
	local all real same huge made

	read -r all real same huge made < <(sed -nE 's/^@sets //; T; s/[a-z]+=//g; p' "$log")
	echo "real: $real pages of the $all of the sample; $same same-filled ones and $huge that an algorithm stores as they are stay out."
	echo "huge, same: $made pages of random bytes, $made of one word each."
	cat <<-END
		out: MADV_PAGEOUT without pressure: unmapping, compressing, storing, freeing. in: the fault of the kernel on behalf
		of a program, in random order. fault: the same by the program itself; one that only allocates a page takes
		$(sed -n 's/^@plain us=//p' "$log") us, most of it the way into a user-mode kernel and back. Each page goes out and in once a pass, and
		what a fault reads ahead is left to the tree: $(reads_per_fault) pages came back per fault.
		fio: 4 threads, direct reads of 16 KiB from a zram that holds the real pages. native: the codec alone in user space,
		on all of the sample. Each time is the least: of swap the sum of what every batch of 64 pages took in the pass in which
	it took least, of fio and user space that of the best pass. The table kept in results has the other passes too.
		The guest has the whole path of a page, but a user-mode kernel maps pages, takes faults and locks at other costs than
		a kernel on a processor, and caches are warmer than on a busy phone. User space has the codec and nothing else. Neither
		says how long a fault takes on real hardware; ratios of out, in and fio are of the codec plus that path.
	END
	busy_note "$busy"
}

reads_per_fault() {
	awk '/^@speed / {
		for (i = 2; i <= NF; i++) {
			split($i, p, "=")
			if (p[1] == "in") in_ += p[2]
			if (p[1] == "faults") faults += p[2]
		}
	}
	END { printf "%.3f", faults ? in_ / faults : 0 }' "$log"
}

# verify: every set of every pass was paged out and came back as a whole
verify() {
	awk -v want=$(($1 * ${#algs[@]} * 3)) "$awk_get"'
	/^@speed / {
		n++
		if (get("left") * 50 > get("pages") + 0)
			print $2 ", " $4 ": " get("left") " of " get("pages") " pages were not paged out when it was timed"
		if (get("out") != get("pages") || get("in") != get("pages"))
			print $2 ", " $4 ": of " get("pages") " pages " get("out") " went out and " get("in") " came back"
	}
	END { if (n != want) print n + 0 " of " want " measurements are there" }' "$log" | head -n 1
}

read -ra algs <<<"${ALGS-seqlz:1 seqlz:2 seqlz:4 lz4 lzo-rle zstd}"
check_algs "${algs[@]}"
algs=("${algs[@]/%seqlz/seqlz:2}")
for reference in lz4 zstd; do
	[[ " ${algs[*]} " == *" $reference "* ]] || algs+=("$reference")
done
passes=${PASSES:-6}
[[ $passes =~ ^[1-9][0-9]?$ && $passes -ge 2 ]] || die "PASSES=$passes is no number from 2 to 99"
"$SEQLZ_ROOT/scripts/deps.sh" speed
build_timed_kernel
work=$(mktemp -d "$SEQLZ_CACHE/speed.XXXXXX")
trap 'end_guest; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
log=$guest/speed.log
compile_init "$work/init" speed.c
sample_pages >"$work/pages"
busy=$(busy_processors)
say "paging out and in, $passes times by ${#algs[@]} algorithms, in a guest with $mem MiB"
boot_timed "$log" "${LIMIT:-900}" $mem "$work/init" "ubd0r=$work/pages" \
	"speed_algs=$(IFS=,; echo "${algs[*]}")" "speed_passes=$passes"
wrong=$(verify "$passes")
[ -z "$wrong" ] || die "$wrong (see $log)"
say "the codecs alone in user space"
native >>"$log"
figures | table >"$work/table.tsv"
show
echo
notes
{
	timed_head "$command" $mem
	notes | sed 's/^/# /'
	cat "$work/table.tsv"
} >"$results" || say "the result could not be written to $results"
