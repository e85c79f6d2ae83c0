# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The fuzz targets, built with clang's libFuzzer and sanitizers.

FUZZ_CC ?= clang
FUZZ_SECONDS ?= 60
f := $(out)/fuzz

fuzz-flags := -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,address,undefined
# not the kernel's flags: sanitizers and libFuzzer need registers those forbid
fuzz-flags += -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare \
	-fno-strict-aliasing -fno-delete-null-pointer-checks

# $(1): 4k, 16k or 64k
define fuzz-rules
$(f)/$(1)/%.o: $(lib)/%.c $(HDRS)
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(fuzz-flags) -Iinclude -I$(top)/include -I$(out) \
		-DPAGE_SHIFT=$(shift-$(1)) -c $$< -o $$@

$(f)/%-$(1): fuzz/%.c fuzz/fuzz.h $(patsubst $(lib)/%.c,$(f)/$(1)/%.o,$(SRCS))
	$$(FUZZ_CC) $$(fuzz-flags) -fsanitize=fuzzer -I$(top)/include \
		-DPAGE_SHIFT=$(shift-$(1)) $$(filter %.c %.o,$$^) -o $$@

$(f)/mkseeds-$(1): fuzz/mkseeds.c fuzz/fuzz.h $(patsubst $(lib)/%.c,$(f)/$(1)/%.o,$(SRCS))
	$$(FUZZ_CC) $$(fuzz-flags) -I$(top)/include \
		-DPAGE_SHIFT=$(shift-$(1)) $$(filter %.c %.o,$$^) -o $$@
endef

$(foreach size,4k 16k 64k,$(eval $(call fuzz-rules,$(size))))

fuzz-build: $(foreach size,4k 16k 64k,\
	$(f)/decode-$(size) $(f)/roundtrip-$(size) $(f)/mkseeds-$(size))

## fuzz                   each fuzz target for FUZZ_SECONDS (60)
fuzz: sample-pages
	@FUZZ_SECONDS=$(FUZZ_SECONDS) fuzz/run-fuzz.sh

.PHONY: fuzz fuzz-build
