#!/usr/bin/env bash
# The driver boundary under the real ROCm libraries: a HIP program built with hipcc, rocminfo and rocm-smi. TAP.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${BUILD:-build}" && pwd)
bitcode=${BITCODE:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
work=$build/tests/driver
program=$work/driver-hip
count=0
failed=0
mkdir -p "$work"

result() { # status, description
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		failed=$((failed + 1))
		[ -f "$work/log" ] && head -n 20 "$work/log" | sed 's/^/# /'
	fi
}

# The user's environment may hide or rename the device.
soft() {
	preload=libsoftgpu.so
	[ "${MODE:-}" = asan ] && preload="$(gcc -print-file-name=libasan.so) libsoftgpu.so"
	env -u HSA_OVERRIDE_GFX_VERSION -u HIP_VISIBLE_DEVICES -u ROCR_VISIBLE_DEVICES -u SOFTGPU -u SOFTGPU_SET \
		ASAN_OPTIONS=detect_leaks=0:use_sigaltstack=0 LD_LIBRARY_PATH="$build" LD_PRELOAD="$preload" \
		timeout 60 "$@" >"$work/log" 2>&1
}

says() { # pattern
	grep -q "$1" "$work/log"
}

if [ ! -x "$program" ] || [ "$here/driver_hip.cpp" -nt "$program" ]; then
	hipcc --offload-arch=gfx900 --rocm-path=/usr --rocm-device-lib-path="$bitcode" -O2 -pthread -Wno-unused-result \
		-o "$program" "$here/driver_hip.cpp" >"$work/log" 2>&1
	result $? "hipcc builds the program"
fi

for case in copies copies-2d sets events clocks streams pinned managed scratch threads memory forks; do
	soft "$program" $case
	result $? "$case"
done

soft "$program" events
cp "$work/log" "$work/first"
soft "$program" events
cmp -s "$work/first" "$work/log"
result $? "two runs print the same event times"

for setting in AMD_DIRECT_DISPATCH=0 HSA_ENABLE_INTERRUPT=0 HSA_ENABLE_SDMA=0; do
	soft env $setting "$program" streams
	result $? "streams with $setting"
done

soft "$program" fault
status=$?
[ $status = 134 ] && says "Memory access fault by GPU" && says "host memory intact"
result $? "a store outside device memory: the runtime prints its diagnosis and aborts, host memory stays intact"

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
[ $status = 0 ] && says "1539Mhz" && says "945Mhz" && says "34.0c" && says "25.0W"
result $? "rocm-smi prints clocks, temperature and power"

soft env SOFTGPU=mi26 rocminfo
says "softgpu: .*mi26"
result $? "an unknown model is reported in one line"

soft env SOFTGPU_SET=sclk_khz=1000000 rocm-smi
says "1002Mhz" # 1953 ppm more while the vector ALUs are idle
result $? "a constant set by name takes effect"

soft sh -c 'cat /sys/class/drm/card0/device/vendor; ls /sys/class/kfd/kfd/topology/nodes; ls -d /tmp'
printf '0x1002\n0\n1\n/tmp\n' | cmp -s - "$work/log"
result $? "shell tools see the virtual files and the real ones"

echo "1..$count"
[ $failed = 0 ]
