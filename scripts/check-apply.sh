#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-apply.sh: putting seqlz into a kernel tree and taking it out again, on a
# copy of the part of a tree that it touches, for zcomp as it is and reworked.
# Last line: counts.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"

apply=$SEQLZ_ROOT/scripts/apply.sh
source=$("$SEQLZ_ROOT/scripts/kernel-source.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export KDIR=$work/tree
unset ZCOMP

# the names, contents and modes of all files and directories
state() {
	(cd "$1" && find . -type f -print0 | sort -z | xargs -0 sha256sum &&
		find . -printf '%p %m %y\n' | sort)
}

# copy_tree: pristine, that is without the seqlz that the one in the cache may have
copy_tree() {
	local parts=(Makefile Kbuild Kconfig include/linux lib crypto drivers/block/zram
		Documentation/admin-guide/blockdev Documentation/staging
		tools/testing/selftests/zram)

	[ ! -d "$source/.seqlz" ] || parts+=(.seqlz)
	mkdir "$KDIR"
	(cd "$source" && cp -a --parents "${parts[@]}" "$KDIR")
	[ ! -d "$KDIR/.seqlz" ] || "$apply" --undo
}

# refused_unchanged WHAT: apply.sh refuses KDIR and changes nothing in it
refused_unchanged() {
	local before

	before=$(state "$KDIR")
	refuses "$1" "$apply"
	if [ "$(state "$KDIR")" = "$before" ]; then
		ok
	else
		not_ok "$1: the tree was changed"
	fi
}

# changes_newer COMMAND...: a file that the command changes is newer after it, as make
# would not build it anew otherwise
changes_newer() {
	local file status=0

	rm -rf "$work/before"
	cp -a "$KDIR" "$work/before"
	touch "$work/mark"
	"$@" >&2 || return
	while read -r file; do
		[ "$file" -nt "$work/mark" ] || { echo "$file has its old time"; status=1; }
	done < <(diff -rq -x .seqlz "$work/before" "$KDIR" | sed -n 's/^Files .* and \(.*\) differ$/\1/p')
	return $status
}

same_state() {
	diff <(echo "$2") <(state "$1")
}

copy_tree
pristine=$(state "$KDIR")
check "apply" changes_newer "$apply"
applied=$(state "$KDIR")
check "every new file is there" diff -r "$SEQLZ_ROOT/include/linux/seqlz.h" "$KDIR/include/linux/seqlz.h"
check "the patches are in" grep -q seqlz "$KDIR/drivers/block/zram/zcomp.c"
check "apply again" "$apply"
check "the second time changes nothing" same_state "$KDIR" "$applied"
check "unapply" changes_newer "$apply" --undo
check "unapply gives back the same tree" same_state "$KDIR" "$pristine"

# The reworked zcomp, on a fresh tree and on one that has the other in it
check_rework() {
	local rework zram=drivers/block/zram

	cp -al "$KDIR" "$work/shared"
	ZCOMP=rework check "apply with the reworked zcomp" changes_newer "$apply"
	rework=$(state "$KDIR")
	check "zcomp is reworked" grep -q create_dctx "$KDIR/$zram/zcomp.h"
	check "its backends are" grep -q create_dctx "$KDIR/$zram/backend_zstd.c"
	check "the backend is as it is here" cmp "$SEQLZ_ROOT/$zram/backend_seqlz.c" "$KDIR/$zram/backend_seqlz.c"
	check "the patches of the build are in" grep -q backend_seqlz "$KDIR/$zram/zcomp.c"
	ZCOMP=rework check "apply that again" "$apply"
	check "the second time changes nothing there" same_state "$KDIR" "$rework"
	check "from the reworked zcomp to the other" changes_newer "$apply"
	check "that is as if it had not been there" same_state "$KDIR" "$applied"
	ZCOMP=rework check "and back" changes_newer "$apply"
	check "that is the same as before" same_state "$KDIR" "$rework"
	check "unapply the reworked zcomp" "$apply" --undo
	check "unapply gives back the same tree there" same_state "$KDIR" "$pristine"
	check "a tree that shares its files is as it was" same_state "$work/shared" "$pristine"
}

[ ! -d "$SEQLZ_ROOT/patches/$(tree_version "$KDIR")/zcomp-rework" ] || check_rework

mkdir "$work/kept"
cp -p "$KDIR/drivers/block/zram/zcomp.c" "$work/kept"
head -n 20 "$work/kept/zcomp.c" >"$KDIR/drivers/block/zram/zcomp.c"
refused_unchanged "a tree whose zcomp.c the patches do not fit"
cp -p "$work/kept/zcomp.c" "$KDIR/drivers/block/zram/zcomp.c"
check "apply after that" "$apply"
rm -rf "$KDIR/.seqlz"
refused_unchanged "a tree with seqlz in it and no record of it"
sed -i 's/^VERSION = .*/VERSION = 7/; s/^PATCHLEVEL = .*/PATCHLEVEL = 2/' "$KDIR/Makefile"
ZCOMP=rework refused_unchanged "the reworked zcomp for a version that has none"
ZCOMP=none refused_unchanged "a zcomp that is not known"
sed -i 's/^VERSION = .*/VERSION = 5/; s/^PATCHLEVEL = .*/PATCHLEVEL = 4/' "$KDIR/Makefile"
refused_unchanged "a tree of an unknown version"
mkdir "$work/empty"
KDIR=$work/empty
refused_unchanged "a directory without a kernel"
KDIR=$work/none refuses "a directory that is not there" "$apply"
KDIR="" refuses "no KDIR" "$apply"

finish apply
