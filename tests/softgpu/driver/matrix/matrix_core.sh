#!/usr/bin/env bash
# Products with the matrix cores of an MI100 under the real ROCm libraries. TAP.
here=tests/softgpu/driver/matrix
# shellcheck disable=SC2034 # read by hip_program.bash
model=mi100 target=gfx908
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
build_hip_program matrix_core -I.

for elements in f32 f16 bf16 i8; do
	soft "$program" $elements
	result $? "$elements"
done
finish
