#!/usr/bin/env bash
# Queries and requests at the driver boundary, and those that are refused: HIP's queries, priorities, rocm-smi's
# settings. TAP.
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program requests

for case in function-attributes free-memory registered-memory peers events-of-others memory-of-others priorities; do
	soft "$program" $case
	result $? "$case"
done

soft rocm-smi --showprofile && says '#7 of 7\): BOOTUP DEFAULT\*' && says 'COMPUTE' && says 'VR' && says 'CUSTOM'
result $? "rocm-smi lists the power profiles"

# Settings cannot be changed: the device exists only in its own process. Its attributes are read-only, even for root.
# rocm-smi 6 starts itself again with sudo unless it is root; here it believes that it is.
as_root='import os, runpy, sys
os.geteuid = lambda: 0
sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(os.path.realpath(sys.argv[0])))
runpy.run_path(sys.argv[0], run_name="__main__")'
for option in '--setperflevel high' '--setsclk 3' '--setprofile 5' '--setfan 100' '--resetclocks'; do
	# shellcheck disable=SC2086 # an option and its value
	soft python3 -c "$as_root" "$(command -v rocm-smi)" $option
	refusal='RSMI_STATUS_PERMISSION|Permission denied'
	[ "$option" != '--setfan 100' ] || refusal+='|Not supported on the given system'
	says "$refusal" && ! says Traceback
	result $? "rocm-smi $option is refused"
done

finish
