#!/usr/bin/env bash
# HIP programs on the software RX 7900 XTX, under a ROCm runtime that knows gfx1100 (Debian 13, AMD's packages). TAP.
model=rx7900xtx target=gfx1100
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"

soft rocminfo
if ! says 'Name: *gfx1100'; then
	skip "HIP programs on gfx1100" "the ROCm runtime here does not know gfx1100"
	finish
fi
says 'Marketing Name: *AMD Radeon RX 7900 XTX' && says 'Compute Unit: *96' && says 'Wavefront Size: *32' &&
	says 'SIMDs per CU: *2' && says 'Shader Engines: *6' && says 'L2: *6144' && says 'L3: *98304'
result $? "rocminfo shows the card"

for name in driver runtime lanes; do
	build_hip_program $name -pthread
	cases=${name}_cases
	[ $name = lanes ] && cases=lane_cases
	for case in ${!cases}; do
		soft "$program" "$case"
		result $? "$name: $case"
	done
done

build_hip_program driver -pthread
for setting in AMD_DIRECT_DISPATCH=0 HSA_ENABLE_INTERRUPT=0 HSA_ENABLE_SDMA=0; do
	soft env $setting "$program" streams
	result $? "streams with $setting"
done
soft "$program" events
cp "$log" "$work/first"
soft "$program" events
cmp -s "$work/first" "$log"
result $? "two runs print the same event times"

soft "$program" fault
status=$?
[ $status = 134 ] && says "Memory access fault by GPU" && says "host memory intact"
result $? "a store outside device memory: the runtime prints its diagnosis and aborts; host memory stays intact"
soft "$program" illegal
status=$?
[ $status = 134 ] && says ILLEGAL_INSTRUCTION && says "host memory intact"
result $? "an illegal instruction: the runtime prints its diagnosis and aborts"

build_hip_program runtime -pthread
soft "$program" printing && [ "$(grep -c '^thread [01] of block [01] says 4[012]$' "$log")" = 12 ]
result $? "printf in every thread"
soft "$program" asserting
status=$?
[ $status = 134 ] && says '^first assertion passed' && says "Device-side assertion .* failed" &&
	says HSA_STATUS_ERROR_EXCEPTION
result $? "a failed assertion is reported, and the runtime aborts"

soft rocm-smi --showid --showproductname --showtemp
status=$?
[ $status = 0 ] && says 0x744c && says 'edge'
result $? "rocm-smi shows the card and its temperature"

finish
