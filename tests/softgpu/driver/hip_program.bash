# Scripts that build and run a HIP program under the software GPU source this file, which sources tests/tap.bash.
# Builds go to $work and are kept. $log has the output of the last command of `soft`. A script for another GPU than the
# MI25 sets $model and $target first; one whose program is in another folder sets $here.
# shellcheck shell=bash source=../../tap.bash
. "$(dirname "${BASH_SOURCE[0]}")/../../tap.bash"
here=${here:-tests/softgpu/driver}
wavedeck=$BUILD/wavedeck
work=$BUILD/tests/driver
model=${model:-mi25} target=${target:-gfx900}
log=$tmp/log
mkdir -p "$work"
details() { head -n 20 "$1"; }
# The cases of each program that end with status 0, on every GPU.
# shellcheck disable=SC2034
driver_cases='copies copies-2d sets events sequences clocks streams pinned managed scratch threads memory forks'
# shellcheck disable=SC2034
runtime_cases='callbacks callback-thread dependencies polling stream-values cross-stream-wait ping-pong released-by-host copies-3d sets-2d
	pools managed whole-64-bit mapped-while-running full-while-running heap properties occupancy cooperative hiprtc
	graphs many-threads forked signaled-child'
# shellcheck disable=SC2034
lane_cases='shuffles divergence local-memory atomics stack doubles'

# Builds $here/NAME_hip.cpp as $program if it is out of date. Of two scripts that need the same one, the second waits.
build_hip_program() { # NAME, further arguments of hipcc
	local lock
	program=$work/$1-$target-hip
	exec {lock}>"$program.lock"
	flock "$lock"
	build_old_hip_program "$@"
	exec {lock}>&-
}

build_old_hip_program() { # as above
	local name=$1
	shift
	[ ! -x "$program" ] || [ -n "$(find "$here/${name}_hip.cpp" tests/softgpu/driver/hip_*.h softgpu/probe.h -newer "$program")" ] || return 0
	# With ROCM_PATH, hipcc looks for the device libraries below it only.
	kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" "--offload-arch=$target" -O2 -Wno-unused-result \
		-o "$program" "$here/${name}_hip.cpp" "$@" >"$log" 2>&1
	result $? "hipcc builds the $name program for $target"
}

# Runs a command under the software GPU, with $options of `exec`. HIP leaves folders in TMPDIR when it aborts.
soft() {
	# shellcheck disable=SC2086 # a list
	TMPDIR=$tmp timeout -k 5 $patience "$wavedeck" exec --model "$model" ${options:-} -- "$@" >"$log" 2>&1 </dev/null
}

# The last output contains a line that matches.
says() { # extended regular expression
	grep -Eq -- "$1" "$log"
}
