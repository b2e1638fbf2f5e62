#!/usr/bin/env bash
# Programs built by hipcc run under `wavedeck exec` with the real ROCm runtime: device printf, assert and abort, calls by
# pointer and virtual functions, dynamic LDS, symbols, cooperative groups. TAP.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${BUILD:-build}" && pwd)
bitcode=${BITCODE:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
work=$build/tests/programs/runtime
n=0 failures=0
mkdir -p "$work"

ok() { # what, status
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; return; fi
	failures=$((failures + 1))
	echo "not ok $n - $1"
	sed 's/^/# /' "$work/log" | head -20
}
# Suppresses the shell's message about aborts.
run() { { timeout 60 "$build/wavedeck" exec -- "$work/program$level" "$@" >"$work/out" 2>"$work/log" </dev/null; } 2>/dev/null; }

# The expected output of the printf case. The order of workgroups is not defined.
expected_printf() {
	echo "no arguments"
	for group in 0 1; do
		for item in 3 67; do
			printf 'item %d of group %u: %s %5.2f %-6x| %d %c%%\n' $item $group 'half of seven is' 3.5 48879 -123456789012345 z
		done
	done
}

for level in ${TESTS_LEVELS:--O3}; do
	if [ ! -x "$work/program$level" ] || [ "$here/runtime.cpp" -nt "$work/program$level" ]; then
		hipcc --offload-arch=gfx900 --rocm-path=/usr --rocm-device-lib-path="$bitcode" "$level" -Wno-unused-result \
			-o "$work/program$level" "$here/runtime.cpp" >"$work/log" 2>&1
		ok "hipcc $level" $?
	fi
	for name in calls product symbols cooperative assert-good; do
		run $name
		ok "$name $level" $?
	done
	run printf
	expected_printf | sort >"$work/wanted"
	sort "$work/out" | cmp -s - "$work/wanted"
	ok "device printf $level" $?
	run assert
	status=$?
	[ $status -eq 134 ] && ! grep -q survived "$work/out" && grep -q 'ssertion.*v\[threadIdx.x\] < 50.*failed' "$work/out" "$work/log"
	ok "a failed device assert ends the program with its text $level" $?
	run abort
	status=$?
	[ $status -eq 134 ] || grep -q 'after abort: ' "$work/out"
	ok "device abort ends the program $level" $?
done
echo "1..$n"
[ $failures -eq 0 ]
