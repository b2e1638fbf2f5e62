#!/bin/sh
# CU masks under the real ROCm libraries: of HIP's streams, of the HSA runtime's queues. TAP.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${BUILD:-build}" && pwd)
bitcode=${BITCODE:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
wavedeck=$build/wavedeck
work=$build/tests/driver
program=$work/masks-hip
log=$work/masks.log
count=0
failed=0
mkdir -p "$work"

result() { # status, what
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		failed=$((failed + 1))
		head -n 20 "$log" | sed 's/^/# /'
	fi
}

soft() {
	timeout -k 5 100 "$wavedeck" exec -- "$@" >"$log" 2>&1 </dev/null
}

if [ ! -x "$program" ] || [ "$here/masks_hip.cpp" -nt "$program" ]; then
	hipcc --offload-arch=gfx900 --rocm-path=/usr --rocm-device-lib-path="$bitcode" -O2 -Wno-unused-result \
		-o "$program" "$here/masks_hip.cpp" -lhsa-runtime64 >"$log" 2>&1
	result $? "hipcc builds the program"
fi

soft "$program" streams
result $? "hipExtStreamCreateWithCUMask: workgroups keep to the mask's CUs, and fewer take longer"

cp "$log" "$work/masks.first"
soft "$program" streams && cmp -s "$work/masks.first" "$log"
result $? "two runs take the same times"

soft "$program" short
result $? "a short mask leaves out the CUs that it does not speak of"

soft "$program" together
result $? "streams with masks and without one"

soft env HSA_CU_MASK=0:0-15 "$program" environment
result $? "HSA_CU_MASK"

soft "$program" none && grep -q 'its CU mask leaves no CU' "$log"
result $? "a kernel without a CU waits, which is said"

# Many times: a queue's end takes two threads that wait for one event, the second of which may be late.
status=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	soft "$program" queues || status=1
done
result $status "hsa_amd_queue_cu_set_mask and hsa_amd_queue_cu_get_mask, queues that come and go"

echo "1..$count"
[ $failed = 0 ]
