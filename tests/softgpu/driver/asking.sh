#!/bin/sh
# What programs ask of the driver boundary, and what is refused to them: HIP's queries, priorities, rocm-smi's settings. TAP.
set -u
name=asking libraries=
. "$(dirname "$0")/program.inc"

for case in functions memory-left registered peers other-processes priorities; do
	soft "$program" $case
	result $? "$case"
done

soft rocm-smi --showprofile && says '#7 of 7\): BOOTUP DEFAULT\*' && says 'COMPUTE' && says 'VR' && says 'CUSTOM'
result $? "rocm-smi lists the power profiles"

# A device of one process cannot be set by another: its attributes are read-only, as sysfs refuses them even to root.
for option in '--setperflevel high' '--setsclk 3' '--setprofile 5' '--setfan 100' '--resetclocks'; do
	soft rocm-smi $option
	says RSMI_STATUS_PERMISSION && ! says Traceback
	result $? "rocm-smi $option is refused"
done

echo "1..$count"
[ $failed = 0 ]
