#!/usr/bin/env bash
# The code of kernels for NVIDIA's targets, with doubles of the CUDA toolkit's tools that print what those of CUDA 13.0
# printed (recorded/). TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export XDG_CONFIG_HOME=$tmp XDG_DATA_HOME=$tmp WAVEDECK_CUDA_COMPILER=clang WAVEDECK_SYSROOT=$tmp/root
recorded=$PWD/tests/e2e/cuda/recorded
mkdir -p "$tmp/ptxas" "$tmp/nvdisasm" "$tmp/cuobjdump" "$tmp/smi" "$tmp/root"
double() { # tool, lines of its script
	printf '#!/bin/sh\n%s\n' "$2" >"$tmp/$1/$1"
	chmod +x "$tmp/$1/$1"
}
double ptxas "echo \"\$@\" >'$tmp/asked'; cat '$recorded/ptxas.txt'"
double nvdisasm "cat '$recorded/chase_pointers.nvdisasm.txt'"
double cuobjdump "cat '$recorded/chase_pointers.cuobjdump.txt'"
mv "$tmp/smi" "$tmp/nvidia-smi"
double nvidia-smi '[ "$1" = --id=0 ] && echo 9.0'
with() { # tools joined with +, arguments of wavedeck
	local folders=
	for tool in ${1//+/ }; do folders=$folders$tmp/$tool:; done
	PATH=$folders/usr/bin:/bin "$BUILD/wavedeck" "${@:2}" >"$tmp/log" 2>&1
}
shows() { # text, what
	grep -qF -- "$1" "$tmp/log"; result $? "$2"
}

with ptxas+nvdisasm+nvidia-smi isa range-latency variant=pointers --device cuda:0
result $? 'an experiment of a device'
head -n 1 "$tmp/log" | grep -qE '^chase_pointers, sm_90, chase_pointers.hip \(clang [0-9.]+; ptxas, nvdisasm\)$'
result $? 'target and tools are named'
shows '  registers      22' 'registers'
shows 'occupancy      8 warps of 32 lanes per SM sub-partition with blocks of 1 thread, limited by block slots' 'occupancy, with the words of NVIDIA'
shows 'limits         warps per SM sub-partition: warp slots 16, block slots 8, registers 21' 'limits'
shows 'hot loop       67 instructions, 1072 bytes from 0000a0' 'the hot loop'
shows '      0000a0  04047981 00000004 0C1E1B00 020EA800  LDG.E.64 R4, desc[UR4][R4.64]' 'its first instruction'
shows '      0004c0  00F48947 FFFFFFF8 0383FFFF 000FEA00  @!P0 BRA 0xa0' 'its branch'
grep -q -- '--gpu-name=sm_90 .*--maxrregcount=64' "$tmp/asked"; result $? 'ptxas gets the limits that the driver gets'
with ptxas+nvdisasm isa "$PWD/kernels/chase_pointers.hip" chase_pointers --arch sm_90
shows '  ; chase_pointers.hip:14  asm' 'lines of the source'
with ptxas+cuobjdump isa range-latency variant=pointers --arch sm_90
shows '; ptxas, cuobjdump)' 'cuobjdump without nvdisasm'
shows '67 instructions, 1072 bytes' 'the same hot loop'

# --- addresses: what nvcc 13.0.88 makes of kernels/addressing.hip ---
for kernel in store_indexed store_pointer store_recomputed; do sed "s/chase_pointers/$kernel/" "$recorded/ptxas.txt"; done >"$tmp/resources"
double ptxas "cat '$tmp/resources'"
double nvdisasm "cat '$recorded/addressing.nvdisasm.txt'"
with ptxas+nvdisasm isa sass-pointer --arch sm_90
shows '  hot loop       13 instructions, 208 bytes from 0000c0; 7 integer adds, 2 of 64 bits' 'integer adds of the hot loop'
shows '  expected       4 STG in the hot loop: OK' 'the expected instructions of SASS'
with ptxas+nvdisasm isa sass-pointer form=pointer --arch sm_90
shows '  hot loop       11 instructions, 176 bytes from 0000e0; 2 integer adds, 1 of 64 bits' 'those of the pointer'
with ptxas+nvdisasm isa sass-pointer unroll=2 --arch sm_90
shows 'broken: the hot loop contains 4 STG, expected 2' 'and what is not as expected'
with ptxas+nvdisasm isa sass-pointer --arch sm_90 --diff form=recomputed
grep -qE '^  integer adds +7 +21$' "$tmp/log" && grep -qE '^  of 64 bits +2 +8$' "$tmp/log"
result $? 'integer adds of two forms, next to each other' "$tmp/log"
[ "$(grep -c 'expected: 4 STG in the hot loop: OK' "$tmp/log")" -eq 2 ]
result $? 'with their expected instructions' "$tmp/log"
double ptxas "cat '$recorded/ptxas.txt'"
double nvdisasm "cat '$recorded/chase_pointers.nvdisasm.txt'"

# --- without the tools ---
with ptxas isa range-latency variant=pointers --arch sm_90
result $? 'without a disassembler the facts are shown'
shows '  registers      22' 'registers from ptxas'
shows 'hot loop       not available: install nvdisasm or cuobjdump of the CUDA toolkit' 'what is missing'
! grep -q ', code ' "$tmp/log"; result $? 'not the size of the code'
with nvdisasm isa range-latency variant=pointers --arch sm_90
shows 'registers      not available: install ptxas of the CUDA toolkit' 'without ptxas'
shows_nothing_unknown() {
	shows 'memory         kernel arguments 24 B, shared memory and local memory not known' "$1: memory"
	shows 'occupancy      not known without the registers' "$1: occupancy"
	shows 'limits         warps per SM sub-partition: warp slots 16, block slots 8, others not known' "$1: limits"
}
shows_nothing_unknown 'without ptxas'
double ptxas 'echo "ptxas fatal   : error: bad PTX" >&2; exit 255'
with ptxas+nvdisasm isa range-latency variant=pointers --arch sm_90
shows 'failed: error: bad PTX' 'ptxas that fails'
shows_nothing_unknown 'ptxas that fails'
with ptxas isa range-latency --device cuda:0; status=$?
[ $status -eq 2 ] && grep -qF "nvidia-smi does not say what cuda:0 is; name its target, such as --arch sm_90" "$tmp/log"
result $? 'a GPU whose target is not known'
with ptxas isa range-latency --device cuda:0 --profile; status=$?
[ $status -eq 2 ] && grep -qF -- '--profile needs a software GPU, and cuda:0 is none; remove it' "$tmp/log"
result $? 'a profile is refused'

# --- the code view ---
double ptxas "cat '$recorded/ptxas.txt'"
${CC:-cc} -O1 -shared -fPIC -o "$tmp/libcuda.so.1" tests/e2e/cuda/cuda_double.c 2>/dev/null
cp "$tmp/libcuda.so.1" "$tmp/libnvidia-ml.so.1"
mkdir -p "$tmp/root/usr/lib/x86_64-linux-gnu"
cp "$tmp"/lib*.so.1 "$tmp/root/usr/lib/x86_64-linux-gnu/"
cat >"$tmp/script" <<'END'
experiment range-latency
action code
wait idle 60
expect LDG.E.64 R6, desc[UR4][R4.64]
expect registers 22, shared memory 0 B,
expect 8 warps per SM sub-partition,
expect chase_pointers
expect 04047981 00000004 0C1E1B00 020EA800
END
LD_LIBRARY_PATH=$tmp with ptxas+nvdisasm --device cuda:0 --script "$tmp/script"
result $? 'the code view shows the same'
LD_LIBRARY_PATH=$tmp with ptxas run sass-pointer n=64 --device cuda:0 --format json
grep -q '"contract":"none"' "$tmp/log" && ! grep -q '"contract_text"' "$tmp/log"
result $? 'a run has no code of NVIDIA to check' "$tmp/log"
finish
