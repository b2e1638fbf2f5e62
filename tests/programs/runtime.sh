#!/usr/bin/env bash
# Programs built by hipcc run under `wavedeck exec` with the real ROCm runtime: device printf, assert and abort, calls
# by pointer and virtual functions, dynamic LDS, symbols, cooperative groups. On gfx1100 where ROCm knows it. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
source=tests/programs/runtime.cpp
work=$BUILD/tests/programs/runtime
mkdir -p "$work"

# Suppresses the shell's message about aborts.
run() {
	{ TMPDIR=$tmp timeout $patience "$BUILD/wavedeck" exec --model $model -- "$work/$target$level" "$@" >"$tmp/out" 2>"$tmp/log" </dev/null; } \
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

for target in gfx900 gfx1100; do
	case $target in gfx900) model=mi25 ;; *) model=rx7900xtx ;; esac
	if ! "$BUILD/wavedeck" exec --model $model -- rocminfo 2>/dev/null | grep -q "Name: *$target"; then
		skip "programs on $target" "the ROCm runtime here does not know $target"
		continue
	fi
	for level in ${TESTS_LEVELS:--O3}; do
		if [ ! -x "$work/$target$level" ] || [ "$source" -nt "$work/$target$level" ]; then
			kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" --offload-arch=$target "$level" -Wno-unused-result \
				-o "$work/$target$level" "$source" >"$tmp/log" 2>&1
			result $? "hipcc $target $level"
		fi
		for name in calls product symbols cooperative assert-good; do
			run $name
			result $? "$target: $name $level"
		done
		run printf
		expected_printf | sort >"$tmp/wanted"
		sort "$tmp/out" | cmp -s - "$tmp/wanted"
		result $? "$target: device printf $level"
		run assert
		status=$?
		[ $status -eq 134 ] && ! grep -q survived "$tmp/out" &&
			grep -q 'ssertion.*v\[threadIdx.x\] < 50.*failed' "$tmp/out" "$tmp/log"
		result $? "$target: a failed device assert ends the program with its text $level"
		run abort
		status=$?
		[ $status -eq 134 ] || grep -q 'after abort: ' "$tmp/out"
		result $? "$target: device abort ends the program $level"
	done
done
finish
