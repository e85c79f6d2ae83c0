#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# apply.sh [--undo]: put seqlz into the kernel tree KDIR, or take it out.
#
# ZCOMP=rework puts it onto the reworked zcomp, which it is written for:
# patches/<x.y>/zcomp-rework goes in first, and what adapts files of seqlz to
# zcomp as it is (ZCOMP=mainline, the default) stays out.
#
# The new files and the files that patches/<x.y>/ changes are first made in a
# directory of their own, so that a tree is only touched when all of them fit.
# KDIR/.seqlz remembers what was done: files (checksum and name of every file
# as it was put there), dirs (the directories made) and orig/ (the files that
# patches changed, as they were), which makes the undo exact. Applying again updates the
# tree and leaves alone the files that are the same, so make rebuilds little.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

undo=0
[ "${1:-}" != --undo ] || undo=1
zcomp=${ZCOMP:-mainline}
case $zcomp in
mainline | rework) ;;
*) die "ZCOMP=$zcomp is unknown: it is mainline (the default) or rework" ;;
esac
[ -n "${KDIR:-}" ] || die "say which kernel tree with KDIR=directory"
[ -d "$KDIR" ] || die "KDIR=$KDIR is no directory: give the top of a kernel tree"
KDIR=$(cd "$KDIR" && pwd)
record=$KDIR/.seqlz
version=$(tree_version "$KDIR")
patches=$SEQLZ_ROOT/patches/$version

# A recorded file is as we put it or, if we were interrupted, as it was
# before. Anything else is someone's work, which must not be lost.
check_record() {
	local file

	sed 's/^[0-9a-f]*  //' "$record/files" | sort -u | while read -r file; do
		if [ -f "$KDIR/$file" ]; then
			grep -qxF "$(cd "$KDIR" && sha256sum "$file")" "$record/files" && continue
			cmp -s "$record/orig/$file" "$KDIR/$file" && continue
		elif [ ! -f "$record/orig/$file" ]; then
			continue
		fi
		die "$KDIR/$file is not as seqlz left it: keep a copy of it, put back what 'make apply' made, and try again; nothing was changed"
	done
}

# series: the patches in the order in which they go in
series() {
	local patch

	[ "$zcomp" = mainline ] || printf '%s\n' "$patches"/zcomp-rework/*.patch
	for patch in "$patches"/*.patch; do
		[ "$zcomp" = rework ] && adapts_seqlz "$patch" || echo "$patch"
	done
}

adapts_seqlz() {
	grep -q '^+++ b/drivers/block/zram/backend_seqlz\.c$' "$1"
}

patched_files() {
	series | while read -r patch; do
		sed -n 's,^+++ b/,,p' "$patch"
	done | sort -u
}

# stage DIR: make there all files as they shall be in the tree
stage() {
	local dir=$1 file patch

	overlay_files >"$dir/new"
	mkdir "$dir/tree" "$dir/orig"
	(cd "$SEQLZ_ROOT" && xargs -a "$dir/new" cp --parents -t "$dir/tree")
	patched_files | grep -vxFf "$dir/new" >"$dir/changed"
	while read -r file; do
		mkdir -p "$(dirname "$dir/orig/$file")" "$(dirname "$dir/tree/$file")"
		if [ -f "$record/orig/$file" ]; then
			cp -p "$record/orig/$file" "$dir/orig/$file"
		else
			cp -p "$KDIR/$file" "$dir/orig/$file" 2>/dev/null ||
				die "$KDIR has no $file: this is no complete kernel $version; nothing was changed"
		fi
		cp -p "$dir/orig/$file" "$dir/tree/$file"
	done <"$dir/changed"
	series >"$dir/series"
	while read -r patch; do
		patch -d "$dir/tree" -p1 -s -f --no-backup-if-mismatch \
			-r "$dir/rejects" <"$patch" >"$dir/log" 2>&1 ||
			die "$(basename "$patch") does not fit $KDIR ($version): is it changed or only half applied? Nothing was changed"
	done <"$dir/series"
	sort "$dir/new" "$dir/changed" |
		(cd "$dir/tree" && xargs sha256sum) >"$dir/files"
}

# No new file may exist in a tree that we know nothing about.
check_fresh() {
	local file

	while read -r file; do
		[ ! -e "$KDIR/$file" ] ||
			die "$KDIR has a $file that 'make apply' did not put there; nothing was changed"
	done <"$1/new"
}

rework_versions() {
	cd "$SEQLZ_ROOT/patches" && dirname -- */zcomp-rework | paste -sd' '
}

# new_dirs DIR: the directories that the new files need, outermost first
new_dirs() {
	local dir

	sed 's,/[^/]*$,,' "$1/new" | sort -u | while read -r dir; do
		while [ ! -d "$KDIR/$dir" ]; do
			echo "$dir"
			dir=$(dirname "$dir")
		done
	done | sort -u
}

# install_file DIR FILE: only if it differs, and in one step
install_file() {
	cmp -s "$1/tree/$2" "$KDIR/$2" && return
	mkdir -p "$(dirname "$KDIR/$2")"
	cp "$1/tree/$2" "$KDIR/$2.seqlz-new"
	if [ -f "$KDIR/$2" ]; then
		chmod --reference="$KDIR/$2" "$KDIR/$2.seqlz-new"
	fi
	mv "$KDIR/$2.seqlz-new" "$KDIR/$2"
	echo "$2"
}

# Files of an earlier version that this one does not have any more. No file is
# written to in place, since trees of the cache share files (kernel-tree.sh), and
# none gets its old time back, or what was built of it would stay.
remove_stale() {
	local file

	while read -r _ file; do
		grep -q "  $file\$" "$1/files" && continue
		if [ -f "$record/orig/$file" ]; then
			cp --preserve=mode --remove-destination "$record/orig/$file" "$KDIR/$file"
		else
			rm -f "$KDIR/$file"
		fi
		echo "$file"
	done <"$1/old"
}

# An original that is back in the tree is not ours any more: it may change.
forget_stale() {
	local file

	while read -r _ file; do
		grep -q "  $file\$" "$1/files" || rm -f "$record/orig/$file"
	done <"$1/old"
}

apply() {
	local dir file n kind=""

	[ -n "$version" ] || die "KDIR=$KDIR is no kernel tree: give the top of one"
	[ -d "$patches" ] ||
		die "KDIR=$KDIR is Linux $version, seqlz knows $(cd "$SEQLZ_ROOT/patches" && echo *); nothing was changed"
	if [ "$zcomp" = rework ]; then
		kind=", reworked zcomp"
		[ -d "$patches/zcomp-rework" ] ||
			die "KDIR=$KDIR is Linux $version, the reworked zcomp is there for $(rework_versions); nothing was changed"
	fi
	[ -w "$KDIR" ] || die "KDIR=$KDIR cannot be written: give a tree of your own"
	need_cmd patch
	dir=$(mktemp -d)
	# shellcheck disable=SC2064
	trap "rm -rf '$dir'" EXIT
	if [ -f "$record/files" ]; then
		check_record
		cp "$record/files" "$dir/old"
	fi
	stage "$dir"
	if [ ! -f "$record/files" ]; then
		check_fresh "$dir"
		: >"$dir/old"
	fi
	mkdir -p "$record"
	{ new_dirs "$dir"; cat "$record/dirs" 2>/dev/null || true; } | sort -u >"$dir/dirs"
	cp "$dir/dirs" "$record/dirs"
	echo '*' >"$record/.gitignore"
	cp -a "$dir/orig" "$record/"
	# Until all is done both the old and the new checksums are right.
	cat "$dir/old" "$dir/files" >"$record/files"
	n=$({
		remove_stale "$dir"
		while read -r _ file; do
			install_file "$dir" "$file"
		done <"$dir/files"
	} | wc -l)
	cp "$dir/files" "$record/files"
	forget_stale "$dir"
	say "seqlz is in $KDIR (Linux $version$kind): $n of $(wc -l <"$dir/files") files changed"
}

unapply() {
	local file dir

	[ -f "$record/files" ] || die "seqlz is not in $KDIR: there is nothing to undo"
	check_record
	while read -r _ file; do
		if [ -f "$record/orig/$file" ]; then
			cp --preserve=mode --remove-destination "$record/orig/$file" "$KDIR/$file"
		else
			rm -f "$KDIR/$file"
		fi
	done <"$record/files"
	sort -r "$record/dirs" | while read -r dir; do
		rmdir "$KDIR/$dir" 2>/dev/null ||
			[ ! -d "$KDIR/$dir" ] || say "left in place, it is not empty: $KDIR/$dir"
	done
	rm -rf "$record"
	say "seqlz is out of $KDIR"
}

if [ $undo = 1 ]; then
	unapply
else
	apply
fi
