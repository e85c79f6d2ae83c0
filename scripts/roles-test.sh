#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# roles-test.sh: everything that zram can do with a backend, with seqlz, in a
# guest with KASAN, lockdep and UBSAN: primary and secondary algorithm, all
# parameters, reset, hotplug, writeback, failing allocations. See
# tools/seqlz/guest/roles.c. Last line: counts.
#
# GUEST=uml|x86	user-mode Linux, or QEMU
# ONLY=GROUP	one group of checks
# ZCOMP, KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/debug-guest.sh"

# without_injections: a failed allocation that was meant to fail is told with
# a trace, and is no report; everything else is
without_injections() {
	sed '/^@inject begin/,/^@inject end/{s/Call Trace//;s/page allocation failure//}' "$1"
}

boot() {
	if [ "$guest_kind" = uml ]; then
		start_uml "$log.boot" 900 mem=160M kunit.enable=0 "initrd=$work/initramfs" "$@"
	else
		start_x86 "$log.boot" 1800 192 "$work/initramfs" "$@"
	fi
}

build_guest_kernel "${GUEST:-uml}"
work=$(mktemp -d "$SEQLZ_CACHE/roles.XXXXXX")
trap 'end_guest; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
log=$guest/roles.log
sample_pages >"$work/pages"
make_initramfs "$work/initramfs" roles.c "$work/pages"

say "zram's roles, Linux $(cat "$guest/include/config/kernel.release"), API $(api_generation), $guest_kind"
status=0
boot ${ONLY:+"roles_only=$ONLY"} || status=$?
sed 's/\r$//' "$log.boot" >"$log.all"
without_injections "$log.all" >"$log"
sed -n 's/^@group /roles-test: /p; s/^@bad /  FAIL: /p; s/^@fail /  FAIL: /p' "$log"
[ $status = 0 ] || {
	grep -aE -m3 "$reports" "$log" >&2 || true
	die "the guest ended with status $status: see $log.all"
}
check_log "$log"
! grep -q '^@fail' "$log" || die "the guest could not do its work: see $log.all"
read -r passed failed < <(sed -n 's/^@roles passed=\([0-9]*\) failed=\([0-9]*\).*/\1 \2/p' "$log") ||
	die "the guest did not come to its end: see $log.all"
echo "roles-test: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
