#!/usr/bin/env bash
# A queue that is destroyed ends its own kernel alone, under the real ROCm runtime. TAP.
# shellcheck disable=SC2034 # for hip_program.bash
here=tests/softgpu/driver/queues
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
build_hip_program queue_ends -lhsa-runtime64

kernels/in_scratch.sh "$CLANG" -x hip -nogpuinc -nogpulib "--offload-arch=$target" --offload-device-only \
	--no-gpu-bundle-output -O2 -o "$tmp/queue_ends.co" "$here/queue_ends.hip" >"$log" 2>&1
result $? "clang builds the kernels"

status=0
for _ in {1..5}; do
	soft "$program" "$tmp/queue_ends.co" && says '^100 workgroups$' || status=1
done
result $status "the kernel of another queue goes on to its end"

finish
