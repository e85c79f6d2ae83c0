#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build-kernel.sh NAME ARCH FRAGMENT...: build a kernel with seqlz and print
# its build directory.
#
# The tree is the newest known kernel (VERSION=7.2: that one) or a copy of
# KDIR, never KDIR itself; ZCOMP=rework gives it the reworked zcomp, in a tree
# and a build directory of its own. The configuration is tinyconfig and the
# fragments, and every option a fragment asks for must have stuck. What is built
# already is reused. KMAKE adds arguments of make, as in KMAKE=LLVM=-19, TARGETS
# names what to build.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

[ $# -ge 3 ] || die "usage: build-kernel.sh NAME ARCH FRAGMENT..."
name=$1 arch=$2
shift 2
fragments=("$@")
[ "$arch" != um ] || : "${TARGETS:=linux}"

tree=$("$SEQLZ_ROOT/scripts/kernel-tree.sh")
out=$SEQLZ_CACHE/build/$name-$(basename "$tree")
log=$out/build.log

kmake() {
	local args

	read -ra args <<<"${KMAKE:-}"
	nice -n 10 make -C "$tree" ARCH="$arch" O="$out" "${args[@]}" "$@"
}

# config: a second time only if a fragment or the tree's Kconfig changed
config() {
	local line fragment

	cat "${fragments[@]}" >"$out/fragments.new"
	if [ -f "$out/.config" ] && cmp -s "$out/fragments" "$out/fragments.new"; then
		kmake -s olddefconfig >"$log" 2>&1 || die "the configuration failed: see $log"
	else
		say "configuring $name"
		kmake -s tinyconfig >"$log" 2>&1 || die "the configuration failed: see $log"
		"$tree/scripts/kconfig/merge_config.sh" -m -O "$out" "$out/.config" \
			"${fragments[@]}" >>"$log"
		kmake -s olddefconfig >>"$log" 2>&1 || die "the configuration failed: see $log"
	fi
	for fragment in "${fragments[@]}"; do
		while read -r line; do
			grep -qxF "$line" "$out/.config" ||
				die "$fragment wants $line, but $(basename "$tree") cannot have it"
		done < <(grep -E '^CONFIG_[A-Z0-9_]+=' "$fragment" | grep -v '=n$')
	done
	mv "$out/fragments.new" "$out/fragments"
}

# objects: how many files this build has compiled so far
objects() {
	grep -cE '^  (CC|AS|LD|AR|HOSTCC|LDS|GEN) ' "$log" || true
}

build() {
	local pid seconds=0

	config
	read -ra targets <<<"${TARGETS:-all}"
	kmake -j"$(nproc)" "${targets[@]}" >>"$log" 2>&1 &
	pid=$!
	# End the build with the script.
	# shellcheck disable=SC2064
	trap "kill $pid 2>/dev/null || true" EXIT
	while kill -0 "$pid" 2>/dev/null; do
		sleep 1
		seconds=$((seconds + 1))
		[ $((seconds % 15)) -ne 0 ] ||
			say "building $name: $(objects) steps done, $(elapsed)"
	done
	trap - EXIT
	wait "$pid" || {
		grep -E -m5 'error|Error|undefined' "$log" >&2 || tail -5 "$log" >&2
		die "the build of $name failed: see $log"
	}
	say "$name is built ($(objects) steps, $(elapsed))"
}

mkdir -p "$out"
[ -f "$out/.config" ] || need_disk 1500 "building $name"
with_lock "build-$(basename "$out")" build
echo "$out"
