#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel-matrix.sh [CELL...]: build kernels for other architectures, page sizes and
# compilers, boot each under emulation, run the KUnit suites in it and swap pages
# through seqlz at levels 1, 2 and 4. Without a CELL all of them, one after the
# other.
#
# The cells um-seqlz-X-zram-Y are user-mode Linux with seqlz and zram built in (y),
# as modules (m) or without zram (n); um-backends-m is zram as a module with every
# backend. ARCH-allmodconfig builds the objects of lib/seqlz and drivers/block/zram
# with W=1 in a kernel with all that can be a module as one; coccicheck runs the
# kernel's semantic patches on both directories; x86_64-kmsan looks for what is
# read before it was written.
#
# REST=1	only those that results/kernel-matrix.tsv lacks for these sources
# RESULTS=file	where the rows go, instead of results/kernel-matrix.tsv
# KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
#
# A row of the same kernel and cell is replaced. Last line: counts.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/results.sh"
. "$(dirname "$0")/debug-guest.sh"
. "$(dirname "$0")/kunit-log.sh"

configs=$SEQLZ_ROOT/configs
results=${RESULTS:-$SEQLZ_ROOT/results/kernel-matrix.tsv}
cells=(arm64-16k arm64-4k arm64-64k s390x i386-highmem x86_64 x86_64-clang-cfi x86_64-kmsan
	um-seqlz-m-zram-m um-seqlz-y-zram-m um-seqlz-y-zram-y um-seqlz-m-zram-n
	um-seqlz-y-zram-n um-backends-m x86_64-allmodconfig x86_64-clang-allmodconfig coccicheck)
columns="kernel	cell	arch	page size	compiler	test	passed	failed	date	sources	commit"
levels=(1 2 4)

# describe CELL: what is built and booted, and which tests are its rows
describe() {
	arch=x86_64 cross="" make="" mib=128 copies=8 tests=(kunit swap) sign=""
	modules=() options=() build_name=$1 kind=kernel
	fragments=(emulated) image=arch/x86/boot/bzImage console=ttyS0 append=""
	serial=(-serial chardev:c0)
	machine=(qemu-system-x86_64 -M pc -cpu qemu64)
	case $1 in
	arm64-*)
		arch=arm64 cross=aarch64-linux-gnu- fragments+=(arm64 "$1")
		image=arch/arm64/boot/Image console=ttyAMA0
		machine=(qemu-system-aarch64 -M virt -cpu max)
		[ "$1" != arm64-64k ] || mib=192
		;;
	s390x)
		arch=s390 cross=s390x-linux-gnu- fragments+=(s390)
		image=arch/s390/boot/bzImage console=ttysclp0
		serial=(-device "sclpconsole,chardev=c0")
		machine=(qemu-system-s390x -M s390-ccw-virtio -cpu max)
		;;
	i386-highmem)
		arch=i386 fragments+=(i386) append="highmem=64M"
		machine=(qemu-system-i386 -M pc -cpu qemu32)
		;;
	x86_64)
		fragments+=(x86)
		;;
	x86_64-clang-cfi)
		fragments+=(x86 cfi) make=LLVM=-19
		;;
	x86_64-kmsan)
		# two bytes more of each byte
		fragments+=(x86 kmsan) make=LLVM=-19 mib=512
		sign="Starting KernelMemorySanitizer"
		;;
	um-seqlz-[my]-zram-[myn] | um-backends-m)
		describe_modules "$1"
		;;
	x86_64-allmodconfig)
		kind=objects tests=(W=1)
		;;
	x86_64-clang-allmodconfig)
		kind=objects tests=(W=1) make=LLVM=-19
		;;
	coccicheck)
		kind=coccicheck tests=(coccicheck)
		;;
	*)
		die "there is no cell '$1': choose from ${cells[*]}"
		;;
	esac
	[ -z "$cross" ] || make=CROSS_COMPILE=$cross
}

# describe_modules CELL: seqlz and zram built in or as modules, in user-mode Linux,
# of which only these are built anew from one cell to the next. zram selects seqlz,
# so zram=y must make seqlz=y of what asks for seqlz=m. The suite of the backend
# needs zram built in. A test that is a module runs when it is loaded.
describe_modules() {
	local seqlz=m zram=m

	arch=um build_name=modules fragments=(uml modules) image="linux modules"
	[[ $1 != um-seqlz-?-zram-? ]] || seqlz=${1:9:1} zram=${1:16:1}
	options=(KUNIT=y "SEQLZ=$seqlz")
	if [ "$zram" = n ]; then
		options+=("SEQLZ_ENABLE_FOR_KUNIT=$seqlz" "SEQLZ_KUNIT_TEST=$seqlz")
		tests=(kunit)
	elif [ "$zram" = y ]; then
		options+=(SEQLZ_ENABLE_FOR_KUNIT=m SEQLZ_KUNIT_TEST=y SEQLZ_ZRAM_KUNIT_TEST=y)
	else
		options+=(SEQLZ_KUNIT_TEST=m)
		[ "$seqlz" = m ] || options+=(SEQLZ_ENABLE_FOR_KUNIT=y)
	fi
	if [ "$1" = um-backends-m ]; then
		fragments+=(zram)
		modules=(lz4_compress lz4hc_compress lz4_decompress 842_compress 842_decompress)
	fi
	if [ "$zram" != n ]; then
		options+=("ZSMALLOC=$zram" "ZRAM=$zram" ZRAM_BACKEND_SEQLZ=y ZRAM_DEF_COMP_SEQLZ=y
			'ZRAM_DEF_COMP="seqlz"')
	fi
	[ "$seqlz" = y ] || modules+=(seqlz)
	[ "$zram" != m ] || modules+=(zsmalloc zram)
	[[ " ${options[*]} " != *" SEQLZ_KUNIT_TEST=m "* ]] || modules+=(seqlz_kunit)
}

# build CELL: sets guest
build() {
	local files=("${fragments[@]/%/.config}") targets=${image##*/}

	files=("${files[@]/#/$configs/}")
	if [ ${#options[@]} -eq 0 ]; then
		files+=("$configs/kunit.config")
	else
		printf 'CONFIG_%s\n' "${options[@]}" >"$work/$1.config"
		files+=("$work/$1.config")
	fi
	guest=$(KMAKE=$make TARGETS=$targets "$SEQLZ_ROOT/scripts/build-kernel.sh" \
		"$build_name" "$arch" "${files[@]}")
}

# boot CELL: KUnit runs while the kernel starts, then the swap
boot() {
	local cc=(gcc) algs args

	[ "$arch" != i386 ] || cc=(gcc -m32 -isystem "/usr/include/$(gcc -print-multiarch)")
	[ -z "$cross" ] || cc=("${cross}gcc")
	find_modules
	guest_cc=${cc[*]} make_initramfs "$work/initramfs" init.c "$work/pages" "${module_files[@]}"
	algs=$(printf 'seqlz:%s,' "${levels[@]}")
	args=('kunit.filter_glob=seqlz*')
	[[ " ${tests[*]} " != *" swap "* ]] || args+=("swap_algs=${algs%,}" "swap_copies=$copies")
	[ ${#modules[@]} -eq 0 ] || args+=("swap_modules=$(IFS=,; echo "${modules[*]}")")
	say "booting $1"
	if [ "$arch" = um ]; then
		start_uml "$log.boot" 1500 "mem=${mib}M" "initrd=$work/initramfs" "${args[@]}"
		return
	fi
	run_guest "$log.boot" 1500 "${machine[@]}" -smp 1 -m "$mib" -accel tcg -nographic \
		-nodefaults -chardev stdio,id=c0 "${serial[@]}" -monitor none -no-reboot \
		-kernel "$guest/$image" -initrd "$work/initramfs" \
		-append "console=$console panic=-1 reboot=k guest_reset=1 ${args[*]} $append"
}

# find_modules: sets module_files. The guest unloads what it loads, and all that was
# built as a module of seqlz and zram is loaded.
find_modules() {
	local name file

	module_files=()
	for name in "${modules[@]}"; do
		file=$(find "$guest" -name "$name.ko")
		[ -n "$file" ] || die "the module $name was not built: see $guest/.config"
		module_files+=("$file")
	done
	[ "$arch" = um ] || return 0
	while read -r file; do
		name=${file##*/}
		[[ " ${modules[*]} " = *" ${name%.ko} "* ]] ||
			die "$file was built as a module: the cell must not have it"
	done < <(sed 's/\.o$/.ko/' "$guest/modules.order" | grep -E 'seqlz|zram|zsmalloc')
}

# field KEY ALGORITHM: of its line @result or @time
field() {
	grep -aE "^@(result|time) .*\balg=$2 " "$log" | grep -oE "\b$1=[0-9]+" | cut -d= -f2
}

# check_modules: each was unloaded after the test, and so was loaded before it
check_modules() {
	local name

	for name in "${modules[@]}"; do
		grep -qx "@unloaded $name" "$log" || {
			say "the module $name was not loaded and unloaded: see $log"
			kunit_failures=$((kunit_failures + 1))
		}
	done
}

# check_swap: each level swapped pages, and all came back
check_swap() {
	local level in different

	for level in "${levels[@]}"; do
		in=$(field in "seqlz:$level") || in=0
		different=$(field different "seqlz:$level") || different=""
		if [ "${in:-0}" -gt 100 ] && [ "$different" = 0 ]; then
			swap_passed=$((swap_passed + 1))
		else
			swap_failed=$((swap_failed + 1))
		fi
		pages_in=$((pages_in + ${in:-0}))
	done
}

# row CELL TEST PASSED FAILED: replaces that of the same kernel and cell
row() {
	local line

	line=$(printf '%s\t' "$kernel" "$1" "$arch" "$page_size" "$compiler" "$2" "$3" "$4" \
		"$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$sources")$commit
	{
		results_head "make matrix, which replaces the rows of a cell" "$tree" | grep -v '^# \(date\|kernel tree\|compiler\)'
		echo "# $columns"
		{
			[ ! -r "$results" ] || grep -v '^#' "$results" |
				awk -F'\t' -v k="$kernel" -v c="$1" -v t="$2" '!($1 == k && $2 == c && $6 == t)'
			echo "$line"
		} | sort -t "$(printf '\t')" -k1,2 -k6,6
	} >"$results.new"
	mv "$results.new" "$results"
}

# what the rows say of the kernel
describe_kernel() {
	describe_tree "$guest/source"
	page_size=$(sed -n 's/^CONFIG_PAGE_SHIFT=//p' "$guest/.config")
	page_size=$((1 << ${page_size:-12}))
	compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\(.*\)"$/\1/p' "$guest/.config")
}

# describe_tree TREE
describe_tree() {
	kernel=$(make -s -C "$1" kernelversion)
	sources=$(sources_of "$1")
	commit=$(git -C "$SEQLZ_ROOT" rev-parse --short=12 HEAD 2>/dev/null || echo none)
}

# kernel_cell NAME
kernel_cell() {
	local swap_passed=0 swap_failed=0 pages_in=0 status=0 complaint

	build "$1"
	describe_kernel
	log=$guest/matrix-$1.log
	boot "$1" || status=$?
	# the run while the kernel starts has no suite then
	[[ " ${modules[*]} " != *" seqlz_kunit "* ]] || ! grep -aqP '\b1\.\.0\r*$' "$log.boot" ||
		sed -i '1,/\b1\.\.0\r*$/d' "$log.boot"
	read_kunit "$log.boot" "$log" "$guest/source"
	left_out=""
	grep -q '^CONFIG_SEQLZ_ZRAM_KUNIT_TEST=y' "$guest/.config" || left_out=seqlz_zram_kunit.c
	[ "$kunit_failures" -gt 0 ] || (check_all_ran "$log" "$arch") || kunit_failures=1
	check_modules
	[[ " ${tests[*]} " != *" swap "* ]] || check_swap
	if complaint=$(grep -aE -m1 "$reports" "$log"); then
		say "$1: the kernel complained: $complaint (see $log)"
		swap_failed=$((swap_failed + 1))
	elif ! grep -q '^@done ' "$log"; then
		say "$1: the guest did not reach its end, status $status: see $log"
		swap_failed=$((swap_failed + 1))
	elif ! grep -qaF "$sign" "$log"; then
		say "$1: the kernel did not say '$sign': see $log"
		swap_failed=$((swap_failed + 1))
	fi
	if [[ " ${tests[*]} " = *" swap "* ]]; then
		row "$1" swap "$swap_passed" "$swap_failed"
	else
		kunit_failures=$((kunit_failures + swap_failed)) swap_failed=0
	fi
	row "$1" kunit "$kunit_passed" "$kunit_failures"
	echo "$1: $compiler, pages of $page_size: KUnit $kunit_passed passed, $kunit_failures failed; $pages_in pages swapped in, $swap_failed levels failed"
	passed=$((passed + kunit_passed + swap_passed))
	failed=$((failed + kunit_failures + swap_failed))
}

# objects_cell NAME: they are compiled each time, because a warning shows only then
objects_cell() {
	local args object warnings built missing=0 status=0

	read -ra args <<<"$make"
	guest=$SEQLZ_CACHE/build/$1-$(basename "$tree")
	log=$guest.log
	args=(nice -n 10 make -C "$tree" "ARCH=$arch" "O=$guest" "${args[@]}" W=1)
	rm -rf "$guest"/{lib/seqlz,drivers/block/zram}
	mkdir -p "$guest"
	say "building the objects of $1"
	"${args[@]}" -s allmodconfig >"$log" 2>&1 || die "the configuration failed: see $log"
	"${args[@]}" -k -j"$(nproc)" lib/seqlz/ drivers/block/zram/ >>"$log" 2>&1 || status=$?
	describe_kernel
	for object in lib/seqlz/seqlz.o lib/seqlz/tests/seqlz_kunit.o \
		drivers/block/zram/zram.o drivers/block/zram/backend_seqlz.o; do
		[ -s "$guest/$object" ] || missing=$((missing + 1))
	done
	warnings=$(grep -cE '(lib/seqlz|drivers/block/zram)/[^ ]*: (warning|error|fatal error):' "$log") || true
	grep -E '(warning|error):' "$log" | head -n 5 >&2 || true
	built=$(grep -cE '^  CC (\[M\])? +(lib/seqlz|drivers/block/zram)/' "$log") || true
	[ "$status" = 0 ] || missing=$((missing + 1))
	row "$1" W=1 "$built" $((warnings + missing))
	echo "$1: $compiler: $built objects, $warnings warnings, $missing that should be there are not"
	passed=$((passed + built))
	failed=$((failed + warnings + missing))
}

# coccicheck_cell NAME: on copies of the directories, with a fault beside them that
# must be found, since a semantic patch that cannot be run says so and no more
coccicheck_cell() {
	local dir=$work/coccicheck file found count status=0

	guest=$SEQLZ_CACHE/build/$1-$(basename "$tree")
	log=$guest.log
	mkdir -p "$dir"/{lib,drivers/block} "$guest"
	cp -r "$tree/lib/seqlz" "$dir/lib"
	cp -r "$tree/drivers/block/zram" "$dir/drivers/block"
	cat >"$dir/planted.c" <<-END
		void planted(void *p);
		void planted(void *p)
		{
			if (p)
				kfree(p);
		}
	END
	say "running coccicheck"
	nice -n 10 make -C "$tree" ARCH=x86_64 "O=$guest" "M=$dir" MODE=report coccicheck >"$log" 2>&1 || status=$?
	count=$(grep -c '^[^ ]*spatch .*--cocci-file' "$log") || true
	found=$(grep -cE '^(\./|/)?[^ ]*(lib/seqlz/|backend_seqlz)[^ ]*:[0-9]+' "$log") || true
	grep -E -m5 '^(\./|/)?[^ ]*(lib/seqlz/|backend_seqlz)[^ ]*:[0-9]+' "$log" >&2 || true
	if [ "$status" != 0 ] || ! grep -q 'planted\.c:[0-9].*NULL check' "$log"; then
		say "coccicheck did not find the fault that was put in, or failed: see $log"
		found=$((found + 1))
	fi
	arch=- page_size=- compiler="spatch $(spatch --version | sed -n 's/^spatch version \([^ ]*\).*/\1/p')"
	describe_tree "$tree"
	row "$1" coccicheck "$count" "$found"
	echo "$1: $count semantic patches, $found complaints"
	passed=$((passed + count))
	failed=$((failed + found))
}

# cell NAME
cell() {
	describe "$1"
	"${kind}_cell" "$1"
}

# is_done CELL: the file has its rows, of these sources, and nothing failed
is_done() {
	describe "$1"
	[ -r "$results" ] &&
		[ "$(awk -F'\t' -v c="$1" -v s="$(sources_of "$tree")" \
			'$2 == c && $10 == s && $8 == 0 { n++ } END { print n + 0 }' "$results")" -ge ${#tests[@]} ]
}

for name; do
	describe "$name"
done
"$SEQLZ_ROOT/scripts/deps.sh" matrix
tree=$("$SEQLZ_ROOT/scripts/kernel-tree.sh")
work=$(mktemp -d "$SEQLZ_CACHE/matrix.XXXXXX")
trap 'end_guest; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
sample_pages >"$work/pages"
[ $# -gt 0 ] || set -- "${cells[@]}"
for name; do
	if [ -n "${REST:-}" ] && is_done "$name"; then
		say "$name: done before"
		continue
	fi
	cell "$name"
done
finish matrix
