# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The user-mode Linux with KASAN, lockdep and UBSAN that tests boot: source it
# after lib.sh.

# build_debug_kernel: build it, and say in $guest where it is. It must really
# have the checks, because a test that finds nothing without them says nothing.
build_debug_kernel() {
	local option configs=$SEQLZ_ROOT/configs

	guest=$("$SEQLZ_ROOT/scripts/build-kernel.sh" debug um \
		"$configs"/{uml,zram,kasan,kunit}.config)
	for option in KASAN KASAN_GENERIC KASAN_VMALLOC PROVE_LOCKING \
		DEBUG_ATOMIC_SLEEP UBSAN_BOUNDS UBSAN_SHIFT; do
		grep -qx "CONFIG_$option=y" "$guest/.config" ||
			die "the debug kernel has no CONFIG_$option: see configs/kasan.config and $guest/.config"
	done
}

# What the kernel prints when one of its checks found something.
reports='BUG:|WARNING:|UBSAN:|INFO: |Kernel panic|Oops|Call Trace|Kernel mode fault|inconsistent lock state|page allocation failure'

# boot_guest LOG SECONDS ARGUMENT...: one processor, since several do not get
# on with a busy host. A guest that does not end gets SIGKILL: it cannot deal
# with another signal while it is busy. The first report of KASAN ends it too,
# since the access would be tried again for ever if the page is not mapped.
boot_guest() {
	local log=$1 seconds=$2 status=0

	shift 2
	# The shell would tell on standard error that a command was killed.
	{
		timeout -s KILL "$seconds" "$guest/linux" seccomp=on ncpus=1 \
			con=null con0=fd:0,fd:1 console=tty0 kasan.fault=panic \
			"$@" </dev/null >"$log" 2>&1 || status=$?
	} 2>/dev/null
	[ $status -ne 0 ] || return 0
	grep -aE -m3 "$reports" "$log" >&2 || true
	[ $status -ne 137 ] || die "the guest did not end within $seconds seconds: see $log"
	die "the guest ended with status $status: see $log"
}

# check_log LOG: no check of the kernel may have found anything
check_log() {
	grep -q 'KernelAddressSanitizer initialized' "$1" ||
		die "KASAN did not start in the guest: see $1"
	if grep -aE -m3 "$reports" "$1" >&2; then
		die "the guest's kernel reported the above: see $1"
	fi
}
