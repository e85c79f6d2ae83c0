# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The guests that tests boot, in user-mode Linux (uml) or QEMU (x86): the kernels
# with KASAN, lockdep and UBSAN, and what all guests share: source it after lib.sh.

# build_guest_kernel KIND [PROCESSORS]: build it, and say in $guest where it is.
# User-mode Linux is for one processor, with which it is faster, unless more are
# asked for. The kernel must really have the checks, because a test that finds
# nothing without them says nothing. With UBSAN_TRAP=1 it is another one, which
# what UBSAN finds ends.
build_guest_kernel() {
	local option name arch target fragments
	local checks=(KASAN KASAN_GENERIC KASAN_VMALLOC PROVE_LOCKING DEBUG_ATOMIC_SLEEP
		UBSAN_BOUNDS UBSAN_SHIFT)

	guest_kind=$1
	case $guest_kind in
	uml)
		name=debug arch=um target=linux fragments=(uml zram kasan kunit roles)
		[ "${2:-1}" = 1 ] || name=debug-smp fragments+=(smp)
		;;
	x86)
		"$SEQLZ_ROOT/scripts/deps.sh" vm
		name=vm arch=x86_64 target=bzImage fragments=(x86 zram kasan smp x86-debug roles)
		checks+=(DEBUG_KMAP_LOCAL_FORCE_MAP)
		;;
	*)
		die "there is no guest '$guest_kind': use uml or x86"
		;;
	esac
	[ -z "${UBSAN_TRAP:-}" ] || name+=-trap fragments+=(ubsan-trap) checks+=(UBSAN_TRAP)
	fragments=("${fragments[@]/%/.config}")
	guest=$(TARGETS=$target "$SEQLZ_ROOT/scripts/build-kernel.sh" $name $arch \
		"${fragments[@]/#/$SEQLZ_ROOT/configs/}")
	for option in "${checks[@]}"; do
		grep -qx "CONFIG_$option=y" "$guest/.config" ||
			die "the debug kernel has no CONFIG_$option: see configs/kasan.config and $guest/.config"
	done
}

build_debug_kernel() {
	build_guest_kernel uml
}

# What the kernel prints when one of its checks found something.
reports='BUG:|WARNING:|UBSAN:|INFO: |Kernel panic|Oops|Call Trace|Kernel mode fault|inconsistent lock state|page allocation failure'

# api_generation: C if zcomp has contexts of their own for compression and
# decompression, B if one context is for both, A if its lock is one of the
# processor, too
api_generation() {
	local zcomp=$guest/source/drivers/block/zram/zcomp.h

	if grep -q create_cctx "$zcomp"; then
		echo C
	elif grep -q local_lock_t "$zcomp"; then
		echo A
	else
		echo B
	fi
}

# compile_init FILE PROGRAM: a program of tools/seqlz/guest. $guest_cc is the
# compiler, with its options.
compile_init() {
	local cc

	read -ra cc <<<"${guest_cc:-gcc}"
	"${cc[@]}" -static -pthread -O2 -Wall -Wextra -Wno-missing-field-initializers -Werror -o "$1" \
		"$SEQLZ_ROOT/tools/seqlz/guest/$2" ||
		die "the guest's program $2 could not be compiled"
}

# make_initramfs FILE PROGRAM [PAGES [FILE...]]: a program of tools/seqlz/guest as
# init, the file PAGES as /pages, and others by their names. It is made without
# root, who could make device nodes.
make_initramfs() {
	local dir=$1.d file

	mkdir -p "$dir"
	compile_init "$dir/init" "$2"
	cat >"$dir/list" <<-END
		dir /dev 755 0 0
		nod /dev/console 600 0 0 c 5 1
		file /init $dir/init 755 0 0
	END
	[ -z "${3:-}" ] || echo "file /pages $3 644 0 0" >>"$dir/list"
	for file in "${@:4}"; do
		echo "file /${file##*/} $file 644 0 0" >>"$dir/list"
	done
	"$guest/usr/gen_init_cpio" "$dir/list" >"$1" ||
		die "the guest's initramfs could not be made: see $dir/list"
	rm -rf "$dir"
}

# sample_pages: the pages of tools/seqlz/sample; the 16 KiB blocks among them
# are for kernels with larger pages
sample_pages() {
	find "$SEQLZ_ROOT/tools/seqlz/sample" -name '*.pages.zst' \
		! -name '*-16k*' | sort | xargs zstd -dcq
}

guest_pid=""

# end_guest: it gets SIGKILL, because it cannot deal with another signal while
# it is busy
end_guest() {
	[ -z "$guest_pid" ] || kill -KILL "$guest_pid" 2>/dev/null || true
	guest_pid=""
}

# run_guest LOG SECONDS COMMAND...: its status, or 137 if it did not end in
# time. The shell would tell on standard error that a command was killed.
run_guest() {
	local log=$1 end=$((SECONDS + $2)) status=0

	shift 2
	"$@" </dev/null >"$log" 2>&1 &
	guest_pid=$!
	while kill -0 "$guest_pid" 2>/dev/null && [ $SECONDS -lt $end ]; do
		sleep 0.5
	done
	{
		kill -KILL "$guest_pid" || true
		wait "$guest_pid" || status=$?
	} 2>/dev/null
	guest_pid=""
	return $status
}

# start_uml LOG SECONDS ARGUMENT...: the kernel $guest/linux, or $image. One
# processor, since several do not get on with a busy host, or $cpus. The first
# report of KASAN ends it, since the access would be tried again for ever if
# the page is not mapped.
start_uml() {
	local log=$1 seconds=$2

	shift 2
	run_guest "$log" "$seconds" "${image:-$guest/linux}" seccomp=on "ncpus=${cpus:-1}" \
		con=null con0=fd:0,fd:1 console=tty0 kasan.fault=panic "$@"
}

# qemu_x86 ARGUMENT...: a machine for the kernel $guest, or $image, with $cpus
# processors. The guest ends by a reset, for which QEMU ends too.
qemu_x86() {
	exec qemu-system-x86_64 -M pc -smp "${cpus:-1},sockets=${cpus:-1},cores=1,threads=1" \
		-nographic -nodefaults -serial stdio -monitor none -no-reboot \
		-kernel "${image:-$guest/arch/x86/boot/bzImage}" "$@"
}

# kvm_works: KVM can be there and not work, as a nested one. Without a program
# to run the kernel panics, which ends it.
kvm_works() {
	local log=$SEQLZ_CACHE/kvm.log

	[ -w /dev/kvm ] || return 1
	cpus=1 run_guest "$log" 20 qemu_x86 -m 256 -accel kvm -cpu host \
		-append "console=ttyS0 panic=-1 reboot=k" &&
		grep -q 'not syncing' "$log"
}

# start_x86 LOG SECONDS MIB INITRAMFS ARGUMENT...: the kernel in QEMU
start_x86() {
	local log=$1 seconds=$2 mib=$3 initramfs=$4

	shift 4
	if [ -z "${accelerator[*]:-}" ]; then
		accelerator=(-accel "tcg,thread=multi" -cpu qemu64)
		! kvm_works || accelerator=(-accel kvm -cpu host)
	fi
	run_guest "$log" "$seconds" qemu_x86 -m "$mib" -initrd "$initramfs" "${accelerator[@]}" \
		-append "console=ttyS0 panic=-1 reboot=k guest_reset=1 kasan.fault=panic $*"
}

# boot_guest LOG SECONDS ARGUMENT...: user-mode Linux, which must end well
boot_guest() {
	local log=$1 seconds=$2 status=0

	start_uml "$@" || status=$?
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
