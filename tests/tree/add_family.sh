#!/usr/bin/env bash
# A family of instruction sets: adds one, which has a part of the instructions of gfx9, with a target and a model to a copy
# of the tree, and runs kernels on it. Only what the addition changes is compiled: declarations in headers that other
# objects do not use leave them as they are. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=tree_copy.bash
. tests/tree/tree_copy.bash
copy_tree
run=$tree/build/softgpu-run
isa=$tree/softgpu/isa
models=$tree/softgpu/models
mach=7f # EF_AMDGPU_MACH

# --- its instruction set: codes, decoder and printer ---
mkdir "$isa/gfx10"
grep -E '^ENCODE\(.*, (s_[a-z0-9_]*|[vb][a-z_]*_(dword|b32|u32|b64)|v_add3_u32|global_(load|store)_dword)\)' \
	softgpu/isa/gfx9/gfx9_encodings.def | sed -E 's/^(ENCODE\([^,]*, [^,]*, )[^,]*/\1GFX10/' >"$isa/gfx10/gfx10_encodings.def"
cat >"$isa/gfx10/gfx10_family.c" <<'C'
/* A family that encodes like gfx9. */
#include <stdio.h>

#include "softgpu/isa/gfx9/decode.h"
#include "softgpu/isa/gfx9/disassemble.h"

static unsigned decode_gfx10(const void *code, size_t avail, enum isa_target target, struct isa_inst *out)
{
	return target & ISA_GFX10 ? gfx9_decode(code, avail, ISA_GFX900, out) : 0;
}

static const char *gfx10_mnemonic(const struct isa_inst *in)
{
	return isa_info(in->op)->name;
}

static size_t print_gfx10(const struct isa_inst *in, char *out, size_t size)
{
	const size_t length = gfx9_print(in, out, size);

	return length + (size_t)snprintf(length < size ? out + length : NULL, length < size ? size - length : 0, ";gfx10");
}

const struct isa_family isa_family_gfx10 = {
	.name = "gfx10",
	.decode = decode_gfx10,
	.mnemonic = gfx10_mnemonic,
	.print = print_gfx10,
	.print_unknown = gfx9_print_unknown,
	.vmcnt = {0, 4, 14, 2},
	.expcnt = {4, 3, 0, 0},
	.lgkmcnt = {8, 4, 0, 0},
	.sgprs = ISA_FLAT_SCRATCH,
	.has_window_stalls = true,
	.place = {.number = 4, .simd = 4, .processor = 8, .processor_bits = 4, .engine = 13, .engine_bits = 3},
};
C
sed -i 's/^\tISA_WAVE32 = /\tISA_GFX10 = 1 << 15,\n&/' "$isa/isa.h"
sed -i '/^extern const struct isa_family/a extern const struct isa_family isa_family_gfx10;' "$isa/family.h"
sed -i "s/^\t{\"gfx1100\", /\t{\"gfx1000\", \&isa_family_gfx10, NONE, ISA_GFX10, 0x$mach},\n&/" "$isa/target.c"
sed -i 's|^#include "softgpu/isa/gfx11/gfx11_encodings.def"|#include "softgpu/isa/gfx10/gfx10_encodings.def"\n&|' "$isa/operations.c"
echo 'WAVES(gfx10, GFX10, 64, GFX10)' >>"$tree/softgpu/core/state/executors.def"

# --- its hardware, and a board ---
sed -e 's/gfx9/gfx10/g; s/gfx10_constants/gfx9_constants/; s/"gfx9"/"gfx10"/' -e '/^\/\* Wave slots/,$d' \
	softgpu/models/gfx9_hardware.c >"$models/gfx10_hardware.c"
cat >>"$models/gfx10_hardware.c" <<'C'
const struct gpu_target gpu_target_gfx1000 = {
	.name = "gfx1000",
	.family = &gpu_family_gfx10,
	.wave_slots = 10,
	.reference_mhz = 100,
};
C
sed -i '/^extern const struct gpu_family/i extern const struct gpu_family gpu_family_gfx10;\nextern const struct gpu_target gpu_target_gfx1000;' \
	"$models/gpu_targets.h"
sed -e 's/gpu_model_mi25/gpu_model_test10/; s/\.name = "mi25"/.name = "test10"/; s/gpu_target_gfx900/gpu_target_gfx1000/' \
	softgpu/models/mi25.c >"$models/test10.c"
echo 'MODEL(test10)' >>"$models/models.def"

# --- builds ---
changed=$(for file in $(cd "$tree" && find softgpu Makefile -type f); do
	cmp -s "$file" "$tree/$file" || echo "$file"
done)
printf '%s\n' "$changed" | sed 's/^/# /'
count=$(printf '%s\n' "$changed" | wc -l)
printf '%s\n' "$changed" >"$tmp/log"
[ "$count" -le 13 ]
result $? "it is in $count files, at most 13"
# Objects that know how many executors there are, or what an instruction set is.
rm -rf "$tree"/build/pic/softgpu/{isa,models} \
	"$tree"/build/pic/softgpu/core/{launch/host_variant,launch/executors,dispatch/workgroup_dispatch}.o
build_copy 60 -o softgpu/isa/isa.h -o softgpu/core/state/executors.def build/softgpu-run
result $? 'softgpu-run builds, with an executor of the family for each host variant'

# --- runs ---
compile() { # code object, compiler flags: for gfx900, but its e_flags name the new target
	kernels/in_scratch.sh "$CLANG" --offload-arch=gfx900 -x hip -nogpuinc -nogpulib --offload-device-only \
		--no-gpu-bundle-output -O2 -o "$@" >"$tmp/log" 2>&1 && cp "$1" "$1.gfx9" &&
		printf '%b' "\\x$mach" | dd of="$1" bs=1 seek=48 conv=notrunc status=none
}
launch() { # model, code object
	"$run" -m "$1" -p -g 4096 -b 256 -d 4096 "$2" sum_of_array buf:16384 i:5 | tr -s ' '
}
compile "$tmp/sum.co" tests/softgpu/run/scratch.hip
launch mi25 "$tmp/sum.co.gfx9" >"$tmp/expected" 2>&1 && launch test10 "$tmp/sum.co" >"$tmp/printed" 2>&1
status=$?
sed 's/;gfx10//' "$tmp/printed" >"$tmp/log"
[ $status -eq 0 ] && cmp "$tmp/expected" "$tmp/log"
result $? 'a kernel has the results and cycles that it has on gfx9'
cp "$tmp/printed" "$tmp/log"
[ "$(grep -c ' x v_.*;gfx10 ' "$tmp/log")" -ge 5 ] && ! grep ' x v_' "$tmp/log" | grep -v ';gfx10 '
result $? 'the profile has the text of its own printer'
for host in base v3 v4; do
	SOFTGPU_HOST_VARIANT=$host launch test10 "$tmp/sum.co" 2>&1 | cmp - "$tmp/printed" || echo "$host"
done >"$tmp/log" 2>&1
[ ! -s "$tmp/log" ]
result $? 'each host variant has it'
cat >"$tmp/divide.hip" <<'C'
extern "C" __attribute__((global)) void divide(double *out, double by)
{
	out[__builtin_amdgcn_workitem_id_x()] *= by;
}
C
compile "$tmp/divide.co" "$tmp/divide.hip"
"$run" -m mi25 "$tmp/divide.co.gfx9" divide buf:4096 q:3 >"$tmp/log" 2>&1
result $? 'another kernel runs on gfx9'
"$run" -m test10 "$tmp/divide.co" divide buf:4096 q:3 >"$tmp/log" 2>&1
[ $? -ne 0 ] && grep -q 'illegal instruction' "$tmp/log"
result $? 'but has an instruction that the family does not encode: it is illegal there'
"$run" -m test10 "$tmp/sum.co.gfx9" sum_of_array buf:4096 i:5 >"$tmp/log" 2>&1
[ $? -ne 0 ] && grep -q 'code for gfx900, but test10 is gfx1000' "$tmp/log"
result $? 'it refuses code for another family and names both'
finish
