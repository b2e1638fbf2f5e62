#!/usr/bin/env bash
# The driver boundary under the real ROCm libraries: a HIP program built with hipcc, rocminfo and rocm-smi. TAP.
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program driver -pthread

# Runs a command with the library preloaded, without `wavedeck exec`. The user's environment may hide or rename the
# device, so the variables that do are removed.
soft() {
	preload=libsoftgpu.so
	[ "${MODE:-}" = asan ] && preload="$(gcc -print-file-name=libasan.so) libsoftgpu.so"
	env -u HSA_OVERRIDE_GFX_VERSION -u HIP_VISIBLE_DEVICES -u ROCR_VISIBLE_DEVICES -u SOFTGPU -u SOFTGPU_SET \
		ASAN_OPTIONS=detect_leaks=0:use_sigaltstack=0 LD_LIBRARY_PATH="$BUILD" LD_PRELOAD="$preload" \
		timeout $patience "$@" >"$log" 2>&1
}

for case in $driver_cases; do
	soft "$program" $case
	result $? "$case"
done

soft "$program" events
cp "$log" "$work/first"
soft "$program" events
diff "$work/first" "$log" >"$tmp/diff"
result $? "two runs print the same event times" "$tmp/diff"

for setting in AMD_DIRECT_DISPATCH=0 HSA_ENABLE_INTERRUPT=0 HSA_ENABLE_SDMA=0; do
	soft env $setting "$program" streams
	result $? "streams with $setting"
done

soft "$program" fault
status=$?
[ $status = 134 ] && says "Memory access fault by GPU" && says "host memory intact"
result $? "a store outside device memory: the runtime prints its diagnosis and aborts; host memory stays intact"

for access in read write; do
	soft "$program" $access-protected
	status=$?
	address=$(sed -n 's/^protected //p' "$log")
	[ $status = 134 ] && [ -n "$address" ] && says "Memory access fault by GPU" && says "host memory intact" &&
		says "softgpu: kernel .*: memory fault: $access at $address: the program has protected this memory of the host \(mprotect\)\$"
	result $? "a $access of registered memory that the program has protected: the same diagnosis"
done

soft "$program" illegal
status=$?
[ $status = 134 ] && says ILLEGAL_INSTRUCTION && says "host memory intact"
result $? "an illegal instruction: the runtime prints its diagnosis and aborts"

soft rocminfo
status=$?
[ $status = 0 ] && says "Name: *gfx900" && says "Compute Unit: *64"
result $? "rocminfo lists gfx900"

soft rocm-smi
status=$?
[ $status = 0 ] && says "1539Mhz" && says "945Mhz" && says "34.0(c|°C)" && says "25.0W"
result $? "rocm-smi prints clocks, temperature and power"

soft env SOFTGPU=mi26 rocminfo
says "softgpu: .*mi26"
result $? "an unknown model is reported in one line"

soft env SOFTGPU_SET=sclk_khz=1000000 rocm-smi
says "1002Mhz" # 1953 ppm more while the vector ALUs are idle
result $? "a constant set by name takes effect"

soft env SOFTGPU_THREADS=some rocm-smi
says "softgpu: .*threads.*some"
result $? "a wrong number of threads is reported in one line"

"$wavedeck" exec --threads 65 -- true >"$log" 2>&1
[ $? = 2 ] && says "^wavedeck: --threads must be 1 to 64, not '65'$"
result $? "exec refuses a number of threads out of range"
# shellcheck disable=SC2016 # for the program's shell
"$wavedeck" exec --threads 2 -- sh -c 'echo "threads: $SOFTGPU_THREADS"' >"$log" 2>&1
says "^threads: 2$"
result $? "exec --threads tells the software GPU"

soft sh -c 'cat /sys/class/drm/card0/device/vendor; ls /sys/class/kfd/kfd/topology/nodes; ls -d /tmp'
printf '0x1002\n0\n1\n/tmp\n' | cmp -s - "$log"
result $? "shell tools see the virtual files and the real ones"

finish
