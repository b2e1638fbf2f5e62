#!/usr/bin/env bash
# HIP programs, monitoring tools and several users at the driver boundary, under the real ROCm libraries. TAP.
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program runtime -pthread

for case in $runtime_cases; do
	soft "$program" $case
	result $? "$case"
done

build_hip_program lanes
for case in $lane_cases; do
	soft "$program" $case
	result $? "$case"
done
build_hip_program runtime -pthread

soft env GPU_STREAMOPS_CP_WAIT=1 "$program" stream-values
result $? "a stream waits for a value with a barrier-value packet"

soft "$program" printing && [ "$(grep -c '^thread [01] of block [01] says 4[012]$' "$log")" = 12 ]
result $? "printf in every thread"

soft "$program" asserting
status=$?
[ $status = 134 ] && says '^first assertion passed' && says "Device-side assertion .* failed" &&
	says HSA_STATUS_ERROR_EXCEPTION
result $? "a failed assertion is reported, and the runtime aborts"

soft "$program" aborting
status=$?
[ $status = 134 ] && says 's_trap 2' && says HSA_STATUS_ERROR_EXCEPTION
result $? "abort in a kernel: the runtime reports it and aborts"

soft env SOFTGPU_SET=host_memory_percent=1 "$program" budget
status=$?
[ $status = 134 ] && says 'budget' && says host_memory_percent
result $? "exceeding the host memory budget ends the program with an explanation"

soft env ROUNDS=20000 "$program" busy-percent
result $? "the busy percentage follows the load"

soft "$program" tutorial && cp "$log" "$work/first" && soft "$program" tutorial && cmp -s "$work/first" "$log" &&
	says '^262144: .* ms'
result $? "two runs of a tutorial print the same times"

for first in AMD_DIRECT_DISPATCH=0 A=; do
	for second in HSA_ENABLE_INTERRUPT=0 A=; do
		for third in HSA_ENABLE_SDMA=0 A=; do
			[ "$first$second$third" = A=A=A= ] && continue
			soft env $first $second $third "$program" tutorial
			result $? "copies and launches with $first $second $third"
		done
	done
done

# --- monitoring tools ---
# The MI25 does not support: serial number, sensors of single memory stacks, activity and energy counters (all from
# gpu_metrics of later chips), ECC records, XGMI, overdrive. For these, rocm-smi 5 prints an error and exits with 2 or
# 9; rocm-smi 6 prints the reason instead of the value and exits with 0.
soft rocm-smi --showbus --showbw --showclkfrq --showclocks --showdriverversion --showfan --showfwinfo --showgpuclocks \
	--showid --showmaxpower --showmemoverdrive --showmemvendor --showoverdrive --showperflevel --showpidgpus \
	--showpids --showpower --showproductname --showprofile --showreplaycount --showuniqueid --showvbios \
	--showvoltage --showmeminfo all &&
	! says 'ERROR|Traceback|N/A' && says 'MEC firmware version: +[^0-9]*33236' &&
	says 'SDMA firmware version: +[^0-9]*430'
result $? "rocm-smi shows everything that the card supports"

soft rocm-smi --shownodesbw --showtopo --showtopoaccess --showtopohops --showtoponuma --showtopotype --showtopoweight &&
	! says 'ERROR|Traceback'
result $? "rocm-smi shows the topology"

soft rocm-smi --showuse --showmemuse --json
says '"GPU use \(%\)": "0"' && says '"GPU (memory use|Memory Read/Write Activity) \(%\)": "0"'
result $? "an idle card shows 0 % use"

for option in --showserial --showenergycounter --showclkvolt --showsclkrange --showmclkrange --showvoltagerange \
	--showvc --showpagesinfo --showxgmierr; do
	soft rocm-smi $option
	status=$?
	! says Traceback && case $status in
	0) says '^GPU\[0\].*(Not supported on the given system|Unexpected data received)' ;;
	*) [ $status = 2 ] || [ $status = 9 ] && says '^ERROR: [29] ' ;;
	esac
	result $? "rocm-smi $option: reported as not supported"
done
soft rocm-smi --showtemp
says 'edge.*34.0' && says 'junction.*35.0' && says 'memory.*34.0' && ! says 'HBM.*: [0-9]'
result $? "rocm-smi --showtemp: three sensors, none for the memory stacks"

${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -o "$work/directory-calls" "$here/directory_calls.c" >"$log" 2>&1
result $? "directory_calls.c compiles"
if soft "$work/directory-calls"; then status=0; else status=1; fi
grep -E '^not ok|^ok' "$log" >"$work/lines"
while read -r line; do
	case $line in ok*) result 0 "${line#ok - }" ;; *) result 1 "${line#not ok - }" ;; esac
done <"$work/lines"
result $status "directory_calls exits with 0"

# --- several processes and users ---
# Events of HIP programs that run at the same time are in /dev/shm, too.
list_shared_memory() { find /dev/shm -type f ! -name 'hip_event*' 2>/dev/null | sort; }
before=$(list_shared_memory)
several() {
	bad=0
	pids=
	for user in "$@"; do
		run=
		[ -n "$user" ] && run="setpriv --reuid=$user --regid=$user --clear-groups env -u TMPDIR HOME=/"
		timeout -k 5 $patience $run "$wavedeck" exec -- "$program" dependencies >>"$log" 2>&1 </dev/null &
		pids="$pids $!"
	done
	for pid in $pids; do wait $pid || bad=1; done
	return $bad
}
: >"$log"
several '' '' ''
result $? "three processes at the same time"
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$program"; then
	several '' 65534 1 &&
		setpriv --reuid=65534 --regid=65534 --clear-groups env -u TMPDIR "$wavedeck" exec -- rocm-smi --showtemp >"$log" 2>&1
	says 'edge.*34.0'
	result $? "three users at the same time"
else
	skip "three users at the same time" "needs root and a build that others can read"
fi

# Processes killed while a kernel runs must leave nothing behind.
for _ in 1 2; do
	ROUNDS=10000000 "$wavedeck" exec -- "$program" wait-synchronize >"$log" 2>&1 &
	victim=$!
	wait_until grep -q '^launched' "$log"
	kill -9 $victim
	wait $victim 2>/dev/null
done
soft "$program" dependencies && soft rocm-smi --showid && says 0x6860 && [ "$(list_shared_memory)" = "$before" ]
result $? "killed processes leave nothing behind"

finish
