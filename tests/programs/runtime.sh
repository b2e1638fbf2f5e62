#!/usr/bin/env bash
# Programs built by hipcc run under `wavedeck exec` with the real ROCm runtime: device printf, assert and abort, calls
# by pointer and virtual functions, dynamic LDS, symbols, cooperative groups. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
source=tests/programs/runtime.cpp
work=$BUILD/tests/programs/runtime
mkdir -p "$work"

# Suppresses the shell's message about aborts.
run() {
	{ TMPDIR=$tmp timeout $patience "$BUILD/wavedeck" exec -- "$work/program$level" "$@" >"$tmp/out" 2>"$tmp/log" </dev/null; } \
		2>/dev/null
}

# The expected output of the printf case. The order of workgroups is not defined.
expected_printf() {
	echo "no arguments"
	for group in 0 1; do
		for item in 3 67; do
			printf 'item %d of group %u: %s %5.2f %-6x| %d %c%%\n' \
				$item $group 'half of seven is' 3.5 48879 -123456789012345 z
		done
	done
}

for level in ${TESTS_LEVELS:--O3}; do
	if [ ! -x "$work/program$level" ] || [ "$source" -nt "$work/program$level" ]; then
		kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" --offload-arch=gfx900 "$level" -Wno-unused-result \
			-o "$work/program$level" "$source" >"$tmp/log" 2>&1
		result $? "hipcc $level"
	fi
	for name in calls product symbols cooperative assert-good; do
		run $name
		result $? "$name $level"
	done
	run printf
	expected_printf | sort >"$tmp/wanted"
	sort "$tmp/out" | cmp -s - "$tmp/wanted"
	result $? "device printf $level"
	run assert
	status=$?
	[ $status -eq 134 ] && ! grep -q survived "$tmp/out" &&
		grep -q 'ssertion.*v\[threadIdx.x\] < 50.*failed' "$tmp/out" "$tmp/log"
	result $? "a failed device assert ends the program with its text $level"
	run abort
	status=$?
	[ $status -eq 134 ] || grep -q 'after abort: ' "$tmp/out"
	result $? "device abort ends the program $level"
done
finish
