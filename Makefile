# wavedeck. Targets: run, check, check-long, bench, deps, pictures, accuracy, sources, lint, format, dist, install, uninstall, clean.
# The first four install missing packages first; deps does only that.
#   MODE=asan        address and undefined-behavior sanitizers, in a build folder of its own
#   MODE=tsan        thread sanitizer, likewise
#   STATIC_DEPS=1    need only libc, ncurses and ROCm at run time (docs/packages.md)
#   PARTS=first      only what the default device needs on this host; `make run` begins with it
#   BUILD=DIR PREFIX=DIR DESTDIR=DIR CFLAGS=FLAGS LDFLAGS=FLAGS V=1

VERSION := 0.1.0
MODE    ?= release
PREFIX  ?= /usr/local
ifneq ($(filter asan tsan,$(MODE)),)
BUILD   ?= build/$(MODE)
else
BUILD   ?= build
endif

# One name for a file, so that dependencies hold however the folder was given.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))

JOBS    ?= $(shell nproc)

Q = $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2);)

CC      ?= gcc
CSTD    := -std=gnu11
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(CI),-Werror)
CFLAGS  ?= -O2 -g
HOT_OPT := -O3
SANITIZERS_asan := address,undefined
SANITIZERS_tsan := thread
ifneq ($(SANITIZERS_$(MODE)),)
override CFLAGS := -O1 -g -fsanitize=$(SANITIZERS_$(MODE)) -fno-omit-frame-pointer
HOT_OPT := -O1
endif
# CFLAGS, CPPFLAGS and LDFLAGS are the user's. These come after them, because results depend on them.
DEFINES := -I. -D_GNU_SOURCE -DWAVEDECK_VERSION='"$(VERSION)"' -DWAVEDECK_PREFIX='"$(PREFIX)"'
FLAGS   := $(CSTD) $(WARN) -fno-math-errno -ffp-contract=off -MMD -MP
COMPILE  = $(CC) $(CPPFLAGS) $(DEFINES) $(CFLAGS) $(FLAGS)
LINK     = $(CC) $(CFLAGS) $(LDFLAGS)
LUA_CFLAGS := -I/usr/include/lua5.4
SYSTEM_LIBS := -lncursesw -ltinfo -ldl -lpthread -lm
ifeq ($(STATIC_DEPS),1)
# The program's own are z and zstd; which others libdw.a and libelf.a need depends on their version.
DECOMPRESSORS := $(foreach name,z zstd lzma bz2,$(filter /%,$(shell $(CC) -print-file-name=lib$(name).a)))
# Debian has no libmd4c.a, so the program gets a copy of the shared library.
BUNDLED := $(BUILD)/bundled/libmd4c.so.0
# libwavedeck.a again, for what libdw.a and libelf.a lack (kernels/inspect/elfutils_trees.h). -u takes a function from
# libwavedeck.a before libarchive.a is read (captures/static_libarchive.c).
LIBS := -Wl,-u,__archive_write_entry_filetype_unsupported \
        $(patsubst %,-l:lib%.a,lua5.4 jansson dw elf ffi archive) $(BUILD)/libwavedeck.a -liberty $(DECOMPRESSORS) $(BUNDLED) \
        -Wl,-rpath,'$$ORIGIN/bundled:$$ORIGIN/../lib/wavedeck/bundled' $(SYSTEM_LIBS)
else
LIBS := -llua5.4 -ljansson -lmd4c -ldw -lelf -lffi -larchive -lz -lzstd -liberty $(SYSTEM_LIBS)
endif

# --- compiler for kernels ---
# toolchain.sh finds it; values of the command line and the environment win. Recipes and tests get all as environment
# variables. These targets need none, and the first four of them install it before make runs again.
WITHOUT_COMPILER := all run check check-long bench deps deps-run lint format dist uninstall clean
TOOLS := CLANG CLANGXX BITCODE ROCM_PATH LLD LLVM_MC LLVM_OBJDUMP LLVM_OBJCOPY LLVM_VERSION HIPCC
ifneq ($(filter-out $(WITHOUT_COMPILER),$(or $(MAKECMDGOALS),all)),)
$(foreach line,$(shell $(foreach tool,$(TOOLS),$(tool)='$($(tool))') ./toolchain.sh),$(eval export $(line)))
export WAVEDECK_CLANG = $(CLANG)# the program compiles with the same one
$(if $(MISSING),$(error $(subst _, ,$(MISSING)) not found; run: make deps))
endif

# --- sources ---
# Every .c file below these folders is compiled; a new file or folder needs no line here.
sources   = $(sort $(shell find $(1) -name '*.c'))
SRC       := $(call sources,base softgpu/isa kernels gpu plot sessions experiments captures checks cli tui)
OBJ       := $(SRC:%.c=$(BUILD)/obj/%.o)
MAIN      := $(BUILD)/obj/wavedeck.o
# Compiled once for each variant of the host's instruction set.
VARIANTS_OF := softgpu/core/issue/issue_loop.c
VARIANTS  := base v3 v4
VARIANT_base := -march=x86-64
VARIANT_v3  := -march=x86-64-v3
VARIANT_v4  := -march=x86-64-v4 -mprefer-vector-width=512
# Compiled once for each family and wave size, ops.c for each variant too.
EXECUTOR_ROWS := $(shell sed -n 's|^WAVES(\([^,]*\), [^,]*, \([0-9]*\), GFX\([^,]*\))$$|\1:\2:\3|p' softgpu/core/state/executors.def)
column    = $(word $(2),$(subst :, ,$(1)))
encodings = "softgpu/isa/gfx$(1)/gfx$(1)_encodings.def"
EXECUTORS := $(foreach r,$(EXECUTOR_ROWS),$(call column,$(r),1))
$(foreach r,$(EXECUTOR_ROWS),$(eval EXECUTOR_$(call column,$(r),1) := -DLANES=$(call column,$(r),2) \
	-DGFX$(call column,$(r),3)=1 -DFAMILY_ENCODINGS='$(call encodings,$(call column,$(r),3))'))
# Only line tables for these thousands of small functions: variables would take a third of the compiler's time.
EXECUTOR_DEBUG := $(if $(filter -g%,$(CFLAGS)),-g1)
OPS       := $(BUILD)/pic/softgpu/core/ops
variant_objects = $(foreach v,$(2),$(VARIANTS_OF:%.c=$(BUILD)/pic/%.$(v).o) $(foreach e,$(1),$(OPS)/ops.$(e).$(v).o)) \
                  $(foreach e,$(1),$(OPS)/ops_any_mode.$(e).o)
ALL_PARTS := $(call variant_objects,$(EXECUTORS),$(VARIANTS))
# The best variant of this host: the loader knows the same levels.
LOADER    := /lib64/ld-linux-x86-64.so.2
HOST_VARIANT = $(or $(lastword $(sort $(filter v3 v4,$(shell $(LOADER) --help | sed -n 's/^  x86-64-\(v[34]\) .supported.*/\1/p')))),base)
# What libsoftgpu.so contains: all, or first those that the default device needs on this host. Once a build folder has
# all, `make run` keeps it so.
ifeq ($(PARTS),missing)
override PARTS := $(if $(filter-out $(wildcard $(ALL_PARTS)),$(ALL_PARTS)),first,all)
endif
PARTS     ?= all
PART_OBJ  := $(if $(filter first,$(PARTS)),$(call variant_objects,$(firstword $(EXECUTORS)),$(HOST_VARIANT)),$(ALL_PARTS))
# What the simulation needs of the host.
CORE_BASE := base/host/usable_cores.c
SOFT_SRC  := $(filter-out $(VARIANTS_OF) softgpu/core/ops/%,$(call sources,softgpu/isa softgpu/models softgpu/core softgpu/capture softgpu/driver)) \
             base/trace/trace_events.c base/elf/elf_file.c base/elf/offload_bundle.c base/metadata/msgpack.c $(CORE_BASE)
SOFT_OBJ  := $(SOFT_SRC:%.c=$(BUILD)/pic/%.o) $(PART_OBJ)
CORE_OBJ  := $(filter-out $(BUILD)/pic/softgpu/driver/% $(BUILD)/pic/base/% $(PART_OBJ),$(SOFT_OBJ)) $(CORE_BASE:%.c=$(BUILD)/pic/%.o)
HOT       := $(filter $(OPS)/ops.%,$(ALL_PARTS)) $(BUILD)/pic/softgpu/core/memory/l1.o \
             $(BUILD)/pic/softgpu/core/fast/run_ahead.o
ELF_OBJ   := $(BUILD)/pic/base/elf/elf_file.o $(BUILD)/pic/base/elf/elf_image.o
RUN_OBJ   := $(patsubst %.c,$(BUILD)/pic/%.o,$(call sources,softgpu/run)) $(ELF_OBJ)

ARCH      := gfx900
HIP_SRC   := $(wildcard kernels/*.hip)
ASM_SRC   := $(wildcard kernels/*.s)
KERNELS   := $(HIP_SRC:kernels/%.hip=$(BUILD)/kernels/$(ARCH)/%.co) $(ASM_SRC:kernels/%.s=$(BUILD)/kernels/$(ARCH)/%.co)
# Line tables map instructions to source lines and change no instruction (tests/e2e/lines.sh). The file does not
# contain the folder.
LINES     := -gline-tables-only -fdebug-compilation-dir=.
HIPFLAGS  := -I. -x hip --rocm-path=$(ROCM_PATH) --rocm-device-lib-path=$(BITCODE) --offload-arch=$(ARCH) \
             --offload-device-only --no-gpu-bundle-output -mcode-object-version=4 -O3 \
             --gpu-max-threads-per-block=1024 $(LINES)
ASMFLAGS  := -x assembler -target amdgcn-amd-amdhsa -mcpu=$(ARCH) -mcode-object-version=4 $(LINES)

# Only `make check-long` runs tests/long, which takes an hour, and the packages of tests/distro.
TEST_SRC  := $(filter-out tests/long/%,$(sort $(shell find tests -name 'test_*.c')))
TESTS     := $(TEST_SRC:%.c=$(BUILD)/%)
TEST_SH   := $(filter-out tests/bench/% tests/distro/% tests/long/%,$(sort $(shell find tests -mindepth 2 -name '*.sh')))
LONG_SRC  := $(wildcard tests/long/test_*.c)
LONG_TESTS := $(LONG_SRC:%.c=$(BUILD)/%)
LONG_SH   := $(sort $(shell find tests/long -name "*.sh"))
# The program generates the manual and the shell completions from its tables.
PAGES     := $(BUILD)/share/wavedeck.1 $(BUILD)/share/wavedeck.bash $(BUILD)/share/_wavedeck
BENCH_CO  := $(BUILD)/tests/bench/kernels.co
BENCHES   := $(patsubst tests/bench/%.c,$(BUILD)/tests/bench/%,$(wildcard tests/bench/*.c))

.PHONY: all run check check-long bench pictures accuracy sources lint format dist install uninstall clean deps deps-run programs tests \
        always run-meanwhile run-built \
        $(foreach goal,check check-long bench,$(goal)-built $(goal)-ready)
.DELETE_ON_ERROR:
.SECONDARY:

# One make at a time builds: `make run` leaves one in the background.
locked = flock -o $(1) $(BUILD)/lock $(MAKE) --no-print-directory
all run check check-long bench run-meanwhile: | $(BUILD)/lock
$(BUILD)/lock:
	@mkdir -p $(@D)
	@touch $@
all:
	+$(Q)$(call locked) programs
# These install missing packages first, then run make again so that every rule finds them.
check check-long bench: deps
	+$(Q)$(call locked) -j$(JOBS) $@-built
	$(Q)$(MAKE) --no-print-directory -j$(JOBS) $@-ready
# The first curve needs only some of the parts. The rest is built in the background, with what the user set. While that
# goes on, there is nothing else to build.
run: deps-run
	+$(Q)$(call locked,-n -E 75) -j$(JOBS) PARTS=missing run-built || \
		{ [ $$? = 75 ] && $(MAKE) --no-print-directory run-meanwhile; }
	+$(Q)! grep -qx first $(BUILD)/parts || MAKEFLAGS= MAKELEVEL= setsid -f nice -n 19 \
		$(MAKE) -j$(JOBS) $(MAKEOVERRIDES) all </dev/null >$(BUILD)/rest.log 2>&1
	$(Q)$(BUILD)/wavedeck $(ARGS)
deps:
	$(Q)./deps.sh check
deps-run:
	$(Q)./deps.sh run

run-meanwhile:
	$(Q)echo 'another make builds here; see $(BUILD)/rest.log'
	+$(Q)test -x $(BUILD)/wavedeck -a -e $(BUILD)/libsoftgpu.so || $(call locked,) -j$(JOBS) PARTS=missing run-built
run-built: $(BUILD)/wavedeck $(BUILD)/libsoftgpu.so $(KERNELS)
check-built check-ready: programs tests
check-ready:
	$(Q)BUILD=$(abspath $(BUILD)) MODE=$(MODE) CC='$(CC)' LEFT_OUT='$(LEFT_OUT)' tests/run.sh $(TESTS) $(TEST_SH)
check-long-built check-long-ready: programs tests $(LONG_TESTS)
check-long-ready:
	$(Q)BUILD=$(abspath $(BUILD)) MODE=$(MODE) CC='$(CC)' SHOW=1 LIMIT=7200 tests/run.sh $(LONG_TESTS) $(LONG_SH)
bench-built bench-ready: programs $(BENCHES) $(BENCH_CO)
bench-ready:
	$(Q)BUILD=$(abspath $(BUILD)) tests/bench/run.sh

# Style and names of the sources; also part of `make check`.
lint:
	$(Q)BUILD=$(abspath $(BUILD)) MODE=$(MODE) tests/run.sh tests/tree/lint.sh tests/tree/names.sh
format:
	$(Q)clang-format -i $$(git ls-files '*.c' '*.h' 'tests/*.cpp')

# The pictures of the README, drawn by the program; tests/tree/pictures.sh fails when they are out of date.
pictures: programs
	$(Q)BUILD='$(BUILD)' docs/pictures/draw.sh docs/pictures

# The errors of the gfx9 models by kind of measurement, which `wavedeck show` quotes.
accuracy: programs
	$(Q)BUILD='$(BUILD)' docs/accuracy.sh

# On what the answers of the lessons rest: docs/lessons.md.
sources: programs
	$(Q)BUILD='$(BUILD)' docs/lessons.sh

programs: $(BUILD)/wavedeck $(BUILD)/libsoftgpu.so $(BUILD)/softgpu-run $(KERNELS) $(PAGES)
tests: $(TESTS)

# --- programs ---
$(BUILD)/wavedeck: $(MAIN) $(BUILD)/libwavedeck.a $(BUILD)/static-deps $(BUNDLED)
	$(call say,LINK,$@)$(LINK) -o $@ $(MAIN) $(BUILD)/libwavedeck.a $(LIBS)
# Changes when STATIC_DEPS changes, so that the program is linked again.
$(BUILD)/static-deps: always
	@mkdir -p $(@D)
	@echo '$(STATIC_DEPS)' | cmp -s - $@ || echo '$(STATIC_DEPS)' >$@
$(BUILD)/bundled/%.so.0:
	@mkdir -p $(@D)
	$(call say,COPY,$@)cp -L "$$($(CC) -print-file-name=$*.so)" $@
$(BUILD)/share/wavedeck.1: PAGE := help --man
$(BUILD)/share/wavedeck.bash: PAGE := completion bash
$(BUILD)/share/_wavedeck: PAGE := completion zsh
$(PAGES): $(BUILD)/wavedeck
	@mkdir -p $(@D)
	$(call say,PAGE,$@)XDG_CONFIG_HOME=/proc/none $< $(PAGE) >$@
$(BUILD)/libwavedeck.a: $(OBJ)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^
# The ID of sources and flags, because results do not depend on which parts there are. The library is replaced at once:
# a worker may start meanwhile.
SOFT_TEXT := $(sort $(CORE_BASE) $(shell find softgpu base/trace base/elf base/metadata -name '*.[ch]' -o -name '*.def'))
source_id = $$({ cat $(SOFT_TEXT); $(CC) --version; echo '$(filter-out -ffile-prefix-map=% -fdebug-prefix-map=% -fmacro-prefix-map=%,$(CPPFLAGS) $(CFLAGS) $(LDFLAGS))'; } | sha1sum | cut -c 1-40)
$(BUILD)/libsoftgpu.so: $(SOFT_OBJ) $(BUILD)/parts
	$(call say,LINK,$@)$(LINK) -shared -Wl,-z,defs -Wl,--build-id=0x$(source_id) -o $@.new $(SOFT_OBJ) -ldl -lpthread -lm \
		$(if $(SANITIZERS_$(MODE)),-Wl$(comma)-z$(comma)undefs) && mv -f $@.new $@
$(BUILD)/parts: always
	@mkdir -p $(@D)
	@echo '$(PARTS)' | cmp -s - $@ || echo '$(PARTS)' >$@
comma := ,
$(BUILD)/libsoftgpu-core.a: $(CORE_OBJ)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^
# The archive's references to its parts are weak, so the linker gets these by name.
$(BUILD)/softgpu-run: $(RUN_OBJ) $(PART_OBJ) $(BUILD)/libsoftgpu-core.a
	$(call say,LINK,$@)$(LINK) -o $@ $^ -lpthread -lm

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) $(LUA_CFLAGS) -c -o $@ $<
$(HOT): FLAGS += $(HOT_OPT)
define VARIANT_RULE
$(BUILD)/pic/softgpu/core/%.$(1).o: softgpu/core/%.c
	@mkdir -p $$(@D)
	$$(call say,CC,"$$< ($(1))")$$(COMPILE) $$(VARIANT_$(1)) -fPIC -fvisibility=hidden \
		-DVARIANT=$(1) -c -o $$@ $$<
endef
$(foreach v,$(VARIANTS),$(eval $(call VARIANT_RULE,$(v))))
define OPS_RULE
$(OPS)/ops.$(1).$(2).o: softgpu/core/ops/ops.c
	@mkdir -p $$(@D)
	$$(call say,CC,"$$< ($(1), $(2))")$$(COMPILE) $$(EXECUTOR_$(1)) $$(VARIANT_$(2)) $$(EXECUTOR_DEBUG) -fPIC \
		-fvisibility=hidden -DEXECUTOR=$(1) -DVARIANT=$(2) -c -o $$@ $$<
endef
define ANY_MODE_RULE
$(OPS)/ops_any_mode.$(1).o: softgpu/core/ops/ops_any_mode.c
	@mkdir -p $$(@D)
	$$(call say,CC,"$$< ($(1))")$$(COMPILE) $$(EXECUTOR_$(1)) $$(EXECUTOR_DEBUG) -fPIC -fvisibility=hidden \
		-frounding-math -fno-tree-vectorize -DEXECUTOR=$(1) -c -o $$@ $$<
endef
$(foreach e,$(EXECUTORS),$(eval $(call ANY_MODE_RULE,$(e)))$(foreach v,$(VARIANTS),$(eval $(call OPS_RULE,$(e),$(v)))))
$(BUILD)/pic/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) -fPIC -fvisibility=hidden -c -o $@ $<

# --- kernels ---
$(BUILD)/kernels/$(ARCH)/%.co: kernels/%.hip kernels/chain.inc
	@mkdir -p $(@D)
	$(call say,HIP,$<)kernels/in_scratch.sh $(CLANGXX) $(HIPFLAGS) -o $@ $<
$(BUILD)/kernels/$(ARCH)/%.co: kernels/%.s kernels/kernel.inc
	@mkdir -p $(@D)
	$(call say,ASM,$<)$(CLANG) $(ASMFLAGS) -o $@ $<
$(HIP_SRC:kernels/%.hip=$(BUILD)/kernels/$(ARCH)/%.co): kernels/order.inc

$(BENCH_CO): tests/bench/kernels.hip
	@mkdir -p $(@D)
	$(call say,HIP,$<)kernels/in_scratch.sh $(CLANGXX) $(HIPFLAGS) -o $@ $<

# --- tests ---
$(BUILD)/obj/tests/softgpu/core/test_row_%.o: FLAGS += -frounding-math # their model sets the host's rounding
define core_test
$(BUILD)/tests/$(1)/%: $(BUILD)/obj/tests/$(1)/%.o $(ELF_OBJ) $(PART_OBJ) $(BUILD)/libsoftgpu-core.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$$(LINK) -o $$@ $$^ -lcmocka -lquadmath -lpthread -lm
endef
$(foreach folder,softgpu/core softgpu/capture softgpu/isa programs long,$(eval $(call core_test,$(folder))))
$(BUILD)/tests/softgpu/driver/kfd/test_buffer_index: $(BUILD)/pic/softgpu/driver/kfd/buffer_index.o
$(BUILD)/tests/softgpu/driver/code/test_object_variables: $(BUILD)/pic/softgpu/driver/code/object_variables.o $(ELF_OBJ)
$(BUILD)/tests/softgpu/faults/%: $(BUILD)/obj/tests/softgpu/faults/%.o $(ELF_OBJ) $(PART_OBJ) $(BUILD)/libsoftgpu-core.a $(BUILD)/libwavedeck.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LINK) -o $@ $^ -lcmocka -lquadmath $(LIBS)
$(BUILD)/tests/softgpu/driver/test_host_timeline: $(BUILD)/pic/softgpu/driver/time/host_timeline.o
$(BUILD)/tests/softgpu/driver/test_kernel_table: $(BUILD)/pic/softgpu/driver/probe/kernel_table.o \
	$(BUILD)/pic/softgpu/driver/probe/launch_progress.o
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(BUILD)/libwavedeck.a $(BUNDLED)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LINK) -o $@ $(filter-out $(BUNDLED),$^) -lcmocka $(LIBS)

# --- install ---
ROOT := $(DESTDIR)$(PREFIX)
DATA := $(ROOT)/share/wavedeck
MAN  := share/man/man1/wavedeck.1
BASH_COMPLETION := share/bash-completion/completions/wavedeck
ZSH_COMPLETION  := share/zsh/site-functions/_wavedeck
install: programs
	install -d "$(ROOT)/bin" "$(ROOT)/lib/wavedeck/kernels/$(ARCH)" "$(DATA)/kernels" "$(DATA)/published"
	install -m 755 $(BUILD)/wavedeck "$(ROOT)/bin/wavedeck"
	install -m 755 $(BUILD)/libsoftgpu.so "$(ROOT)/lib/wavedeck/libsoftgpu.so"
	$(if $(BUNDLED),install -D -m 644 $(BUNDLED) "$(ROOT)/lib/wavedeck/$(BUNDLED:$(BUILD)/%=%)")
	install -m 644 $(KERNELS) "$(ROOT)/lib/wavedeck/kernels/$(ARCH)/"
	install -m 644 $(HIP_SRC) $(ASM_SRC) $(wildcard kernels/*.inc) "$(DATA)/kernels/"
	cd kernels && find . \( -path './gfx*/*' -o -path './on_cuda/*' \) -type f -exec install -D -m 644 {} "$(DATA)/kernels/{}" \;
	install -m 644 sessions/published/*.csv "$(DATA)/published/"
	cd experiments/catalog && find . -name '*.lua' -exec install -D -m 644 {} "$(DATA)/catalog/{}" \;
	cd share && find . -type f -exec install -D -m 644 {} "$(DATA)/{}" \;
	install -D -m 644 $(BUILD)/share/wavedeck.1 "$(ROOT)/$(MAN)"
	install -D -m 644 $(BUILD)/share/wavedeck.bash "$(ROOT)/$(BASH_COMPLETION)"
	install -D -m 644 $(BUILD)/share/_wavedeck "$(ROOT)/$(ZSH_COMPLETION)"
uninstall:
	rm -f "$(ROOT)/bin/wavedeck"
	rm -rf "$(ROOT)/lib/wavedeck" "$(DATA)"
	rm -f "$(ROOT)/$(MAN)" "$(ROOT)/$(BASH_COMPLETION)" "$(ROOT)/$(ZSH_COMPLETION)"
clean:
	rm -rf $(BUILD)

# The sources of the last commit. The archive has the commit's time, so its bytes depend on nothing else.
NAME := wavedeck-$(VERSION)
dist:
	@git rev-parse --verify -q HEAD >/dev/null || { echo 'make dist: not a git clone; clone the repository' >&2; exit 1; }
	@git diff --quiet HEAD || echo 'make dist: changes that are not committed are left out' >&2
	@mkdir -p $(BUILD)
	$(call say,DIST,$(BUILD)/$(NAME).tar.gz)git archive --prefix=$(NAME)/ HEAD | gzip -9n >$(BUILD)/$(NAME).tar.gz

DEPENDENCIES := $(OBJ:.o=.d) $(SOFT_OBJ:.o=.d) $(RUN_OBJ:.o=.d) $(MAIN:.o=.d) \
                $(patsubst %.c,$(BUILD)/obj/%.d,$(TEST_SRC) $(LONG_SRC) $(wildcard tests/bench/*.c))
-include $(DEPENDENCIES)
# A file that was lost, or that names the object of another folder, says nothing about the object here: compile it again.
$(patsubst %.d,%.o,$(filter-out $(shell grep -ls '^$(BUILD)/' $(DEPENDENCIES)),$(DEPENDENCIES))): always
