#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh: swap real pages through seqlz and others in a kernel, print a table.
#
# PAGES=file	pages of 4096 bytes to use, instead of tools/seqlz/sample
# ALGS="..."	algorithms as NAME or NAME:LEVEL
# MEM=MiB	RAM of the guest
# KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/results.sh"
. "$(dirname "$0")/debug-guest.sh"
. "$(dirname "$0")/table.sh"

page_size=4096
read -ra algs <<<"${ALGS-seqlz:1 seqlz:2 seqlz:4 lz4 lzo-rle zstd}"
work=$SEQLZ_CACHE/run
log=$work/guest.log
results=$SEQLZ_ROOT/results/run.tsv
command="make run${PAGES:+ PAGES=$(basename "$PAGES")}${ALGS:+ ALGS=\"$ALGS\"}${MEM:+ MEM=$MEM}"

# All that can be wrong with the arguments is said before anything is built.
check_alg() {
	local name=${1%%:*} level=""

	[[ $1 != *:* ]] || level=${1#*:}
	case $name in
	seqlz | lz4 | lz4hc | lzo | lzo-rle | zstd | deflate | 842) ;;
	*) die "unknown algorithm '$name' in ALGS: use seqlz, lz4, lz4hc, lzo, lzo-rle, zstd, deflate or 842" ;;
	esac
	[[ $1 != *:* || $level =~ ^-?[0-9]+$ ]] ||
		die "the level of '$1' in ALGS is no number: write $name:LEVEL"
	[[ $name != seqlz || $1 != *:* || $level =~ ^[1-4]$ ]] ||
		die "seqlz has no level '$level': use 1, 2, 3 or 4"
}

check_pages() {
	local size

	[[ -f $1 && -r $1 ]] || die "PAGES=$1 cannot be read: give a file of pages"
	size=$(stat -Lc %s "$1")
	[ "$size" -gt 0 ] || die "PAGES=$1 is empty: give a file of pages of $page_size bytes"
	[ $((size % page_size)) -eq 0 ] ||
		die "PAGES=$1 has $size bytes, not a multiple of $page_size: give a file of whole pages"
}

# size_guest: as many copies of the pages as exceed the RAM by a quarter. A
# file larger than that gets more RAM, so that it is used whole.
size_guest() {
	local mib available

	mib=$((count * page_size >> 20))
	mem=${MEM:-160}
	[[ $mem =~ ^[0-9]+$ ]] || die "MEM=$mem is no number: give the guest's RAM in MiB"
	[ "$mem" -ge 64 ] || die "MEM=$mem is too little: give the guest 64 MiB or more"
	[ -n "${MEM:-}" ] || [ $((mib * 4 / 5)) -le "$mem" ] || mem=$((mib * 4 / 5))
	copies=$((((mem << 20) * 5 / 4 / page_size + count - 1) / count))
	available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
	[ "$available" -ge $((mem + 100)) ] ||
		die "the guest needs $mem MiB of RAM and $available are free: use fewer pages, or MEM="
}

# table: the results in the guest's log, separated by tabs
table() {
	awk -v OFS='\t' "$awk_get"'
	function ratio(a, b) { return b + 0 > 0 ? sprintf("%.2f", a / b) : "-" }
	/^@result / {
		n++
		alg[n] = get("alg"); out[n] = get("out"); in_[n] = get("in")
		reclaimed[n] = get("reclaimed")
		stored = get("stored") - get("same")
		compr[n] = stored ? get("compr") / stored : 0
		used[n] = stored ? get("used") / stored : 0
	}
	/^@time / {
		us_out[n] = get("us_out"); us_in[n] = get("us_in")
		us_fault[n] = get("us_fault")
		different[n] = get("different")
		if (alg[n] == "lz4")
			ref = n
	}
	END {
		print "algorithm", "swapped out", "by reclaim", "swapped in", \
			"bytes/page", "memory/page", "of lz4", "us/out", \
			"of lz4", "us/in", "of lz4", "us/fault", "different"
		for (i = 1; i <= n; i++)
			print alg[i], out[i], reclaimed[i], in_[i], \
				sprintf("%.1f", compr[i]), \
				sprintf("%.1f", used[i]), \
				ratio(used[i], used[ref]), \
				sprintf("%.2f", us_out[i]), \
				ratio(us_out[i], us_out[ref]), \
				sprintf("%.2f", us_in[i]), \
				ratio(us_in[i], us_in[ref]), \
				sprintf("%.2f", us_fault[i]), different[i]
	}' "$log"
}

# verify: that each algorithm did what the table says it did. Pages of zeroes
# are in swap without being written to zram.
verify() {
	awk -v total=$((count * copies)) -v algs=${#algs[@]} "$awk_get"'
	function bad(text) { print alg ": " text }
	/^@result / {
		results++
		alg = substr($2, 5)
		if (get("held") + 0 < total)
			bad(total - get("held") " pages were not swapped out")
		if (get("reclaimed") + 0 == 0)
			bad("reclaim swapped out nothing: give the guest less MEM")
		if (get("out") != get("stored") || get("in") != get("out"))
			bad(get("out") " pages went to zram, which holds " \
			    get("stored") ", and " get("in") " came back")
	}
	/^@time / {
		times++
		if (get("different") + 0)
			bad(get("different") " pages came back different")
	}
	END {
		if (results < algs || times < algs)
			print "only " times + 0 " of " algs " algorithms were measured"
	}' "$log" | head -1
}

sum() {
	awk -v key="$1=" '/^@result / { for (i = 2; i <= NF; i++) if (index($i, key) == 1) { print substr($i, length(key) + 1); exit } }' "$log"
}

notes() {
	cat <<-END

		Every algorithm swapped the same $((count * copies)) pages: $copies copies of $count pages of $source,
		in a guest with $mem MiB of RAM. $(sum same) same-filled pages and $(($(sum held) - $(sum out))) pages of zeroes among them are not in the averages.
		bytes/page, memory/page: compr_data_size and mem_used_total of mm_stat, per page, with all pages in zram.
		us/out: madvise(MADV_PAGEOUT) of pages in RAM, without pressure: unmapping, compressing, storing, freeing.
		us/in: a fault of the kernel on a page of the program, in random order: allocating, reading, decompressing, mapping.
		us/fault: the same, but of the program itself, of which most is the way into a user-mode kernel and back:
		such a fault that only allocates a page takes $(sed -n 's/^@plain us=//p' "$log") us. Half of the pages came back by either.
		different: pages that were not the same when they came back.
	END
	busy_note "$busy"
}

record() {
	{
		echo "# SPDX-License-Identifier: GPL-2.0-only"
		echo "# command: $command"
		echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
		echo "# kernel: $(sed -n 's/.*\(Linux version [^ ]*\).*/\1/p' "$log" | head -1), user-mode, $mem MiB"
		echo "# compiler: $(gcc --version | head -1)"
		echo "# processor: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
		echo "# others: used $busy processors before the guest began"
		echo "# pages: $copies copies of $count pages of $source"
		cat "$work/table.tsv"
	} >"$results" || say "the result could not be written to $results"
}

[ ${#algs[@]} -gt 0 ] || die "ALGS names no algorithm: write for example ALGS=\"seqlz:2 lz4\""
for alg in "${algs[@]}"; do
	check_alg "$alg"
done
[ -z "${PAGES+x}" ] || check_pages "$PAGES"
need_disk 100 "make run"
"$SEQLZ_ROOT/scripts/deps.sh" kernel
mkdir -p "$work"
if [ -n "${PAGES:-}" ]; then
	pages=$PAGES source=$(basename "$PAGES")
else
	pages=$work/sample.pages source="the repository's sample"
	sample_pages >"$pages" || die "the sample in tools/seqlz/sample cannot be unpacked"
	check_pages "$pages"
fi
count=$(($(stat -Lc %s "$pages") / page_size))
size_guest

build=$("$SEQLZ_ROOT/scripts/build-kernel.sh" run um \
	"$SEQLZ_ROOT"/configs/{uml,zram}.config)
say "booting a guest with $mem MiB of RAM to swap $((count * copies * page_size >> 20)) MiB"
busy=$(busy_processors)
failed=0
MEM=$mem LIMIT=${LIMIT:-900} "$SEQLZ_ROOT/scripts/guest.sh" "$build" "$pages" "$log" \
	"swap_copies=$copies" "swap_algs=$(IFS=,; echo "${algs[*]}")" || failed=1
grep -q '^@result ' "$log" || exit 1
table >"$work/table.tsv"
align 1 <"$work/table.tsv"
notes
[ $failed = 0 ] || exit 1
wrong=$(verify)
[ -z "$wrong" ] || die "$wrong (see $log)"
record
