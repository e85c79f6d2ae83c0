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
