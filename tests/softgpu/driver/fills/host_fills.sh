#!/usr/bin/env bash
# HIP's fills and copies of device memory: partly done by the host (host_fills=1) and all simulated (0) are the same. TAP.
here=tests/softgpu/driver/fills
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
build_hip_program fills -I.

# Runs the program, and keeps its lines: case, kernel, "us" and time, "waves", "instructions", "cycles", ..., "memory".
run_fills() { # name of the lines, constants, arguments
	local name=$1 constants=$2 status
	shift 2
	model=$model,$constants soft "$program" "$@"
	status=$?
	grep ' memory ' "$log" >"$tmp/$name"
	return $status
}

# Prints the cases in which a field differs by more than so many percent, also if no case is there.
differing() { # lines, lines, field, percent
	paste -d' ' "$tmp/$1" "$tmp/$2" | awk -v field="$3" -v percent="$4" '
		{ for (i = 1; i <= NF; i++) if ($i == field) value[++n] = $(i + 1) }
		n != 2 * NR { print "line", NR, "has no", field; exit }
		{ a = value[n - 1]; b = value[n]
		  if (percent ? a > b * (1 + percent / 100) || a < b * (1 - percent / 100) : a != b) print $1, a, b }
		END { if (!NR) print "no cases" }'
}

same() { # lines, lines, percent, fields
	local first=$1 second=$2 percent=$3 field
	shift 3
	for field; do check "$first and $second: $field" "$(differing "$first" "$second" "$field" "$percent")"; done
}

run_fills host timing=1,host_fills=1 plain all
result $? "memory is as C computes"
run_fills simulated timing=1,host_fills=0 plain all
result $? "memory is as C computes, simulated"
same host simulated 0 memory waves instructions
same host simulated 2 cycles us

profiled='set set-odd set-rows copy-odd copy-wide-rows'
# The program is the same up to the last case, so each launch finds the caches as it does there.
# shellcheck disable=SC2086 # a list
run_fills plain timing=1 plain $profiled && run_fills profiled timing=1 profiled $profiled
result $? "profiled launches"
same plain profiled 0 memory waves instructions cycles us
check "the cycles by stall reason are all cycles" "$(awk '$10 != $12' "$tmp/profiled")"
check "the instructions of the profile are all instructions" "$(awk '$8 != $14' "$tmp/profiled")"
check "some waves are not simulated" "$(awk '$1 != "copy-wide-rows" && $16 > 0.9 * $6' "$tmp/profiled")"
check "all of a copy of rows are, with times" "$(awk '$1 == "copy-wide-rows" && $16 != $6' "$tmp/profiled")"

run_fills untimed timing=0,host_fills=1 plain all && run_fills untimed-simulated timing=0,host_fills=0 plain all
result $? "without timing"
same untimed untimed-simulated 0 memory waves instructions

# A kernel of the same name is recognized, unless it does something else.
OWN_FILL=$tmp/own_fill.co
export OWN_FILL
"$CLANG" -x cl -cl-std=CL2.0 -cl-kernel-arg-info -target amdgcn-amd-amdhsa "-mcpu=$target" -mcode-object-version=4 \
	-nogpulib -O2 -o "$OWN_FILL" "$here/own_fill.cl" >"$log" 2>&1
result $? "clang builds a kernel of the same name"
run_fills alike timing=1 profiled alike && check "it is known" "$(awk '$16 > 0.9 * $6' "$tmp/alike")"
run_fills otherwise timing=1 profiled otherwise
result $? "one that writes something else: memory is as the kernel writes it"
check "it is simulated" "$(awk '$16 != $6' "$tmp/otherwise")"
soft "$program" plain beyond
status=$?
[ $status = 134 ] && says "Memory access fault by GPU" && says '__amd_rocclr_fillBufferAligned: memory fault: write of 8 bytes'
result $? "a fill beyond the end of a buffer faults"
finish
