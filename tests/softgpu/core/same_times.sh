#!/usr/bin/env bash
# Each launch of the tests of this folder that have kernels of their own gives the same status, cycles, instructions and
# memory when it is profiled, which takes the plain path: with all compute units, and with four. What a test expects
# does not count here. The long ones run in tests/long/same_times.sh. TAP.
#   same_times.sh [PROGRAM...]
# shellcheck source=../../tap.bash
. "$(dirname "${BASH_SOURCE[0]}")/../../tap.bash"
[ $# -gt 0 ] || set -- test_behaviour test_costs test_gfx11 test_gfx11_memory test_patterns test_timing

log_launches() { # program, log, environment
	env "${@:3}" DEVICE_LOG="$2" "$BUILD/tests/softgpu/core/$1" >"$tmp/log" 2>&1
	[ -s "$2" ]
}
for program; do
	for cus in '' 4; do
		log_launches "$program" "$tmp/$program$cus" ${cus:+DEVICE_CUS=$cus} &&
			log_launches "$program" "$tmp/$program$cus-profiled" DEVICE_PROFILE=1 ${cus:+DEVICE_CUS=$cus} &&
			diff "$tmp/$program$cus" "$tmp/$program$cus-profiled" >"$tmp/diff"
		result $? "$program, ${cus:-all} compute units: $(wc -l <"$tmp/$program$cus") launches" "$tmp/diff"
	done
done
finish
