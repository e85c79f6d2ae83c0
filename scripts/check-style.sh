#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-style.sh: shellcheck on the scripts, licence lines everywhere,
# checkpatch --strict and kernel-doc (the kernel tree's own) on what goes into
# the kernel. The first run fetches a kernel tree. Last line: counts.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"

cd "$SEQLZ_ROOT"
tree=$(scripts/kernel-source.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# project_files: all text files of the project, without what is built
project_files() {
	find . -type f ! -path './.git/*' ! -path '*/build/*' ! -path './LICENSES/*' \
		! -path './results/*' ! -name COPYING ! -name '*.zst' ! -name '*.pyc' \
		! -name '*.patch' ! -name .gitignore ! -name .kunitconfig | sort
}

shell_scripts() {
	project_files | while read -r file; do
		[[ $(head -n 1 "$file") != '#!/bin/bash' ]] || echo "$file"
	done
	find scripts -name '*.sh'
}

has_licence() {
	head -n 4 "$1" | grep -q 'SPDX-License-Identifier: '
}

# It leaves a file behind where it runs.
checkpatch() {
	cd "$work"
	perl "$tree/scripts/checkpatch.pl" --strict --no-tree --quiet --terse --show-types "$@"
}

# A patch is signed by who sends it. It comes from standard input, because
# checkpatch takes a file that git knows for source text. The names of zlib, lz4
# and zstd are as they are: only patches of their backends have them.
checkpatch_patch() {
	local ignore=FILE_PATH_CHANGES

	[[ $1 != */zcomp-rework/* ]] || ignore+=,CAMELCASE
	checkpatch --no-signoff --ignore "$ignore" - <"$SEQLZ_ROOT/$1"
}

while read -r file; do
	check "shellcheck $file" shellcheck -x "$file"
done < <(shell_scripts | sed 's,^\./,,' | sort -u)

while read -r file; do
	check "$file has no licence line" has_licence "$file"
done < <(project_files)

sources=()
while read -r file; do
	case $file in
	*.c | *.h)
		sources+=("$file")
		check "checkpatch $file" checkpatch -f "$SEQLZ_ROOT/$file"
		;;
	*Kconfig | *Makefile)
		check "checkpatch $file" checkpatch -f "$SEQLZ_ROOT/$file"
		;;
	esac
done < <(overlay_files)
check "kernel-doc" "$tree/scripts/kernel-doc" -Werror -none "${sources[@]}"

while read -r file; do
	check "checkpatch $file" checkpatch_patch "$file"
done < <(find patches -name '*.patch' | sort)

finish style
