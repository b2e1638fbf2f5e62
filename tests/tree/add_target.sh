#!/usr/bin/env bash
# A target of a family that exists: adds one with the instructions of gfx906 and a model of it to a copy of the tree, and
# runs kernels on it. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=tree_copy.bash
. tests/tree/tree_copy.bash
copy_tree
wavedeck=$tree/build/wavedeck
run=$tree/build/softgpu-run
models=$tree/softgpu/models
mach=7e # EF_AMDGPU_MACH

# --- its instructions, its hardware, and a board that has it ---
sed -i "s/.*\"gfx906\", &isa_family_gfx9, NONE, ISA_GFX906, .*/&\n\t{\"gfx90x\", \&isa_family_gfx9, NONE, ISA_GFX906, 0x$mach},/" \
	"$tree/softgpu/isa/target.c"
sed -i 's/gpu_target_gfx908,/& gpu_target_gfx90x,/' "$models/gpu_targets.h"
cat >>"$models/gfx9_hardware.c" <<'C'

const struct gpu_target gpu_target_gfx90x = {
	.name = "gfx90x",
	.family = &gpu_family_gfx9,
	.wave_slots = 10,
	.reference_mhz = 100,
};
C
sed -e 's/gpu_model_mi60/gpu_model_test90x/; s/\.name = "mi60"/.name = "test90x"/; s/gpu_target_gfx906/gpu_target_gfx90x/' \
	"$models/mi60.c" >"$models/test90x.c"
echo 'MODEL(test90x)' >>"$models/models.def"
build_copy 12 build/libsoftgpu.so build/wavedeck build/softgpu-run
result $? 'a row, a value and a model build; nothing else is compiled but the files of targets and models'

# --- it is there ---
"$wavedeck" devices >"$tmp/log" 2>&1
grep -q '^soft:test90x .*gfx90x' "$tmp/log"
result $? 'devices lists a GPU of the target'

compile() { # target, code object
	kernels/in_scratch.sh "$CLANG" -x hip -nogpuinc -nogpulib "--offload-arch=$1" --offload-device-only \
		--no-gpu-bundle-output -O2 -o "$2" tests/softgpu/run/scratch.hip >"$tmp/log" 2>&1
}
rename_target() { # code object: its e_flags name the new target
	printf '%b' "\\x$mach" | dd of="$1" bs=1 seek=48 conv=notrunc status=none
}
launch() { # model, code object: the profile has the text of each instruction
	"$run" -m "$1" -p -g 4096 -b 256 -d 4096 "$2" sum_of_array buf:16384 i:5
}
compile gfx906 "$tmp/gfx906.co"
cp "$tmp/gfx906.co" "$tmp/gfx90x.co" && rename_target "$tmp/gfx90x.co"
launch mi60 "$tmp/gfx906.co" >"$tmp/expected" 2>&1 && launch test90x "$tmp/gfx90x.co" >"$tmp/log" 2>&1 &&
	[ "$(grep -c ' x v_' "$tmp/log")" -ge 5 ] && cmp "$tmp/expected" "$tmp/log"
result $? 'it runs a kernel with the results, cycles and text of gfx906'
compile gfx1100 "$tmp/gfx1100.co"
"$run" -m test90x "$tmp/gfx1100.co" sum_of_array buf:4096 i:5 >"$tmp/log" 2>&1
[ $? -ne 0 ] && grep -q 'code for gfx1100, but test90x is gfx90x' "$tmp/log"
result $? 'it refuses code for another family and names both'

# --- what it adds to its family ---
cat >"$tmp/clock.s" <<'S'
	.text
	.globl clock
	.p2align 8
	.type clock,@function
clock:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_memrealtime s[4:5]
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v1, s4
	v_mov_b32_e32 v0, 0
	global_store_dword v0, v1, s[2:3]
	s_endpgm
	.rodata
	.p2align 6
	.amdhsa_kernel clock
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 2
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
S
"$CLANG" -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx906 -mcode-object-version=4 -o "$tmp/clock.co" "$tmp/clock.s" \
	>"$tmp/log" 2>&1
read_clock() { # model: its reference clock after about 10000 core cycles
	printf '%d' "0x$("$run" -m "$1,memtime_cycles=10000" -d 1 "$tmp/clock.co" clock buf:4096 | tail -n 1)"
}
slow=$(read_clock mi60) fast=$(read_clock test90x)
echo "mi60: $slow ticks, test90x: $fast" >"$tmp/log"
[ "$slow" -gt 100 ] && [ $((fast * 27 / slow)) -ge 99 ] && [ $((fast * 27 / slow)) -le 101 ]
result $? 'its reference clock is its own: 100 MHz, not 27'
finish
