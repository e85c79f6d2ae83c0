#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel-tree.sh: print the path of a kernel tree in the cache that has this
# checkout's seqlz in it: the packaged kernel, or a copy of KDIR.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

# copy_kdir: bring the copy of the user's tree up to date, without what a
# build in it left behind
copy_kdir() {
	local version

	version=$(tree_version "$KDIR")
	[ -n "$version" ] || die "KDIR=$KDIR is no kernel tree: give the top of one"
	[ -d "$SEQLZ_ROOT/patches/$version" ] ||
		die "KDIR=$KDIR is Linux $version, seqlz knows $(cd "$SEQLZ_ROOT/patches" && echo *)"
	need_cmd rsync
	[ -d "$tree" ] || need_disk 3000 "a copy of $KDIR"
	mkdir -p "$tree"
	[ ! -d "$tree/.seqlz" ] || KDIR=$tree "$SEQLZ_ROOT/scripts/apply.sh" --undo 2>/dev/null
	say "copying $KDIR"
	rsync -a --delete --exclude=.git --exclude='*.o' --exclude='*.ko' \
		--exclude='*.a' --exclude='.*.cmd' --exclude=/.config \
		--exclude=/include/config --exclude=/include/generated \
		--exclude='/arch/*/include/generated' --exclude=/.seqlz \
		"$KDIR/" "$tree/"
}

prepare() {
	[ -z "${KDIR:-}" ] || copy_kdir
	KDIR=$tree "$SEQLZ_ROOT/scripts/apply.sh"
}

"$SEQLZ_ROOT/scripts/deps.sh" kernel
if [ -n "${KDIR:-}" ]; then
	[ -d "$KDIR" ] || die "KDIR=$KDIR is no directory: give the top of a kernel tree"
	KDIR=$(cd "$KDIR" && pwd)
	tree=$SEQLZ_CACHE/src/kdir-$(echo "$KDIR" | sha256sum | cut -c1-12)
else
	tree=$("$SEQLZ_ROOT/scripts/kernel-source.sh")
fi
with_lock tree prepare
echo "$tree"
