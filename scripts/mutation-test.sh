#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# mutation-test.sh [NAME...]: break the codec on purpose, one fault at a time,
# and show that the tests see it.
#
# NAME...	only these faults
# REST=1	only those that results/mutations.tsv does not have of these
#		sources, so this can be ended at any time and started again
# FUZZ_SECONDS=n	for how long each fuzz target runs (10)
#
# All of it happens in a copy of the repository. There the layers, the unit
# tests and the fuzz targets, must pass first; then each fault must be seen by
# one of them, and each of them must see one. The last line is "mutations: N
# passed, N failed". results/mutations.tsv has a row for each fault; logs stay in
# the cache.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/results.sh"

tsv=$SEQLZ_ROOT/results/mutations.tsv
logs=$SEQLZ_CACHE/mutations
layers=(unit fuzz)
# longer than any layer takes that finds nothing
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
fault offset-fast $decoder 's/ || op + offset < r\.page))/))/'
fault offset-long $decoder 's/^\t    op + l\.lit_len + l\.offset < r->page)/\t    false)/'
fault offset-careful $decoder '/s->r\.op + l\.lit_len + l\.offset < s->r\.page ||/d'
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
fault parts-length $decoder 's/^\tif (used > in_len)$/\tif (false)/'
fault raw-length $decoder 's/if (nr_lits > in_len - used)/if (false)/'
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
fault fast-memory lib/seqlz/seqlz_fast.c '/^\tmemset(mem->head, 0, sizeof(mem->head));$/d'
fault match-length lib/seqlz/seqlz_parse.c 's/(len >= SEQLZ_MIN_MATCH) & //'

# copy_repository: without what was built in it
copy_repository() {
	mkdir "$copy"
	tar -C "$SEQLZ_ROOT" --exclude=./.git --exclude=./tools/seqlz/build -cf - . | tar -C "$copy" -xf -
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

# run_layer LAYER LOG: its status
run_layer() {
	local status=0 command=(env QUICK=1 tests/run-unit.sh gcc-asan)

	if [ "$1" = fuzz ]; then
		# what cannot be built was not seen by a test
		make -s -C "$copy/tools/seqlz" -j"$(nproc)" fuzz-build >"$2" 2>&1 ||
			die "the fuzz targets could not be built: see $2"
		command=(env FUZZ_SECONDS="${FUZZ_SECONDS:-10}" fuzz/run-fuzz.sh)
	fi
	(cd "$copy/tools/seqlz" && timeout -k 10 "$layer_seconds" "${command[@]}") \
		</dev/null >"$2" 2>&1 || status=$?
	return $status
}

# look LAYER NAME: what the layer finds: "-", or how many of it failed, or
# "seeds" if the inputs for fuzzing could not even be made
look() {
	local layer=$1 log=$logs/$2-$1.log status=0

	run_layer "$layer" "$log" || status=$?
	[[ $status != 124 && $status != 137 ]] ||
		die "the layer $layer did not end in $layer_seconds seconds: see $log"
	! grep -q 'does not build: FAILED' "$log" || die "the unit tests could not be built: see $log"
	if [[ $(tail -n 1 "$log") =~ ^$layer:\ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		if [ $status -eq 0 ] && [ "${BASH_REMATCH[1]}" -gt 0 ] && [ "${BASH_REMATCH[2]}" -eq 0 ]; then
			echo -
			return
		elif [ $status -ne 0 ] && [ "${BASH_REMATCH[2]}" -gt 0 ]; then
			echo "${BASH_REMATCH[2]}"
			return
		fi
	elif [ "$layer" = fuzz ] && grep -q 'not true:\|ERROR: AddressSanitizer\|runtime error:' "$log"; then
		echo seeds
		return
	fi
	die "the layer $layer could not run to its end: see $log"
}

# read_results: the rows that were made of the same
read_results() {
	local name row

	grep -qxF "# $made_of" "$tsv" 2>/dev/null || return 0
	while IFS= read -r row; do
		name=${row%%$'\t'*}
		[[ " ${names[*]} " != *" $name "* ]] || rows[$name]=$row
	done <"$tsv"
}

# wanted NAME: is it among those to make?
wanted() {
	[ -z "${REST:-}" ] || [ -z "${rows[$1]:-}" ] || return 1
	[ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $1 "* ]]
}

write_results() {
	local name

	{
		# no kernel takes part
		results_head "make mutations" "$copy" 2>/dev/null | sed '/^# kernel tree/d'
		echo "# $made_of"
		echo "# a row says how many of a layer's tests failed: of $unit_tests unit tests, of $fuzz_targets fuzz targets;"
		echo "# seeds: the fuzzer's first inputs could not be made; -: the layer saw nothing"
		printf 'fault\tfile\t%s\t%s\n' "${layers[@]}"
		for name in "${names[@]}"; do
			[ -z "${rows[$name]:-}" ] || printf '%s\n' "${rows[$name]}"
		done
	} >"$tsv.new"
	mv "$tsv.new" "$tsv"
}

# sources: a sum of what makes the rows
sources() {
	(cd "$copy" && cat lib/seqlz/*.[ch] tools/seqlz/{tests,fuzz}/*.{c,h,sh,mk} |
		sha256sum | cut -c1-16)
}

# count_passed LAYER: of the copy as it was
count_passed() {
	sed -n "s/^$1: \([0-9]*\) passed, 0 failed\$/\1/p" "$logs/none-$1.log"
}

only=("$@")
for name in "$@"; do
	[[ " ${names[*]} " == *" $name "* ]] || die "there is no fault '$name': choose from ${names[*]}"
done
[[ ${FUZZ_SECONDS:-10} =~ ^[1-9][0-9]*$ ]] ||
	die "FUZZ_SECONDS=$FUZZ_SECONDS is no number of seconds: give 1 or more"
"$SEQLZ_ROOT/scripts/deps.sh" test
need_disk 1000 "a copy of the repository and its builds"
work=$(mktemp -d "$SEQLZ_CACHE/mutations.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
copy=$work/seqlz
mkdir -p "$logs"
rm -f "$logs"/*.log
copy_repository
made_of="sources: $(sources), each fuzz target ran for ${FUZZ_SECONDS:-10} s"

# all of them must fit before long runs go into some
for k in "${!names[@]}"; do
	mutate "$k"
	unmutate "$k"
done

say "running the tests on the codec as it is"
for layer in "${layers[@]}"; do
	found=$(look "$layer" none)
	[ "$found" = - ] || die "the layer $layer fails without any fault: see $logs/none-$layer.log"
done
unit_tests=$(count_passed unit)
fuzz_targets=$(count_passed fuzz)

declare -A saw=() rows=()
read_results
for k in "${!names[@]}"; do
	name=${names[$k]}
	wanted "$name" || continue
	say "making the fault $name, $(elapsed)"
	mutate "$k"
	row="$name	${files[$k]##*/}" line="" seen=0
	for layer in "${layers[@]}"; do
		found=$(look "$layer" "$name")
		row+="	$found"
		line+=", $layer: $found"
		[ "$found" = - ] || seen=1 saw[$layer]=1
	done
	unmutate "$k"
	rows[$name]=$row
	write_results
	if [ $seen = 1 ]; then
		ok
		printf '  %-18s%s\n' "$name" "${line#,}"
	else
		not_ok "$name: no layer saw it"
	fi
done
[ $((passed + failed)) -gt 0 ] || die "$tsv has every fault of these sources: leave REST=1 out to make them again"
for layer in "${layers[@]}"; do
	if [ -n "${saw[$layer]:-}" ]; then
		ok
	else
		not_ok "the layer $layer saw none of the faults"
	fi
done
say "the table is in $tsv, took $(elapsed)"
finish mutations
