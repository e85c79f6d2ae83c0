# SPDX-License-Identifier: GPL-2.0-only OR MIT
# One build of the unit tests: make unit-build VARIANT=name CC=... XFLAGS=...
# The codec is compiled with the kernel's flags, the tests with ordinary ones.

VARIANT ?= gcc
XFLAGS ?=
t := $(out)/tests/$(VARIANT)

TFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -I$(top)/include -I$(lib)
test-srcs := $(wildcard tests/*.c) blocks/blocks.c

# $(1): 4k, 8k (two blocks), 16k or 64k
define unit-rules
$(t)/$(1)/%.o: $(lib)/%.c $(HDRS) $(GENERATED)
	@mkdir -p $$(@D)
	$$(CC) $$(KFLAGS) -g $$(XFLAGS) -DPAGE_SHIFT=$(shift-$(1)) -c $$< -o $$@

$(t)/$(1)/%.o: tests/%.c tests/test.h blocks/blocks.h $(HDRS)
	@mkdir -p $$(@D)
	$$(CC) $$(TFLAGS) $$(XFLAGS) -DPAGE_SHIFT=$(shift-$(1)) -c $$< -o $$@

$(t)/$(1)/%.o: blocks/%.c blocks/blocks.h $(HDRS)
	@mkdir -p $$(@D)
	$$(CC) $$(TFLAGS) $$(XFLAGS) -DPAGE_SHIFT=$(shift-$(1)) -c $$< -o $$@

$(t)/seqlz-test-$(1): $(patsubst $(lib)/%.c,$(t)/$(1)/%.o,$(SRCS)) \
		$(patsubst %.c,$(t)/$(1)/%.o,$(notdir $(test-srcs)))
	$$(CC) $$(XFLAGS) $$^ -o $$@
endef

$(foreach size,4k 8k 16k 64k,$(eval $(call unit-rules,$(size))))

unit-build: $(foreach size,4k 8k 16k 64k,$(t)/seqlz-test-$(size))

# the sample, unpacked
sample-pages := $(patsubst sample/%.zst,$(out)/sample/%,$(wildcard sample/*.pages.zst))
$(out)/sample/%.pages: sample/%.pages.zst
	@mkdir -p $(@D)
	zstd -dqf $< -o $@

sample-pages: $(sample-pages)

## unit                   the unit tests in every build this machine can make
unit: sample-pages
	@tests/run-unit.sh

## check-libs             what the shared libraries export and contain
check-libs: libs
	@tests/check-libs.sh

.PHONY: unit-build unit sample-pages check-libs
