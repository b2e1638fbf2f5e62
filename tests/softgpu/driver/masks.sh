#!/usr/bin/env bash
# CU masks under the real ROCm libraries: of HIP streams and of HSA queues. TAP.
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program masks -lhsa-runtime64

soft "$program" streams
result $? "hipExtStreamCreateWithCUMask: workgroups run only on the mask's CUs, and fewer CUs take longer"

cp "$log" "$work/masks.first"
soft "$program" streams && cmp -s "$work/masks.first" "$log"
result $? "two runs take the same times"

soft "$program" short
result $? "a short mask excludes the remaining CUs"

soft "$program" together
result $? "streams with and without masks at the same time"

soft env HSA_CU_MASK=0:0-15 "$program" environment
result $? "HSA_CU_MASK"

soft "$program" none && grep -q 'the CU mask is empty' "$log"
result $? "a kernel with an empty CU mask waits, with a warning"

# Repeated, because destroying a queue involves two threads that wait for the same event, and the second may be late.
status=0
for _ in {1..20}; do
	soft "$program" queues || status=1
done
result $status "hsa_amd_queue_cu_set_mask and hsa_amd_queue_cu_get_mask; queues are created and destroyed"

finish
