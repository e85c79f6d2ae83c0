#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# mutation-test.sh [--quick] [NAME...]: break the codec on purpose, one fault at
# a time, and show that the tests see it.
#
# NAME...	only these faults
# --quick	a few seconds of fuzzing, no results are written, and without a NAME
#		only those faults that every layer must see
# KERNEL=1	with the layers that boot a kernel
# LAYERS="..."	only these of unit, fuzz, kunit and swap
# REST=1	only what results/mutations.tsv does not have of these sources, so
#		this can be ended at any time and started again
# FUZZ_SECONDS=n	for how long each fuzz target runs (10)
# ZCOMP, KDIR, VERSION	which kernel, see kernel-tree.sh and kernel-source.sh
#
# All of it happens in a copy of the repository, and with a kernel of its own.
# There the layers, which are the unit tests, the fuzz targets, the KUnit suites
# and swap in a kernel, must pass first; then each fault must be seen by one of
# them, and by each of them that can. The last line is "mutations: N passed, N
# failed". results/mutations.tsv has a row for each fault; logs stay in the
# cache.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/results.sh"

tsv=$SEQLZ_ROOT/results/mutations.tsv
logs=$SEQLZ_CACHE/mutations
kernel_cache=$SEQLZ_CACHE/mutations/kernel
all_layers=(unit fuzz kunit swap)
# longer than any layer takes that finds nothing, once its kernel is built
layer_seconds=1800
decoder=lib/seqlz/seqlz_decompress.c
encoder=lib/seqlz/seqlz_encode.c

# The faults: a name, a file, and a sed expression that must change exactly one
# line of it. Those with the same effect as another check behind them are left
# out: a sequence that ends behind the input, for example, is also refused where
# the next one starts, or at the end.
names=() files=() edits=()

# fault NAME FILE SED
fault() {
	names+=("$1") files+=("$2") edits+=("$3")
}

# what the decoder checks
fault offset-fast $decoder 's/ || op + offset < r\.block)) {/)) {/'
fault offset-long $decoder 's/^\t    op + l\.lit_len + l\.offset < r->block)/\t    false)/'
fault offset-careful $decoder '/s->r\.op + l\.lit_len + l\.offset < s->r\.block ||/d'
fault room-fast $decoder 's/room < 0 || lit > r\.lit_stop/lit > r.lit_stop/'
fault room-careful $decoder 's/ || l\.match_len > dec_room(&s->r) + DEC_COPY ||/ ||/'
fault literals-careful $decoder 's/l\.lit_len > dec_lits_left(s) || //'
fault input-left $decoder 's/(pos + 7) \/ 8 != in_len || //'
fault padding-sequences $decoder 's/ != in_len || !br_padding_ok(in, pos))/ != in_len)/'
fault padding-front $decoder 's/!br_padding_ok(in, l\.front\[k\]) || //'
fault padding-back $decoder 's/ || !br_back_padding_ok(in, l\.back\[k\]))/)/'
fault padding-one $decoder 's/pos > 8 \* l->len || !br_padding_ok(l->in, pos)/pos > 8 * l->len/'
fault streams-meet $decoder 's/(l\.front\[k\] + 7) >> 3 != l\.back\[k\] >> 3 ||/false ||/'
fault streams-gap $decoder 's/(l\.front\[k\] + 7) >> 3 != l\.back\[k\] >> 3 ||/(l.front[k] + 7) >> 3 > l.back[k] >> 3 ||/'
fault parts-length $decoder 's/return used > l->len || /return /'
fault raw-length $decoder 's/if (nr_lits > in_len - used || wide)/if (wide)/'
fault parts-width $decoder 's/ || needed != wide ? / ? /'
fault sequences-number $decoder 's/s->r\.pos >= 0 || s->r\.seqs >= 0/s->r.pos >= 0/'
fault stored-length $decoder 's/if (in_len != SEQLZ_STORED_SIZE)/if (false)/'
fault block-length $decoder 's/if (len > src_len)/if (false)/'
fault literals-margin $decoder 's/last = 8 \* (l->len - DEC_LOAD)/last = 8 * l->len/'

# what the decoder makes
fault pattern-3 $decoder 's/0x0001000001000001ULL/0x0000000001000001ULL/'
fault copy-length $decoder 's/if (match_len > 16)/if (match_len > 24)/'
fault literals-end $decoder 's/lits + nr_lits - DEC_COPY;/lits + nr_lits;/'
fault table-symbol lib/seqlz/gen_seqlz_tables.c \
	's/SEQLZ_SYM_ENTRY(c->len\[sym\], sym)/SEQLZ_SYM_ENTRY(c->len[sym], sym == 65 ? 66 : sym)/'

# the encoder
fault offset-shift $encoder 's/SEQLZ_CLASS_NEAR8, 5, 3)/SEQLZ_CLASS_NEAR8, 5, 2)/'
fault raw-bound $encoder 's/^\tif (end - p < nr)$/\tif (false)/'
fault writer-bound lib/seqlz/seqlz_bits.h 's/if (bw->p == bw->end)/if (false)/'
fault fast-bound lib/seqlz/seqlz_fast.c 's/to_end - to < nr + FAST_LIT_COPY/to_end - to < nr/'
fault fast-sequences lib/seqlz/seqlz_fast.c 's/++nr_seqs == SEQLZ_MAX_SEQS/++nr_seqs == SEQLZ_BLOCK_SIZE/'
fault parse-sequences lib/seqlz/seqlz_private.h 's/return sw->nr + 2 > sw->end;/return sw->nr == SEQLZ_BLOCK_SIZE;/'
fault fast-memory lib/seqlz/seqlz_fast.c '/^\tmemset(mem->head, 0, sizeof(mem->head));$/d'
fault match-length lib/seqlz/seqlz_parse.c 's/(len >= SEQLZ_MIN_MATCH) & //'

# A table entry and a bound that every layer must see, whatever the others do
everywhere=(table-symbol room-fast)

# Objects that the encoder writes are all that swap brings to the decoder: most
# faults are in what it does with others. It takes part in these.
swap_faults=(table-symbol room-fast pattern-3 copy-length)

# Why a layer cannot see a fault
declare -A blind=(
	[block-length:kunit]="pages of 4 KiB are one block"
)

# copy_repository: without what was built in it, unless there is little time
copy_repository() {
	local build=./tools/seqlz/build exclude=(./.git)

	if [ $quick = 1 ]; then
		exclude+=("$build/fuzz/found" "$build/fuzz/corpus" "$build/fuzz/seeds")
	else
		exclude+=("$build")
	fi
	mkdir "$copy"
	tar -C "$SEQLZ_ROOT" "${exclude[@]/#/--exclude=}" -cf - . | tar -C "$copy" -xf -
}

# mutate K: fault K into the copy; the file as it was is kept
mutate() {
	local file=$copy/${files[$1]} hunks

	cp "$file" "$work/original"
	sed "${edits[$1]}" "$work/original" >"$work/mutated"
	hunks=$(diff "$work/original" "$work/mutated" | grep '^[0-9]' || true)
	[[ $hunks =~ ^[0-9]+(c|d)[0-9]+$ ]] ||
		die "the fault ${names[$1]} must change one line of ${files[$1]}, but changes '${hunks//$'\n'/ }': write its sed expression anew in $0"
	cp "$work/mutated" "$file"
}

unmutate() {
	cp "$work/original" "$copy/${files[$1]}"
}

# prepare_kernel: a cache with a tree that shares its files with the one of the
# other commands, but not the seqlz in it
prepare_kernel() {
	local source name

	mkdir -p "$kernel_cache/src"
	exec 8>"$kernel_cache/busy"
	flock -n 8 || die "another one runs with a kernel in $kernel_cache: wait for its end"
	[ -z "${KDIR:-}" ] || return 0
	source=$("$SEQLZ_ROOT/scripts/kernel-source.sh")
	name=$(basename "$source")
	if [ ! -d "$kernel_cache/src/$name" ]; then
		rm -rf "$kernel_cache/src/new"
		cp -al "$source" "$kernel_cache/src/new" || die "$source could not be copied to $kernel_cache"
		[ ! -d "$source/.seqlz" ] || KDIR=$kernel_cache/src/new "$SEQLZ_ROOT/scripts/apply.sh" --undo
		mv -T "$kernel_cache/src/new" "$kernel_cache/src/$name"
	fi
	ln -sfn "$name" "$kernel_cache/src/${VERSION:-newest}"
}

# run_layer LAYER LOG: its status
run_layer() {
	local status=0 command

	case $1 in
	unit) command=(env QUICK=1 tests/run-unit.sh gcc-asan) ;;
	fuzz)
		# what cannot be built was not seen by a test
		make -s -C "$copy/tools/seqlz" -j"$(nproc)" fuzz-build >"$2" 2>&1 ||
			die "the fuzz targets could not be built: see $2"
		command=(env FUZZ_SECONDS="$fuzz_seconds" fuzz/run-fuzz.sh)
		;;
	kunit) command=(env SEQLZ_CACHE="$kernel_cache" "$copy/scripts/kunit.sh") ;;
	swap) command=(env SEQLZ_CACHE="$kernel_cache" "$copy/scripts/swap-test.sh") ;;
	esac
	(cd "$copy/tools/seqlz" && timeout -k 10 "$layer_seconds" "${command[@]}") \
		</dev/null >"$2" 2>&1 8>&- || status=$?
	return $status
}

# found_something LAYER LOG: a fuzz target also fails if it was too slow to come
# to the end of its seeds, which no fault need be the cause of
found_something() {
	[ "$1" != fuzz ] || grep -q 'not true:\|ERROR: \|runtime error:' "$2"
}

# seen_otherwise LAYER LOG: how a layer that came to no end saw the fault
seen_otherwise() {
	case $1 in
	fuzz)
		! grep -q 'not true:\|ERROR: AddressSanitizer\|runtime error:' "$2" || echo seeds
		;;
	kunit)
		! grep -q '^error: the guest ended with status\|^error: .* kernel reported' "$2" ||
			! grep -q 'BUG:\|WARNING:\|UBSAN:\|Kernel panic\|Kernel mode fault' "$2" || echo report
		;;
	swap)
		if grep -q '^error: the kernel complained: ' "$2"; then
			echo report
		elif grep -q '^error: .*: failed with status 0x' "$2"; then
			echo pages
		fi
		;;
	esac
}

# look LAYER NAME: what the layer finds: "-", or how many of it failed, or a
# word for how else it saw the fault
look() {
	local layer=$1 log=$logs/$2-$1.log status=0 word

	run_layer "$layer" "$log" || status=$?
	[[ $status != 124 && $status != 137 ]] ||
		die "the layer $layer did not end in $layer_seconds seconds: see $log"
	! grep -q 'does not build: FAILED' "$log" || die "the unit tests could not be built: see $log"
	if [[ $(tail -n 1 "$log") =~ ^$layer(-test)?:\ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		if [ $status -eq 0 ] && [ "${BASH_REMATCH[2]}" -gt 0 ] && [ "${BASH_REMATCH[3]}" -eq 0 ]; then
			echo -
			return
		elif [ $status -ne 0 ] && [ "${BASH_REMATCH[3]}" -gt 0 ] && found_something "$layer" "$log"; then
			echo "${BASH_REMATCH[3]}"
			return
		fi
	elif [ $status -ne 0 ]; then
		word=$(seen_otherwise "$layer" "$log")
		[ -z "$word" ] || {
			echo "$word"
			return
		}
	fi
	die "the layer $layer could not run to its end: see $log"
}

# read_results: the cells that were made of the same, and of how many tests
read_results() {
	local row name k layer number

	grep -qxF "# $made_of" "$tsv" 2>/dev/null || return 0
	for layer in "${all_layers[@]}"; do
		number=$(sed -nE "s/^# a cell says.*, $layer: of ([0-9]+).*/\1/p" "$tsv")
		tests[$layer]=${tests[$layer]:-$number}
	done
	while IFS=$'\t' read -ra row; do
		name=${row[0]}
		[[ " ${names[*]} " == *" $name "* ]] || continue
		for k in "${!all_layers[@]}"; do
			[[ ${row[k + 2]:-.} = . ]] || cells[$name:${all_layers[k]}]=${row[k + 2]}
		done
	done <"$tsv"
}

# takes_part LAYER NAME: is the layer for this fault?
takes_part() {
	[ "$1" != swap ] || [[ " ${swap_faults[*]} " == *" $2 "* ]]
}

# wanted LAYER NAME: is it among those to make?
wanted() {
	takes_part "$1" "$2" || return 1
	[ -z "${REST:-}" ] || [ -z "${cells[$2:$1]:-}" ] || return 1
	[ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $2 "* ]]
}

write_results() {
	local k layer key

	[ $quick = 0 ] || return 0
	{
		# no kernel need take part
		results_head "make mutations" "$copy" 2>/dev/null | sed '/^# kernel tree/d'
		echo "# $made_of"
		echo "# a cell says how many of a layer's tests failed$(of_how_many)"
		echo "# seeds: the fuzzer's first inputs could not be made; report: the guest's kernel found a fault and ended"
		echo "# pages: pages came back different; -: the layer saw nothing; .: it was not run"
		for key in "${!blind[@]}"; do
			echo "# ${key#*:} cannot see ${key%:*}: ${blind[$key]}"
		done | sort
		(IFS=$'\t'; printf 'fault\tfile\t%s\n' "${all_layers[*]}")
		for k in "${!names[@]}"; do
			printf '%s\t%s' "${names[k]}" "${files[k]##*/}"
			for layer in "${all_layers[@]}"; do
				printf '\t%s' "${cells[${names[k]}:$layer]:-.}"
			done
			echo
		done
	} >"$tsv.new"
	mv "$tsv.new" "$tsv"
}

# of_how_many: tests there are in each layer that was run
of_how_many() {
	local layer

	for layer in "${all_layers[@]}"; do
		[ -z "${tests[$layer]:-}" ] || printf ', %s: of %s' "$layer" "${tests[$layer]}"
	done
}

# judge NAME: what all layers together say of the fault
judge() {
	local name=$1 layer cell line="" seen=0 missed=() could=0

	for layer in "${all_layers[@]}"; do
		cell=${cells[$name:$layer]:-}
		[ -n "$cell" ] || continue
		line+=", $layer: $cell"
		[ -n "${blind[$name:$layer]:-}" ] || could=1
		if [ "$cell" != - ]; then
			seen=1 saw[$layer]=1
		elif [ "$layer" = kunit ] && [ -z "${blind[$name:kunit]:-}" ]; then
			missed+=("$layer")
		elif [[ " ${everywhere[*]} " == *" $name "* ]]; then
			missed+=("$layer")
		fi
	done
	if [ $seen = 0 ] && [ $could = 0 ]; then
		echo "  $name: none of these layers can see it"
	elif [ $seen = 0 ]; then
		not_ok "$name: no layer saw it"
	elif [ ${#missed[@]} -gt 0 ]; then
		not_ok "$name: should be seen by ${missed[*]}, too${line}"
	else
		ok
		printf '  %-18s%s\n' "$name" "${line#,}"
	fi
}

# sources: a sum of what makes the rows
sources() {
	(cd "$copy" && cat lib/seqlz/*.[ch] lib/seqlz/tests/*.[ch] \
		tools/seqlz/{tests,fuzz}/*.{c,h,sh,mk} tools/seqlz/guest/*.[ch] |
		sha256sum | cut -c1-16)
}

# count_passed LAYER: of the copy as it was
count_passed() {
	sed -nE "s/^$1(-test)?: ([0-9]+) passed, 0 failed\$/\2/p" "$logs/none-$1.log"
}

quick=0
if [ "${1:-}" = --quick ]; then
	quick=1
	shift
	[ $# -gt 0 ] || set -- "${everywhere[@]}"
	REST=""
fi
only=("$@")
for name in "$@"; do
	[[ " ${names[*]} " == *" $name "* ]] || die "there is no fault '$name': choose from ${names[*]}"
done
fuzz_seconds=${FUZZ_SECONDS:-$([ $quick = 1 ] && echo 4 || echo 10)}
[[ $fuzz_seconds =~ ^[1-9][0-9]*$ ]] ||
	die "FUZZ_SECONDS=$fuzz_seconds is no number of seconds: give 1 or more"
read -ra layers <<<"${LAYERS:-unit fuzz${KERNEL:+ kunit swap}}"
for layer in "${layers[@]}"; do
	[[ " ${all_layers[*]} " == *" $layer "* ]] ||
		die "there is no layer '$layer': choose from ${all_layers[*]}"
done
"$SEQLZ_ROOT/scripts/deps.sh" test
need_disk 1000 "a copy of the repository and its builds"
mkdir -p "$logs"
rm -f "$logs"/*.log
[[ " ${layers[*]} " != *" kunit "* && " ${layers[*]} " != *" swap "* ]] || prepare_kernel
work=$(mktemp -d "$SEQLZ_CACHE/mutations.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
copy=$work/seqlz
copy_repository
made_of="sources: $(sources), each fuzz target ran for $fuzz_seconds s"

# all of them must fit before long runs go into some
for k in "${!names[@]}"; do
	mutate "$k"
	unmutate "$k"
done

say "running the tests on the codec as it is"
[[ " ${layers[*]} " != *" kunit "* && " ${layers[*]} " != *" swap "* ]] ||
	say "before that a kernel is built, which takes minutes the first time"
declare -A saw=() took_part=() cells=() tests=()
for layer in "${layers[@]}"; do
	found=$(layer_seconds=7200 look "$layer" none)
	[ "$found" = - ] || die "the layer $layer fails without any fault: see $logs/none-$layer.log"
	tests[$layer]=$(count_passed "$layer")
done

[ $quick = 1 ] || read_results
for k in "${!names[@]}"; do
	name=${names[$k]} made=0
	for layer in "${layers[@]}"; do
		wanted "$layer" "$name" || continue
		if [ $made = 0 ]; then
			say "making the fault $name, $(elapsed)"
			mutate "$k"
			made=1
		fi
		found=$(look "$layer" "$name")
		cells[$name:$layer]=$found took_part[$layer]=1
	done
	[ $made = 1 ] || continue
	unmutate "$k"
	write_results
	judge "$name"
done
[ ${#took_part[@]} -gt 0 ] || die "$tsv has every fault of these sources: leave REST=1 out to make them again"
for layer in "${layers[@]}"; do
	if [ -n "${saw[$layer]:-}" ]; then
		ok
	elif [ -n "${took_part[$layer]:-}" ]; then
		not_ok "the layer $layer saw none of the faults"
	fi
done
[ $quick = 1 ] || say "the table is in $tsv"
say "took $(elapsed)"
finish mutations
