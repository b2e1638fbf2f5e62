#!/usr/bin/env bash
# `wavedeck isa`: the kernel of an experiment, a kernel by name, a code object, two variants, and refused arguments.
# TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=/proc/none
refuses() { # what pattern arguments...: status 2
	local what=$1 pattern=$2
	shift 2
	"$wavedeck" isa "$@" >"$tmp/log" 2>&1
	[ $? -eq 2 ] && grep -qE "$pattern" "$tmp/log"
	result $? "$what"
}
has() { # what pattern arguments...
	local what=$1 pattern=$2
	shift 2
	"$wavedeck" isa "$@" >"$tmp/log" 2>&1 && grep -qE "$pattern" "$tmp/log"
	result $? "$what"
}
refuses() { # what pattern arguments...
	local what=$1 pattern=$2
	shift 2
	"$wavedeck" isa "$@" 2>"$tmp/log" >/dev/null
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -qE "$pattern" "$tmp/log"
	result $? "$what"
}

has 'an experiment shows the kernel of its default variant' '^chase_stride, gfx900, chase_published.s \(prebuilt' \
	cacheline-stride
has 'the listing contains the expected load' 'global_load_dword v1' cacheline-stride
has 'a parameter changes the kernel' 'hot loop +43 instructions, 332 bytes .* 20 modulo 32; 10 cross' \
	fma-unroll variant=published-2a offset=8
has 'the workgroup size limits the occupancy' '8 waves of 64 lanes per SIMD with blocks of 1024' fma-waves threads=1024
has 'LDS limits a block' 'limited by LDS' lds-latency
has 'a kernel by name, published' 'chase_range, gfx900, chase_published.s' chase_range
has 'a kernel by name, compiled' 'chase_range, gfx900, chase.hip' chase_range
has 'a source file' 's_endpgm' dispatch.hip
has 'a kernel of a code object' '^channel_store, gfx900' "$BUILD/kernels/gfx900/store.co" channel_store
has 'another target of the same family' '^fma_chain, gfx906' fma.hip --arch gfx906
has 'an experiment that needs another target is shown for it' '^sgemm_dual, gfx1100, gfx11/sgemm_dual.s' \
	sgemm-k6-dual-issue
refuses 'assembly for another target is refused' 'gfx11/sgemm_dual.s is gfx11 assembly, but the device is gfx900$' \
	sgemm-k6-dual-issue --arch gfx900
has 'a target without a disassembler keeps its registers' 'registers +[0-9]+ VGPRs' store.hip --arch gfx1030
has 'the whole listing' 's_endpgm' cacheline-stride --all

has 'what each resource allows' 'limits +waves per SIMD: wave slots 10, VGPRs [0-9]+, SGPRs [0-9]+' cacheline-stride
has 'the dependence chain, with its cycles' 'chain \(\*\) +7 VALU \+ 1 VMEM, at least [0-9]+ cycles per trip' \
	cacheline-stride
has 'instructions of the dependence chain are marked' '^  \*   [0-9a-f]{6} .* global_load_dword v1' cacheline-stride
has 'the expected instructions with their verdict' 'expected +1 global_load_dword in the hot loop: OK' cacheline-stride

at=$("$wavedeck" isa cacheline-stride | grep -oE 'bytes from [0-9a-f]{6}' | cut -d' ' -f3)
"$wavedeck" isa cacheline-stride | grep -qE "^  [*+]* +$at "
result $? 'the loop begins at the offset in the header'
"$wavedeck" isa cacheline-stride --all | grep -qE '^ +000000 '
result $? "offsets count from the kernel's first instruction"

# --- two variants ---
has 'two variants side by side' '^[0-9]+ equal, [0-9]+ changed, [0-9]+ only left, [0-9]+ only right; hot loops$' \
	cacheline-stride --diff compiled
has 'lines of only one variant are marked' '^  \* v_mul_lo_u32 v2, v1, s6 +< ' cacheline-stride --diff compiled
has 'counts are below the columns' '^  VMEM +1 +1$' cacheline-stride --diff compiled
has 'a parameter selects the variant' '^[0-9]+ equal.*hot loops$' fma-unroll --diff variant=published-2b
has 'a kernel has no differences from itself' '^13 equal, 0 changed, 0 only left, 0 only right; hot loops$' \
	cacheline-stride --diff published
has 'whole kernels with --all' 'only right; whole kernels$' cacheline-stride --diff compiled --all
has '--renamed ignores register numbers' 'hot loops, register numbers ignored$' \
	cacheline-stride --diff compiled --renamed
plain=$("$wavedeck" isa cacheline-stride --diff compiled | grep -oE '^[0-9]+')
renamed=$("$wavedeck" isa cacheline-stride --diff compiled --renamed | grep -oE '^[0-9]+')
[ "${renamed:-0}" -gt "${plain:-0}" ]
result $? 'with register numbers ignored, more lines are equal'
refuses 'an unknown variant' "unknown choice 'nonsense'" cacheline-stride --diff nonsense
refuses 'a missing edited copy' 'cacheline-stride has no edited copy' cacheline-stride --diff edited
refuses 'a source with --diff' 'diff needs an experiment' chase.hip --diff compiled
has 'advice with the numbers of the launch' '1\.  dependent chain, [0-9]+ % of the cycles' lds-bank-conflict stride=32 --advice
"$wavedeck" isa lds-bank-conflict stride=32 --advice >"$tmp/log" 2>&1
grep -A3 'LDS bank conflicts, 4[0-9] % of the cycles' "$tmp/log" | grep -q 'try   Pad the rows' &&
	awk '/^  advice/ { found = NR } /s_cbranch/ { code = NR } END { exit !(found > code && code) }' "$tmp/log"
result $? 'advice follows the profiled listing'
has 'uncoalesced access is seen by counters' 'a load touches [0-9.]+ cache lines on average' \
	stride-copy stride=32 total_threads=2^14 --advice
has 'advice from the code of a kernel' 'advice, from the code alone' fma.hip --advice
has 'advice from the code for another target' 'advice, from the code alone' sgemm-k5-lds --advice --arch gfx906
has 'pairs and conflicts of register banks' 'dual issue +64 pairs, 2 alone; 1 with register bank conflicts' \
	sgemm-k6-dual-issue mix=dual
has 'instructions with a conflict are marked' '^  %   [0-9a-f]{6} .* v_dual_fmac_f32 v5, v184, v192 ::' \
	sgemm-k6-dual-issue mix=dual
has 'advice about register banks' 'register bank conflicts' sgemm-k6-dual-issue mix=dual --advice
refuses 'both --diff and --advice' 'use only one of them' cacheline-stride --diff compiled --advice
refuses 'both --diff and --profile' 'use only one of them' cacheline-stride --diff compiled --profile
refuses 'a profile for another target than the device' 'soft:mi60, which is gfx906' \
	cacheline-stride --profile --device soft:mi60 --arch gfx900

# a source of the current folder, not the project's of the same name
mkdir "$tmp/own" && sed 's/dispatch/dispatch_of_mine/' kernels/dispatch.hip >"$tmp/own/dispatch.hip"
tool=$wavedeck
case $tool in /*) ;; *) tool=$PWD/$tool ;; esac
(cd "$tmp/own" && "$tool" isa dispatch.hip) >"$tmp/log" 2>&1 && grep -q '^dispatch_of_mine, gfx900, .*/own/dispatch.hip' "$tmp/log"
result $? 'a source of the current folder'

refuses 'a target that the compiler does not support' 'does not know the target gfx9000' chase.hip --arch gfx9000
result $? 'the error does not blame the source'
refuses 'an unknown experiment' "unknown experiment 'cacheline'" cacheline
refuses 'an unknown parameter' "unknown parameter setting 'strid=4'" cacheline-stride strid=4
refuses 'a value out of range' 'out of range' fma-unroll unroll=1000
refuses 'a missing file' 'cannot open' nowhere.co
refuses 'a file that is not a code object' 'not a usable code object' "$(mktemp --suffix=.co -p "$tmp")"
refuses 'no arguments' 'isa needs'
finish
