# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What a file in results/ begins with: source it after lib.sh.

# results_head COMMAND TREE: licence, command, and what made the figures
results_head() {
	local processor virtual=""

	processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
	if grep -qw hypervisor /proc/cpuinfo; then
		virtual="; it is virtual"
	fi
	cat <<-END
		# SPDX-License-Identifier: GPL-2.0-only
		# command: $1
		# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)
		# kernel tree: Linux $(make -s -C "$2" kernelversion)
		# compiler: $(cc --version | head -n 1)
		# processor: ${processor:-$(uname -m)}
		# machine: load $(cut -d' ' -f1 /proc/loadavg) at the end$virtual, and shared with others, so no time in here is exact
	END
}

# busy_processors: how many of them are in use now, by others, as 0.07. The load
# would still count what built the guest.
busy_processors() {
	{ head -n 1 /proc/stat; sleep 3; head -n 1 /proc/stat; } | awk -v n="$(nproc)" '
	{
		for (i = 2; i <= 9; i++)
			all[NR] += $i
		idle[NR] = $5 + $6
	}
	END { printf "%.2f", n * (1 - (idle[2] - idle[1]) / (all[2] - all[1])) }'
}

# busy_note BUSY: times are only good on an idle machine
busy_note() {
	[[ $1 = 0.[01]* ]] ||
		echo "Others used $1 processors when this began: the times are not reliable."
}

# sources_of TREE: a sum of what of seqlz is in a kernel tree, but for the tests
sources_of() {
	grep -E '  (lib/seqlz/[^/]*|include/.*|drivers/.*)$' "$1/.seqlz/files" | sha256sum | cut -c1-12
}

# bench_tree: the kernel tree that the codecs to compare with come from
bench_tree() {
	local tree=${KDIR:-}

	if [ -z "$tree" ]; then
		tree=$("$SEQLZ_ROOT/scripts/kernel-source.sh")
	fi
	[ -r "$tree/mm/zsmalloc.c" ] || die "KDIR=$tree is no kernel tree: give the top of one"
	echo "$tree"
}

# library_state: a sum of what is measured, which must not change meanwhile
library_state() {
	cat "$SEQLZ_ROOT"/lib/seqlz/*.[ch] | sha256sum | cut -c1-16
}
