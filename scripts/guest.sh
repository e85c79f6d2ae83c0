#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# guest.sh BUILD PAGES LOG KEY=VALUE...: swap the file PAGES through zram in the
# user-mode kernel of the build directory BUILD, with tools/seqlz/guest/init.c
# as its only program. MEM is the guest's RAM in MiB, LIMIT the seconds it may
# take, UMLARGS adds kernel arguments. The console goes to LOG, progress to
# standard error. It fails, and says why, if the guest does not end well, if
# anything in it failed, or if its kernel complained.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/debug-guest.sh"

[ $# -ge 3 ] || die "usage: guest.sh BUILD PAGES LOG KEY=VALUE..."
guest=$1 pages=$2 log=$3
shift 3
dir=$(mktemp -d "$SEQLZ_CACHE/guest.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# Only KILL ends a busy user-mode kernel at once. Standard error is put aside
# as fd 3, because the shell would tell there that a command was killed.
boot() {
	local uml_args

	read -ra uml_args <<<"${UMLARGS:-seccomp=auto}"
	cd "$dir"
	ln -s "$pages" pages
	timeout -s KILL "${LIMIT:-600}" "$guest/linux" "mem=${MEM:-160}M" \
		initrd=initramfs ubd0r=pages con=null con0=fd:0,fd:1 \
		console=tty0 "${uml_args[@]}" "$@" </dev/null 2>&1 |
		sed -u 's/\r$//' | tee "$log" |
		sed -un 's/^@progress /seqlz: /p' >&3
}

check_end() {
	local line

	! grep -q 'ptrace set fp regs failed' "$log" ||
		die "this version of user-mode Linux runs no program here, the processor's registers are too large for it (AMX): use another VERSION (see $log)"
	line=$(grep -m1 -E 'WARNING:|BUG:|Oops|KASAN|UBSAN|possible (circular|recursive)|Call Trace' "$log") &&
		die "the kernel complained: $line (see $log)"
	line=$(grep -m1 '^@fail ' "$log") && die "${line#@fail } (see $log)"
	grep -q '^@done ' "$log" ||
		die "the guest did not reach its end in ${LIMIT:-600} s: see $log"
}

pages=$(readlink -f "$pages")
log=$(realpath -m "$log")
make_initramfs "$dir/initramfs" init.c
(boot "$@") 3>&2 2>/dev/null || say "the guest's kernel ended with an error"
check_end
