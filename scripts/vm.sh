#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# vm.sh [--quick]: seqlz in x86-64 kernels under QEMU, with KASAN, lockdep, UBSAN
# and temporary mappings of every page. With KVM if that works, otherwise it is
# slow and wants an idle machine. --quick is one short run with one processor.
# The pages are counted in results/stress.tsv, those of --quick are not. Last
# line: counts.
#
# ZCOMP, KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
# GUEST_SECONDS=n	for how long each guest swaps
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"

# swap WHAT CPUS PREEMPT SECONDS: one guest
swap() {
	local status=0

	echo "== swap, $1"
	ONE=1 GUEST=x86 CPUS=$2 PREEMPT=$3 GUEST_SECONDS=${GUEST_SECONDS:-$4} \
		"$SEQLZ_ROOT/scripts/stress.sh" || status=$?
	if [ $status = 0 ]; then
		ok
	else
		not_ok "swap, $1"
	fi
}

# roles: it counts its checks itself
roles() {
	local output

	echo "== zram's roles"
	if output=$(GUEST=x86 "$SEQLZ_ROOT/scripts/roles-test.sh"); then
		ok
	else
		not_ok "zram's roles"
	fi
	echo "$output"
}

case ${1:-} in
--quick)
	# a test leaves the repository as it is
	export RESULTS=$SEQLZ_CACHE/vm-quick.tsv
	swap "1 processor" 1 full 40
	;;
"")
	roles
	swap "1 processor, preempt=full" 1 full 120
	swap "2 processors, preempt=full, one of them comes and goes" 2 full 240
	swap "2 processors, preempt=lazy, one of them comes and goes" 2 lazy 240
	UBSAN_TRAP=1 swap "1 processor, a kernel that ends at what UBSAN finds" 1 full 120
	;;
*)
	die "usage: vm.sh [--quick]"
	;;
esac
finish vm
