#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# deps.sh PACKAGE-SET...: install what the sets name and the machine lacks.
# Sets: kernel (get and build user-mode Linux), test (all of make test), vm (build
# and boot x86-64 kernels under QEMU), selftest (the kernel's tests of
# zram), bench (plot what the benchmark wrote), matrix (kernels of other architectures
# and compilers), speed (fio), workload (programs to switch between), arm64 (build for
# it, run under QEMU).
set -euo pipefail
. "$(dirname "$0")/lib.sh"

log=$SEQLZ_CACHE/deps.log

# The package of 32-bit libraries. That of the default compiler, gcc-multilib, and
# a compiler for another architecture exclude each other; the one below does not.
multilib() {
	local version

	version=$(gcc -dumpversion)
	echo "gcc-${version%%.*}-multilib"
}

packages() {
	case $1 in
	kernel)
		echo gcc make libc6-dev flex bison bc patch rsync \
			xz-utils bzip2 zstd python3 perl-base
		;;
	test)
		packages vm
		packages selftest
		echo clang llvm "$(multilib)" shellcheck perl libclang-rt-dev \
			sparse qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross
		;;
	vm)
		packages kernel
		echo qemu-system-x86 libelf-dev
		;;
	selftest)
		packages kernel
		echo e2fsprogs util-linux mawk
		;;
	bench)
		packages kernel
		echo gnuplot-nox
		;;
	matrix)
		packages vm
		echo "$(multilib)" qemu-system-arm qemu-system-s390x gcc-aarch64-linux-gnu \
			libc6-dev-arm64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross \
			clang-19 lld-19 llvm-19 coccinelle ocaml
		;;
	speed)
		packages kernel
		echo fio
		;;
	workload)
		packages kernel
		echo perl lua5.4 ruby gawk sqlite3
		;;
	arm64)
		packages kernel
		echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
		;;
	*)
		die "unknown set '$1': deps.sh knows kernel, test, vm, selftest, bench, matrix, speed, workload and arm64"
		;;
	esac
}

# A package that provides the name counts too.
installed() {
	[[ $provided = *" $1,"* ]]
}

install() {
	[ "$(id -u)" = 0 ] ||
		die "packages are missing; run as root: apt-get install -y --no-install-recommends $*"
	need_disk 100 "installing packages"
	say "installing $*"
	export DEBIAN_FRONTEND=noninteractive
	apt-get -qq update >"$log" 2>&1 ||
		die "apt-get update failed, is there a network? See $log"
	apt-get -qq install -y --no-install-recommends "$@" </dev/null >>"$log" 2>&1 ||
		die "apt-get could not install $*: see $log"
}

if ! command -v dpkg-query || ! command -v apt-get; then
	die "this needs Debian or Ubuntu: there is no apt-get on this machine"
fi >/dev/null
provided=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}, ${Provides},\n' | sed -n '/^.i/{s/ ([^)]*)//g; p}')

# what the set test needs depends on the compiler
command -v gcc >/dev/null || set -- kernel "$@"
for set in "${@:-kernel}"; do
	missing=()
	list=$(packages "$set")
	for package in $list; do
		installed "$package" || missing+=("$package")
	done
	[ ${#missing[@]} -eq 0 ] || install "${missing[@]}"
done
