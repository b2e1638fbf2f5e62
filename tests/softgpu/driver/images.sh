#!/usr/bin/env bash
# Images under the real ROCm libraries: textures, surfaces, arrays and copies, compared with the host's results. TAP.
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program images -Wno-deprecated-declarations

for case in textures-1d textures-2d textures-3d layers linear-memory pitched-memory surfaces copies references; do
	soft "$program" $case
	result $? "$case"
done
finish
