#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel-tree.sh: print the path of a kernel tree in the cache that has this
# checkout's seqlz in it: the packaged kernel, or a copy of KDIR. With
# ZCOMP=rework that is another tree, so that neither has to be built anew
# because of the other. With ZCOMP_SHARE=1 too it is the same one, whose zram
# alone is then built anew: for who comes by once and has no other kernel yet.
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

# copy_source: a tree for the reworked zcomp. It shares its files with the
# packaged one (hard links), which takes seconds and no room: nothing writes
# into a tree of the cache but apply.sh, and that puts new files in place of
# the old.
copy_source() {
	[ ! -d "$tree" ] || return 0
	say "copying $(basename "$source")"
	rm -rf "$tree.new"
	cp -al "$source" "$tree.new" ||
		die "$source could not be copied to $tree: is there room in $SEQLZ_CACHE?"
	[ ! -d "$tree.new/.seqlz" ] || KDIR=$tree.new "$SEQLZ_ROOT/scripts/apply.sh" --undo 2>/dev/null
	mv -T "$tree.new" "$tree"
}

prepare() {
	if [ -n "${KDIR:-}" ]; then
		copy_kdir
	elif [ "$tree" != "$source" ]; then
		copy_source
	fi
	KDIR=$tree "$SEQLZ_ROOT/scripts/apply.sh"
}

zcomp=${ZCOMP:-mainline}
case $zcomp in
mainline | rework) ;;
*) die "ZCOMP=$zcomp is unknown: it is mainline (the default) or rework" ;;
esac
own_tree=0
[ "$zcomp" = mainline ] || [ -n "${ZCOMP_SHARE:-}" ] || own_tree=1
"$SEQLZ_ROOT/scripts/deps.sh" kernel
if [ -n "${KDIR:-}" ]; then
	[ -d "$KDIR" ] || die "KDIR=$KDIR is no directory: give the top of a kernel tree"
	KDIR=$(cd "$KDIR" && pwd)
	tree=$SEQLZ_CACHE/src/kdir-$(echo "$KDIR" | sha256sum | cut -c1-12)
	[ $own_tree = 0 ] || tree=$tree-rework
else
	source=$("$SEQLZ_ROOT/scripts/kernel-source.sh")
	tree=$source
	[ $own_tree = 0 ] || tree=$SEQLZ_CACHE/src/rework-$(basename "$source")
fi
with_lock tree prepare
echo "$tree"
