#!/bin/sh
# CU masks under the real ROCm libraries: of HIP's streams, of the HSA runtime's queues. TAP.
set -u
name=masks libraries=-lhsa-runtime64
. "$(dirname "$0")/program.inc"

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

soft "$program" none && grep -q 'the CU mask is empty' "$log"
result $? "a kernel without a CU waits, which is said"

# Many times: a queue's end takes two threads that wait for one event, the second of which may be late.
status=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	soft "$program" queues || status=1
done
result $status "hsa_amd_queue_cu_set_mask and hsa_amd_queue_cu_get_mask, queues that come and go"

echo "1..$count"
[ $failed = 0 ]
