#!/usr/bin/env bash
# What kernels may access, to the byte: each of HIP's ways to allocate, freed memory, stacks of the host, threads,
# processes. The same cycles with and without the check. TAP.
here=tests/softgpu/driver/check
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
build_hip_program allocations -pthread -rdynamic -I. -lhsa-runtime64

for case in first-use device-memory large arrays host-memory freed pools found-by-address without-hip threads forked \
	other-process leaks many few-descriptors; do
	SOFTGPU_CHECK=memory soft "$program" $case
	result $? "$case"
done
SOFTGPU_CHECK=leak soft "$program" stray
[ $? != 0 ] && says 'memory fault: write of 4 bytes' && says 'Memory access fault by GPU' && ! says synchronized
result $? 'the page behind an allocation is not mapped'
SOFTGPU_CHECK=race,leak soft "$program" first-use
result $? 'they are tracked for leaks, too'
for list in '' race,memo; do
	SOFTGPU_CHECK=$list soft "$program" off
	result $? "nothing is tracked with '$list'"
done

SOFTGPU_CHECK='' soft "$program" cycles && cp "$log" "$tmp/plain" && SOFTGPU_CHECK=memory soft "$program" cycles &&
	[ "$(grep -c ' cycles' "$log")" = 30 ] && cmp -s "$tmp/plain" "$log"
result $? 'launches take the same cycles'

allocations=$program here=tests/softgpu/driver model='mi25*2'
build_hip_program several_gpus
for case in peer-access copies-with-access; do
	SOFTGPU_CHECK=memory soft "$program" $case
	result $? "two GPUs: $case"
done
SOFTGPU_CHECK=memory soft "$program" peer-fault
[ $? != 0 ] && says 'memory fault: read of 4 bytes' && ! says synchronized
result $? 'only the GPU whose memory it is reaches it, until the program lets others'
SOFTGPU_CHECK=memory soft "$allocations" first-use
result $? 'on the first of two GPUs'

SOFTGPU_CHECK=memory soft sh -c 'ls / >/dev/null && echo listed' && says '^listed$'
result $? 'programs that use no GPU run as usual'
finish
