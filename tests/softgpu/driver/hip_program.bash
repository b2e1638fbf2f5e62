# Scripts that build and run a HIP program under the software GPU source this file, which sources tests/tap.bash.
# Builds go to $work and are kept. $log has the output of the last command of `soft`.
# shellcheck shell=bash source=../../tap.bash
. "$(dirname "${BASH_SOURCE[0]}")/../../tap.bash"
here=tests/softgpu/driver
wavedeck=$BUILD/wavedeck
work=$BUILD/tests/driver
log=$tmp/log
mkdir -p "$work"
details() { head -n 20 "$1"; }

# Builds $here/NAME_hip.cpp as $program if it is out of date.
build_hip_program() { # NAME, further arguments of hipcc
	local name=$1
	shift
	program=$work/$name-hip
	[ ! -x "$program" ] || [ "$here/${name}_hip.cpp" -nt "$program" ] || return 0
	# With ROCM_PATH, hipcc looks for the device libraries below it only.
	kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" --offload-arch=gfx900 -O2 -Wno-unused-result \
		-o "$program" "$here/${name}_hip.cpp" "$@" >"$log" 2>&1
	result $? "hipcc builds the $name program"
}

# Runs a command under the software GPU. HIP leaves folders in TMPDIR when it aborts.
soft() {
	TMPDIR=$tmp timeout -k 5 $patience "$wavedeck" exec -- "$@" >"$log" 2>&1 </dev/null
}

# The last output contains a line that matches.
says() { # extended regular expression
	grep -Eq -- "$1" "$log"
}
