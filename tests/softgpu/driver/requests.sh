#!/usr/bin/env bash
# Queries and requests at the driver boundary, and those that are refused: HIP's queries, priorities, rocm-smi's
# settings. TAP.
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program requests

for case in function-attributes free-memory registered-memory peers other-processes priorities; do
	soft "$program" $case
	result $? "$case"
done

soft rocm-smi --showprofile && says '#7 of 7\): BOOTUP DEFAULT\*' && says 'COMPUTE' && says 'VR' && says 'CUSTOM'
result $? "rocm-smi lists the power profiles"

# Settings cannot be changed: the device exists only in its own process. Its attributes are read-only, even for root.
for option in '--setperflevel high' '--setsclk 3' '--setprofile 5' '--setfan 100' '--resetclocks'; do
	soft rocm-smi $option
	says RSMI_STATUS_PERMISSION && ! says Traceback
	result $? "rocm-smi $option is refused"
done

finish
