#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# stress.sh: swap PAGES pages through seqlz at every level in guests whose
# kernel looks for faults, and compare each page that comes back.
#
# PAGES=n	pages to write to zram; those that results/stress.tsv has of the
#		same kernel, sources, guest and number of processors count, so
#		this can be ended at any time and started again
# ONE=1		one guest, whatever was counted before
# GUEST=uml|x86	user-mode Linux, or QEMU
# CPUS=n	processors of the guest (1)
# PREEMPT=full|lazy	x86 only
# UBSAN_TRAP=1	a kernel that ends at what UBSAN finds
# GUEST_SECONDS=n	for how long each guest swaps (240)
# MEM=MiB	RAM of the guest (160, in QEMU 256)
# RESULTS=file	where to add the counts, instead of results/stress.tsv
# ZCOMP, KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
#
# Each guest adds a line to results/stress.tsv when it has ended. The first
# wrong page or report of a kernel ends it all.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/debug-guest.sh"
. "$(dirname "$0")/results.sh"

results=${RESULTS:-$SEQLZ_ROOT/results/stress.tsv}
parts=1,2,3,4,1+4
seconds=${GUEST_SECONDS:-240}
pages=${PAGES:-100000}
cpus=${CPUS:-1}
columns=(date commit sources kernel api guest cpus preempt config parts MiB
	"pages out" "pages in" compared wrong reports seconds end)

# check_number NAME VALUE MINIMUM
check_number() {
	[[ $2 =~ ^[0-9]{1,10}$ && $2 -ge $3 ]] || die "$1=$2 is no number from $3 up"
}

check_arguments() {
	check_number PAGES "$pages" 1
	check_number CPUS "$cpus" 1
	check_number GUEST_SECONDS "$seconds" 10
	[ -z "${MEM:-}" ] || check_number MEM "$MEM" 96
	[ "$cpus" -le 4 ] || die "CPUS=$cpus is too many: the guest's kernel knows 4"
	case ${GUEST:-uml} in
	uml)
		[ "${PREEMPT:-full}" = full ] ||
			die "PREEMPT=$PREEMPT takes GUEST=x86: user-mode Linux has only full"
		;;
	x86)
		[[ ${PREEMPT:-full} =~ ^(full|lazy)$ ]] ||
			die "there is no PREEMPT=$PREEMPT: use full or lazy"
		;;
	*)
		die "there is no GUEST=$GUEST: use uml or x86"
		;;
	esac
}

# describe: what the columns say of the kernel, which is kept aside, because
# others may build another one meanwhile
describe() {
	local option

	kernel=$(cat "$guest/include/config/kernel.release")
	api=$(api_generation)
	sources=$(sources_of "$guest/source")
	commit=$(git -C "$SEQLZ_ROOT" rev-parse --short=12 HEAD 2>/dev/null || echo none)
	[ "$commit" = none ] ||
		[ -z "$(git -C "$SEQLZ_ROOT" status --porcelain -- lib include drivers crypto patches)" ] ||
		commit+=+
	config=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\([^ ]*\) .* \([0-9.]*\)"$/\1-\2/p' "$guest/.config")
	for option in SMP KASAN PROVE_LOCKING DEBUG_ATOMIC_SLEEP UBSAN_BOUNDS UBSAN_SHIFT UBSAN_TRAP \
		DEBUG_VM DEBUG_KMAP_LOCAL_FORCE_MAP; do
		! grep -qx "CONFIG_$option=y" "$guest/.config" || config+=,$option
	done
	cp "$guest/linux" "$work/kernel" 2>/dev/null ||
		cp "$guest/arch/x86/boot/bzImage" "$work/kernel"
	image=$work/kernel
}

head_of_results() {
	echo "# SPDX-License-Identifier: GPL-2.0-only"
	echo "# command: make stress, which adds a line for each guest; + after a commit: with changes"
	echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ), the first line"
	echo "# processor: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
	(IFS=$'\t'; echo "${columns[*]}")
}

# append VALUE...: one line, even if several run at the same time
append() {
	[ -s "$results" ] || head_of_results >>"$results"
	(IFS=$'\t'; echo "$*") >>"$results"
}

# counted KEY: the sum of the last @count line of every part
counted() {
	awk -v key="$1=" '
	/^@count / {
		for (i = 2; i <= NF; i++)
			if (index($i, key) == 1)
				n[$2] = substr($i, length(key) + 1)
	}
	END { for (part in n) sum += n[part]; print sum + 0 }' "$log"
}

# pages_so_far: of this kernel in such guests, if nothing was wrong in them
pages_so_far() {
	[ -r "$results" ] || { echo 0; return; }
	awk -F'\t' -v k="$kernel" -v s="$sources" -v a="$api" -v g="$guest_kind" \
		-v c="$cpus" -v p="$preempt" -v trap="${UBSAN_TRAP:+1}" '
		$4 == k && $3 == s && $5 == a && $6 == g && $7 == c && $8 == p &&
			($9 ~ /UBSAN_TRAP/) == (trap != "") && ($18 == "ok" || $18 == "stalled") { n += $12 }
		END { print n + 0 }' "$results"
}

# totals: by kernel, API generation, kind of guest and processors
totals() {
	awk -F'\t' -v s="$sources" '
	/^#/ || $1 == "date" { next }
	{
		key = "Linux " $4 ", API " $5 ", " $6 ", processors " $7 ", preempt " $8 ($9 ~ /UBSAN_TRAP/ ? ", UBSAN traps" : "")
		guests[key]++; wrong[key] += $15; reports[key] += $16; bad[key] += $18 != "ok"
		if ($18 != "ok" && $18 != "stalled")
			next
		out[key] += $12; in_[key] += $13
		if ($3 == s)
			same[key] += $12
	}
	END {
		for (key in guests)
			printf "%s: %d pages out (%d of these sources), %d in, without a fault; %d wrong, %d reports in all; %d guests, %d did not end well\n",
				key, out[key], same[key], in_[key], wrong[key], reports[key], guests[key], bad[key]
	}' "$results" | sort
}

# swap_in_guest: sets end to how it ended
swap_in_guest() {
	local status=0 arguments seed

	seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
	arguments=("stress_parts=$parts" "stress_seconds=$seconds" "stress_seed=$seed")
	if [ "$guest_kind" = uml ]; then
		start_uml "$log.raw" $((seconds + 180)) "mem=${mem}M" kunit.enable=0 \
			"initrd=$work/initramfs" "${arguments[@]}" || status=$?
	else
		[ "$cpus" = 1 ] || arguments+=(stress_hotplug=1)
		start_x86 "$log.raw" $((seconds + 300)) "$mem" "$work/initramfs" \
			"preempt=$preempt" "${arguments[@]}" || status=$?
	fi
	sed 's/\r$//' "$log.raw" >"$log"
	end=ok
	if [ $status = 137 ]; then
		end=stalled
	elif [ $status != 0 ]; then
		end=died
	elif ! grep -q '^@done ' "$log"; then
		end=incomplete
	elif ! grep -q 'KernelAddressSanitizer initialized' "$log"; then
		end=no-kasan
	elif ! grep -q "^@guest cpus=$cpus " "$log"; then
		end=other-cpus
	elif [ "$guest_kind" = x86 ] && ! grep -q "Dynamic Preempt: $preempt" "$log"; then
		end=other-preempt
	elif grep -q '^@fail .*ran out of memory' "$log"; then
		end='out-of-memory'
	elif grep -q '^@fail ' "$log"; then
		end=failed
	fi
}

# found_reports: how many lines of the log are reports. That the guest ran out of
# memory for its program is none, though the kernel prints a trace then: end says so.
found_reports() {
	sed -E '/invoked oom-killer:/,/Out of memory: Killed/d' "$log" |
		sed -E '/init: page allocation failure: .*GFP_HIGHUSER_MOVABLE/,/Mem-Info:/d' | grep -acE "$reports" || true
}

# one_guest: its line is there before anything is said about it
one_guest() {
	local start=$SECONDS compared

	swap_in_guest
	out=$(counted out) in=$(counted in) compared=$(counted compared) wrong=$(counted wrong)
	found=$(found_reports)
	[ "$end" != ok ] || [ "$found" = 0 ] || end=reported
	with_lock stress append "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit" "$sources" "$kernel" "$api" \
		"$guest_kind" "$cpus" "$preempt" "$config" "$parts" "$mem" "$out" "$in" "$compared" \
		"$wrong" "$found" $((SECONDS - start)) "$end"
	say "$out pages out, $in in, $compared compared, $wrong wrong, $found reports: $end"
	if [ "$wrong" != 0 ] || [ "$found" != 0 ] || [[ $end != ok && $end != stalled ]]; then
		cp "$log" "$SEQLZ_CACHE/stress-failed.log"
		grep -aE -m5 "$reports|^@different|^@fail" "$log" >&2 || true
		totals
		die "the guest failed ($end): see $SEQLZ_CACHE/stress-failed.log"
	fi
	if [ "$end" = stalled ]; then
		stalled=$((stalled + 1))
		cp "$log" "$SEQLZ_CACHE/stress-stalled.log"
		[ $stalled -lt 3 ] ||
			die "3 guests did not end in time, is the machine busy? See $SEQLZ_CACHE/stress-stalled.log"
	elif [ "$out" -lt 1000 ]; then
		cp "$log" "$SEQLZ_CACHE/stress-failed.log"
		die "a guest wrote only $out pages: see $SEQLZ_CACHE/stress-failed.log"
	fi
}

check_arguments
need_disk 300 "make stress"
build_guest_kernel "${GUEST:-uml}" "$cpus"
work=$(mktemp -d "$SEQLZ_CACHE/stress.XXXXXX")
trap 'end_guest; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
log=$work/guest.log
preempt=${PREEMPT:-full}
# a kernel in QEMU takes more of it for itself
mem=${MEM:-$([ "${GUEST:-uml}" = uml ] && echo 160 || echo 256)}
describe
sample_pages >"$work/pages"
make_initramfs "$work/initramfs" stress.c "$work/pages"

stalled=0
if [ -n "${ONE:-}" ]; then
	one_guest
	echo "stress: $out pages out, $in in, $wrong wrong, $found reports, Linux $kernel, API $api, $guest_kind"
	[ $stalled = 0 ] || die "the guest did not end in time: see $SEQLZ_CACHE/stress-stalled.log"
	exit 0
fi
done=$(pages_so_far)
while [ "$done" -lt "$pages" ]; do
	say "Linux $kernel, API $api, $guest_kind: $done of $pages pages"
	one_guest
	done=$(pages_so_far)
done
totals
echo "stress: $done of $pages pages with these sources, Linux $kernel, API $api, $guest_kind"
[ $stalled = 0 ] || say "$stalled guests did not end in time"
