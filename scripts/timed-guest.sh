# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The guests whose times are taken: user-mode Linux without the checks of a
# debug kernel, preempted everywhere, with one processor, and with this
# machine's root, read-only: source it after lib.sh.
. "$SEQLZ_ROOT/scripts/debug-guest.sh"

# build_timed_kernel: in $guest
build_timed_kernel() {
	local option

	guest=$("$SEQLZ_ROOT/scripts/build-kernel.sh" programs um \
		"$SEQLZ_ROOT"/configs/{uml,zram,programs}.config)
	for option in KASAN PROVE_LOCKING DEBUG_VM UBSAN; do
		! grep -qx "CONFIG_$option=y" "$guest/.config" ||
			die "the kernel has CONFIG_$option, so its times say nothing: remove $guest"
	done
}

# check_algs ALG...: NAME or NAME:LEVEL
check_algs() {
	local alg

	[ $# -gt 0 ] || die "ALGS names no algorithm: write for example ALGS=\"seqlz:2 lz4 zstd\""
	for alg; do
		[[ $alg =~ ^(seqlz(:[1-4])?|(lz4|lz4hc|lzo|lzo-rle|zstd|deflate|842)(:-?[0-9]+)?)$ ]] ||
			die "'$alg' in ALGS is unknown: write NAME or NAME:LEVEL, as in seqlz:2"
	done
}

# boot_timed LOG SECONDS MIB INIT ARGUMENT...: the guest must come to its end,
# and neither it nor its kernel may have found a fault
boot_timed() {
	local log=$1 seconds=$2 mib=$3 init=$4 line

	shift 4
	boot_guest "$log.boot" "$seconds" "mem=${mib}M" root=/dev/root rootfstype=hostfs rootflags=/ ro \
		"init=$init" "$@"
	sed 's/\r$//' "$log.boot" >"$log"
	line=$(grep -aE -m1 "$reports" "$log") && die "the guest's kernel reported: $line (see $log)"
	line=$(grep -a -m1 '^@fail ' "$log") && die "${line#@fail } (see $log)"
	grep -qa '^@done ' "$log" || die "the guest did not come to its end: see $log"
}

# timed_head COMMAND MIB: what a file of results begins with
timed_head() {
	results_head "$1" "$guest/source"
	echo "# guest: user-mode Linux, 1 processor, $2 MiB, preempted everywhere, root is the host's"
	echo "# others: used ${busy:?} processors before the guest began"
}
