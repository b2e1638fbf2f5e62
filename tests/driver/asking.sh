#!/bin/sh
# What programs ask of the driver boundary, and what is refused to them: HIP's queries, priorities, rocm-smi's settings. TAP.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${BUILD:-build}" && pwd)
bitcode=${BITCODE:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
wavedeck=$build/wavedeck
work=$build/tests/driver
program=$work/asking-hip
log=$work/asking.log
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

says() { # pattern
	grep -Eq -- "$1" "$log"
}

if [ ! -x "$program" ] || [ "$here/asking_hip.cpp" -nt "$program" ]; then
	hipcc --offload-arch=gfx900 --rocm-path=/usr --rocm-device-lib-path="$bitcode" -O2 -Wno-unused-result \
		-o "$program" "$here/asking_hip.cpp" >"$log" 2>&1
	result $? "hipcc builds the program"
fi

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
