# SPDX-License-Identifier: GPL-2.0-only
# The benchmark: make bench-4k bench-16k bench-64k KDIR=tree
# The codecs and zram's backends are compiled where they stand in the kernel
# tree, with KFLAGS and what their own Makefiles add. Each backend and what is
# below it become one object that exports only its operations.

KDIR ?= $(or $(SEQLZ_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/seqlz)/src/newest
kdir := $(abspath $(KDIR))
b := $(out)/bench
# where what the codes are in is made
m := $(made)/bench
OBJCOPY ?= $(shell $(CC) -print-prog-name=objcopy)

tree-version = $(shell sed -n 's/^VERSION = //p; s/^\(PATCHLEVEL\|SUBLEVEL\) = /./p; \
	s/^EXTRAVERSION = *//p' $(kdir)/Makefile 2>/dev/null | tr -d '\n')
chain-size = $(shell sed -n '/^config ZSMALLOC_CHAIN_SIZE/,/default/s/.*default //p' $(kdir)/mm/Kconfig)
# a tree with split contexts, or one with a single kind
split = $(shell grep -qs create_dctx $(kdir)/drivers/block/zram/zcomp.h && echo -DZCOMP_SPLIT)

# empty headers, which kernel.h stands in for, and a table made as in the tree
bench-empty := $(patsubst %,$(b)/include/linux/%.h,bitops bug compiler debugfs export init \
	list math64 module mutex printk rculist slab string swab types unaligned vmalloc) \
	$(b)/include/asm/page.h
bench-generated := $(bench-empty) $(b)/include/crc32table.h

# What KFLAGS lacks of a kernel's code generation: absolute addresses, no jump
# tables, tight loops. But functions start on a cache line here, so that a
# change in one does not move the others.
bench-codegen-x86_64 := -march=x86-64 -mtune=generic -mno-red-zone -mskip-rax-setup \
	-fcf-protection=none -falign-jumps=1 -falign-loops=1 -fno-jump-tables
BENCH_CODEGEN := -fno-pie -fno-asynchronous-unwind-tables -falign-functions=64 \
	$(foreach f,$(bench-codegen-$(machine)),$(call cc-option,$(f)))
# leaves a file beside each object of the library, for scripts/budgets.sh
BENCH_STACK := -fstack-usage
BENCH_CFLAGS = $(filter-out -Iinclude,$(KFLAGS)) $(BENCH_CODEGEN) -DKBUILD_MODNAME='"bench"' \
	-include bench/kernel.h $(if $(findstring 842,$<),-include bench/kernel-842.h) \
	-I$(b)/include -Ibench -Ibench/include -I$(kdir)/drivers/block/zram -idirafter $(kdir)/include
zram := drivers/block/zram

srcs-lz4 := $(zram)/backend_lz4.c lib/lz4/lz4_compress.c lib/lz4/lz4_decompress.c
srcs-lz4_again := $(srcs-lz4)
srcs-lz4hc := $(zram)/backend_lz4hc.c lib/lz4/lz4hc_compress.c lib/lz4/lz4_decompress.c
lzo := $(addprefix lib/lzo/,lzo1x_compress.c lzo1x_compress_safe.c lzo1x_decompress_safe.c)
srcs-lzo := $(zram)/backend_lzo.c $(lzo)
srcs-lzorle := $(zram)/backend_lzorle.c $(lzo)
srcs-zstd := $(zram)/backend_zstd.c lib/xxhash.c \
	$(patsubst $(kdir)/%,%,$(wildcard $(kdir)/lib/zstd/*.c $(kdir)/lib/zstd/*/*.c))
srcs-deflate := $(zram)/backend_deflate.c lib/zlib_deflate/deflate.c lib/zlib_deflate/deftree.c \
	$(addprefix lib/zlib_inflate/,inffast.c inflate.c inftrees.c) lib/bitrev.c
srcs-842 := $(zram)/backend_842.c lib/842/842_compress.c lib/842/842_decompress.c lib/crc/crc32-main.c
tree-codecs := lz4 lz4_again lz4hc lzo lzorle zstd deflate 842

# the optimisation that the Makefile of the file's directory, or of the one
# above, asks for
optimisation-of = $(shell sed -n 's/^ccflags-y.*\(-O[0-9s]\).*/\1/p' \
	$(wildcard $(kdir)/$(dir $(1))Makefile $(kdir)/$(dir $(1))../Makefile))

ops-lz4_again := backend_lz4
ops = $(or $(ops-$(1)),backend_$(1))

# $(1): codec, $(2): directory, $(3): objects
define bench-join
$(2)/$(1).o: $(3)
	@$$(CC) -r -nostdlib $$^ -o $$@.all
	@$$(OBJCOPY) --keep-global-symbol=$$(call ops,$(1)) $$@.all $$@
	@$$(OBJCOPY) --redefine-sym $$(call ops,$(1))=backend_$(1) $$@
endef

# $(1): file, $(2): 4k, 16k or 64k
define bench-compile
$(b)/$(2)/tree/$(1:.c=.o): $(kdir)/$(1) $(b)/config $(wildcard bench/kernel*.h) $(bench-generated)
	@mkdir -p $$(@D)
	@$$(CC) $$(BENCH_CFLAGS) $$(call optimisation-of,$(1)) -w -DPAGE_SHIFT=$(shift-$(2)) \
		-c $$< -o $$@
endef

bench-srcs := $(wildcard bench/*.c)
bench-kernel-srcs := bench/codecs.c bench/zs-tree.c

# $(1): 4k, 16k or 64k
define bench-rules
$(foreach c,$(tree-codecs),$(eval $(call bench-join,$(c),$(b)/$(1),$(patsubst %.c,$(b)/$(1)/tree/%.o,$(srcs-$(c))))))
$(foreach f,$(sort $(foreach c,$(tree-codecs),$(srcs-$(c)))),$(eval $(call bench-compile,$(f),$(1))))

$(m)/$(1)/lib/%.o: $(lib)/%.c $(HDRS) $(b)/config
	@mkdir -p $$(@D)
	$$(CC) $$(KFLAGS) $$(BENCH_CODEGEN) $(BENCH_STACK) -DPAGE_SHIFT=$(shift-$(1)) -c $$< -o $$@

$(m)/$(1)/lib/backend_seqlz.o: $(top)/$(zram)/backend_seqlz.c $(b)/config bench/kernel.h $(bench-generated)
	@mkdir -p $$(@D)
	$$(CC) $$(BENCH_CFLAGS) $$(if $$(split),,-Dcreate_cctx=create_ctx -Ddestroy_cctx=destroy_ctx) \
		-DPAGE_SHIFT=$(shift-$(1)) -c $$< -o $$@

$(eval $(call bench-join,seqlz,$(m)/$(1),$(patsubst $(lib)/%.c,$(m)/$(1)/lib/%.o,$(SRCS)) $(m)/$(1)/lib/backend_seqlz.o))

$(b)/$(1)/%.o: bench/%.c $(wildcard bench/*.h) $(b)/config $(bench-generated) $(b)/zs-macros.h $(b)/zs-functions.h
	@mkdir -p $$(@D)
	$$(CC) -std=gnu11 -O2 -g -Wall -Wextra -DPAGE_SHIFT=$(shift-$(1)) $$(split) -I$(b) \
		$$(if $$(filter $$<,$(bench-kernel-srcs)),-Wno-sign-compare -I$(b)/include -Ibench/include -I$(kdir)/$(zram)) \
		-DBENCH_KERNEL='"$$(tree-version)"' -DCONFIG_ZSMALLOC_CHAIN_SIZE=$$(chain-size) \
		-DBENCH_COMPILER='"$$(shell $$(CC) --version | head -1)"' -c $$< -o $$@

# they put blocks together, with the codes
$(m)/$(1)/worst.o $(m)/$(1)/blocks.o: $(m)/$(1)/%.o: $(wildcard bench/*.h blocks/*.h) $(made)/gen/$(GEN).c $(b)/config
	@mkdir -p $$(@D)
	$$(CC) -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-variable -Wno-sign-compare \
		-DPAGE_SHIFT=$(shift-$(1)) -I$(made)/gen -c $$(wildcard bench/$$*.c blocks/$$*.c) -o $$@
$(m)/$(1)/worst.o: bench/worst.c
$(m)/$(1)/blocks.o: blocks/blocks.c

$(made)/bench-$(1): $(patsubst bench/%.c,$(b)/$(1)/%.o,$(filter-out bench/worst.c,$(bench-srcs))) $(m)/$(1)/worst.o $(m)/$(1)/blocks.o \
		$(patsubst %,$(b)/$(1)/%.o,$(tree-codecs)) $(m)/$(1)/seqlz.o
	$$(CC) -no-pie $$^ -o $$@

bench-$(1): $(made)/bench-$(1)
endef

$(foreach size,4k 16k 64k,$(eval $(call bench-rules,$(size))))

# a plugin of qemu-user, for scripts/bench-arm64.sh; the interface is the
# oldest that the QEMU of this machine takes
qemu-interface = $(shell qemu-aarch64 --version | sed -n 's/.*version \([0-9]*\).*/\1/p' | \
	awk '{ print ($$1 < 9 ? 1 : 2) }')
$(out)/qemu-count.so: bench/qemu/count.c bench/mark.h | $(out)
	$(HOSTCC) -O2 -Wall -Wextra -shared -fPIC -DPLUGIN_VERSION=$(qemu-interface) $< -o $@

# another tree or compiler makes everything anew
bench-config = $(kdir) $(tree-version) $(CC) $(filter-out -I$(made),$(KFLAGS)) $(BENCH_CODEGEN) $(BENCH_STACK) $(bench-empty)
$(b)/config: bench-config-changed
	@mkdir -p $(@D)
	@[ -r $(kdir)/mm/zsmalloc.c ] || { \
		echo "error: KDIR=$(kdir) is no kernel tree: give one, or run make source" >&2; exit 1; }
	@echo '$(bench-config)' | cmp -s - $@ || echo '$(bench-config)' >$@
	@rm -f $(filter-out $(bench-empty),$(wildcard $(b)/include/*/*.h))

# so that a missing tree is told in one line
$(kdir)/%.c: | $(b)/config ;

$(bench-empty): $(b)/config
	@mkdir -p $(@D)
	@: >$@

$(b)/include/crc32table.h: $(b)/config $(bench-empty)
	@sed '/generated\/autoconf.h/d' $(kdir)/lib/crc/gen_crc32table.c | \
		$(HOSTCC) -x c -I$(kdir)/lib/crc - -o $(b)/gen_crc32table
	@$(b)/gen_crc32table >$@

# the size classes of the tree, for zs-tree.c to hold ours against
$(b)/zs-macros.h: $(b)/config
	@awk '/^#define ZSPAGE_MAGIC/, /ZS_SIZE_CLASS_DELTA\) \+ 1\)/' $(kdir)/mm/zsmalloc.c >$@

$(b)/zs-functions.h: $(b)/config
	@awk '/^(static int get_size_class_index|static bool can_merge|static int calculate_zspage_chain_size|struct zs_pool \*zs_create_pool)\(/ \
		{ on = 1 } on { print } /^}/ { on = 0 }' $(kdir)/mm/zsmalloc.c >$@

.PHONY: bench-4k bench-16k bench-64k bench-config-changed
