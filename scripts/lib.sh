# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What every script here needs: source it after "set -euo pipefail".

SEQLZ_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# The cache holds kernels and builds. It is outside the repository, so that a
# clean checkout stays clean and several checkouts share one kernel tree.
SEQLZ_CACHE=${SEQLZ_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/seqlz}
export SEQLZ_ROOT SEQLZ_CACHE
# Messages of tools are parsed in places.
export LC_ALL=C
# "make run VERSION=7.2" must not give a kernel's make another VERSION.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES

die() {
	echo "error: $*" >&2
	exit 1
}

# One line of progress. Standard output is for results.
say() {
	echo "seqlz: $*" >&2
}

# need_cmd COMMAND...
need_cmd() {
	local cmd

	for cmd; do
		command -v "$cmd" >/dev/null ||
			die "the command '$cmd' is missing: run scripts/deps.sh as root"
	done
}

# need_disk MEBIBYTES PURPOSE: there must be that much room in the cache
need_disk() {
	local free

	mkdir -p "$SEQLZ_CACHE" 2>/dev/null ||
		die "cannot create $SEQLZ_CACHE: set SEQLZ_CACHE to a directory you can write to"
	free=$(df -Pm "$SEQLZ_CACHE" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$1" ] ||
		die "$2 needs $1 MiB in $SEQLZ_CACHE, which has $free: free some, or set SEQLZ_CACHE to another place"
}

# elapsed: minutes and seconds since the script started, as m:ss
elapsed() {
	printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60))
}

# with_lock NAME COMMAND...: one at a time among all users of the cache
with_lock() {
	local lock=$SEQLZ_CACHE/lock/$1

	shift
	mkdir -p "$SEQLZ_CACHE/lock"
	(
		flock 9
		"$@" 9>&-
	) 9>"$lock"
}

# tree_version TREE: x.y of a kernel tree, nothing if it is none
tree_version() {
	[ -r "$1/Makefile" ] && [ -r "$1/Kbuild" ] || return 0
	sed -n 's/^VERSION = //p; s/^PATCHLEVEL = /./p' "$1/Makefile" |
		head -2 | tr -d '\n'
}

# overlay_files: every file that goes into a kernel tree unchanged, relative to
# the root of the repository and of the kernel tree alike. Products of a build
# are left out.
overlay_files() {
	local dir dirs=()

	for dir in include lib drivers crypto Documentation tools/testing; do
		[ ! -d "$SEQLZ_ROOT/$dir" ] || dirs+=("$dir")
	done
	(cd "$SEQLZ_ROOT" && find "${dirs[@]}" -type f \
		! -name '*.o' ! -name '*.a' ! -name '*.ko' ! -name '*.cmd' \
		! -name '*.mod' ! -name '*.mod.c' ! -name '*.order' \
		! -name '*.orig' ! -name '*.rej' ! -name '*~' ! -name '.*.sw?' \
		! -name gen_seqlz_tables ! -name 'seqlz_tables_*k.h' | sort)
}

case $SEQLZ_CACHE in
*[[:space:]:]*) die "SEQLZ_CACHE ($SEQLZ_CACHE) must be a path without blanks and colons: kbuild cannot work there" ;;
/*) ;;
*) die "SEQLZ_CACHE ($SEQLZ_CACHE) must be an absolute path" ;;
esac
