#!/usr/bin/env bash
# The models of the software GPU under the real ROCm libraries and the workbench: each reports its properties and
# runs code for its target. TAP.
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program models --offload-arch=gfx906 --offload-arch=gfx908 --offload-arch=gfx90a
export XDG_DATA_HOME="$work/models-data"

# Median cycles of a load for a range, from the workbench's CSV.
latency() { # range in bytes
	awk -F, -v r="$1" '$1 == "rangesize" { for (i = 1; i <= NF; i++) if ($i == "latency") column = i }
		$1 == r { printf "%d", $column }' "$log"
}

# Arguments: model, target id as HIP prints it, target, CUs, engines, MHz, memory MHz, bus width, L2 KiB, marketing
# name, KiB of memory, MHz when idle.
model() {
	timeout $patience "$wavedeck" exec --model "$1" -- rocminfo >"$log" 2>&1 &&
		says "Name: +$3 " && says "Name: +amdgcn-amd-amdhsa--$2" && says "Compute Unit: +$4 " &&
		says "Shader Engines: +$5 " && says "Max Clock Freq. \(MHz\): +$6 " &&
		says "Marketing Name: +${10} *$" && says "L2: +$9\(" && says "Size: +${11}\("
	result $? "rocminfo shows $1 as $3, ${10}"

	timeout $patience "$wavedeck" exec --model "$1" -- rocm-smi >"$log" 2>&1 && says "${12}Mhz" && says "${7}Mhz"
	result $? "rocm-smi prints $1's clocks"

	timeout $patience "$wavedeck" exec --model "$1" -- rocm-smi --showclkfrq >"$log" 2>&1 && says "${12}Mhz \*" &&
		says "${7}Mhz \*" && [ "$(grep -c 'Mhz \*' "$log")" -ge 3 ]
	result $? "rocm-smi shows $1's clock levels, one of each active"

	timeout $patience "$wavedeck" exec --model "$1" -- "$program" >"$log" 2>&1 &&
		says "^$2: $4 CUs, ${6}000 kHz, ${7}000 kHz, $8 bit, L2 $9 KiB.*kernel $3\$"
	result $? "a HIP program runs its $3 code on $1"

	# In KiB: what L2 holds, and what misses it. The sets of L2 are hashed on mi100 and mi210: some overflow before it is full, and
	# some lines stay when the rest no longer fits.
	local fits=$9 misses=$((2 * $9)) variant=published
	[ "$1" = mi100 ] || [ "$1" = mi210 ] && fits=$(($9 / 4)) misses=$((4 * $9))
	[ "$1" = mi210 ] && variant=shuffled # the published chase reads each of its lines of 128 bytes twice
	timeout $patience "$wavedeck" run range-latency variant=$variant rangesize="16KiB,32KiB,${fits}KiB,${misses}KiB" \
		--device "soft:$1" --format csv >"$log" 2>&1 &&
		[ "$(latency 16384)" -lt $(($(latency 32768) - 100)) ] &&
		[ $(($(latency $((fits * 1024))) - $(latency 32768))) -le 1 ] &&
		[ "$(latency $((fits * 1024)))" -lt $(($(latency $((misses * 1024))) - 200)) ]
	result $? "range-latency finds $1's L1 of 16 KiB and L2 of $9 KiB"
}

model mi25 gfx900:xnack- gfx900 64 4 1536 945 2048 4096 'AMD Radeon Instinct MI25' 16760832 1539
model mi60 'gfx906:sramecc\+:xnack-' gfx906 64 4 1800 1000 4096 4096 'AMD Instinct MI60 / MI50' 33538048 1800
model mi100 'gfx908:sramecc\+:xnack-' gfx908 120 8 1502 1200 4096 8192 'AMD Instinct MI100' 33538048 1502
model mi210 'gfx90a:sramecc\+:xnack-' gfx90a 104 8 1700 1600 4096 8192 'AMD Instinct MI210' 67092480 1700

# The published kernels are written for gfx900; they must assemble to the same instructions for the other targets.
instructions() { # kernel, target
	"$wavedeck" isa "$1" --arch "$2" --all 2>&1 | grep -Eo '[0-9a-f]{6}  ([0-9A-F]{8} )+.*'
}
for kernel in chase_published.s fma_published.s lds_published.s store_published.s; do
	instructions $kernel gfx900 >"$work/gfx900.isa"
	for arch in gfx906 gfx908 gfx90a; do
		instructions $kernel $arch >"$log"
		[ "$(wc -l <"$log")" -gt 10 ] && cmp -s "$work/gfx900.isa" "$log"
		result $? "$kernel has the same $(wc -l <"$log") instructions on $arch"
	done
done

while read -r point; do
	for device in soft:mi60 soft:mi100 soft:mi210; do
		timeout $patience "$wavedeck" run $point --device $device --format csv >"$log" 2>&1 </dev/null &&
			[ "$(grep -vc '^#' "$log")" -gt 1 ]
		result $? "$point runs on $device"
	done
done <<END
dispatch-1d block=64,1024
fma-unroll unroll=8 variant=compiled
fma-unroll variant=published-2c
fma-waves
cacheline-stride stride=16,64 variant=compiled
cacheline-stride stride=16,64 variant=published
channel-conflict window=256,4096
lds-bank-conflict stride=1,2
lds-latency lanes=1
END

"$wavedeck" devices >"$log" 2>&1 && says '^soft:mi25 +ready .*gfx900  64 CUs' &&
	says '^soft:mi60 +ready .*gfx906  64 CUs' && says '^soft:mi100 +ready .*gfx908  120 CUs' &&
	says '^soft:mi210 +ready .*gfx90a  104 CUs'
result $? "devices lists every model"
"$wavedeck" devices --model mi100 >"$log" 2>&1 && says '^compute_units +120 ' && says 'as mi25: Vega ISA'
result $? "devices --model lists a model's constants and their sources"
"$wavedeck" run range-latency --device soft:mi61 >"$log" 2>&1
[ $? = 2 ] && says "did you mean 'mi60'\? Models: mi25, mi60, mi100, mi210, rx7900xtx"
result $? "an unknown model: suggests the nearest and lists all"
"$wavedeck" run range-latency --device sofd:mi100 >"$log" 2>&1
[ $? = 2 ] && says "did you mean soft:mi100\? devices are soft:mi25, soft:mi60, soft:mi100, soft:mi210, soft:rx7900xtx"
result $? "an unknown device: suggests the nearest and lists all"
"$wavedeck" doctor >"$log" 2>&1
says 'soft:mi25 opens as .*soft:mi60 opens as .*soft:mi100 opens as .*soft:mi210 opens as'
result $? "doctor opens each model"

finish
