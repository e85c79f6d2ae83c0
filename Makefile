# SPDX-License-Identifier: GPL-2.0-only
# The front door. Every target is a script in scripts/ or a rule of tools/seqlz.

.DEFAULT_GOAL := help

help:
	@sed -n 's/^## //p' Makefile

## make run               swap real pages through seqlz, lz4, lzo-rle and zstd in a kernel
##                        (PAGES=file: your own pages; KDIR=tree: your own kernel)
run:
	@scripts/run.sh

## make test              everything that shows seqlz works; ends with N passed, N failed
test:
	@scripts/test.sh

## make check             the part of it that takes under 3 minutes, for every commit
check:
	@scripts/test.sh --quick

## make mutations         break the codec on purpose, and show that unit tests and fuzzing see it
##                        (KERNEL=1: KUnit and swap in a kernel, too; FAULTS=name...: only these;
##                        FAULTS=--quick: two that all must see; REST=1: only what results/ lacks)
mutations:
	@scripts/mutation-test.sh $(FAULTS)

## make kunit             the KUnit suite in user-mode Linux with KASAN and lockdep
kunit:
	@scripts/kunit.sh

## make stress PAGES=n    swap that many pages in guests with KASAN and lockdep, and compare each
##                        (GUEST=x86 CPUS=2 PREEMPT=lazy: in QEMU; UBSAN_TRAP=1; counts go to results/stress.tsv)
stress:
	@scripts/stress.sh

## make vm                x86-64 in QEMU: zram's roles, and swap with 1 and 2 processors
vm:
	@scripts/vm.sh

## make roles             everything that zram can do with a backend, in user-mode Linux
roles:
	@scripts/roles-test.sh

## make selftest          the kernel's own selftests of zram, in user-mode Linux
selftest:
	@scripts/selftest.sh

## make matrix            kernels of other architectures, page sizes and compilers: KUnit and swap in each
##                        (CELLS="name...": only these; REST=1: only those results/ lacks)
matrix:
	@scripts/kernel-matrix.sh $(CELLS)

## make source            get, verify and unpack the newest kernel the package mirror has
source:
	@scripts/kernel-source.sh --update

## make apply KDIR=tree   put seqlz into a kernel tree; make unapply KDIR=tree takes it out
apply:
	@scripts/apply.sh

unapply:
	@scripts/apply.sh --undo

## make bench             seqlz against the kernel's other codecs on real pages: size, time, score
##                        (PAGES="file...": your own pages; BENCH="option...": see scripts/bench.sh)
bench:
	@scripts/bench.sh $(BENCH) $(PAGES)

## make bench-plot        memory against time of the last make bench, as SVG and PNG
bench-plot:
	@scripts/bench-plot.sh

## make bench-arm64       instructions a page of an arm64 build under QEMU, and the same sizes
bench-arm64:
	@scripts/bench-arm64.sh $(PAGES)

## make speed             swap-out, swap-in, faults and direct reads in a kernel, by algorithm
##                        (ALGS="..."; PASSES=n)
speed:
	@scripts/speed.sh

## make latency           reads of a process that must not wait, while others use zram
latency:
	@scripts/latency.sh

## make workload          programs that do not fit into RAM, switched in turn, by algorithm
workload:
	@scripts/workload.sh

## make leave-one-out CORPUS=dir
##                        what pages take that a workload of dir/*.train.pages.zst did not train
leave-one-out:
	@scripts/leave-one-out.sh

## make budgets           every budget against what the codec takes, with "met" or the distance
##                        (CORPUS=dir: of dir/*.valid.pages; LOO=1: with make leave-one-out)
budgets:
	@scripts/budgets.sh

## make libs              user-space shared libraries in tools/seqlz/build
libs:
	@$(MAKE) -C tools/seqlz libs

clean:
	@$(MAKE) -C tools/seqlz clean

.PHONY: help run test check mutations kunit stress vm matrix roles selftest source apply unapply libs bench bench-plot bench-arm64 speed latency workload leave-one-out budgets clean
