#!/usr/bin/env bash
# Launches of a program are kept and run again in another process, without ROCm: the same cycles, instructions and memory,
# in each host variant, timed and untimed. TAP.
here=tests/softgpu/driver/capture
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
build_hip_program launches
replay=$BUILD/softgpu-run

# Runs the program on a model and keeps launches in $tmp/NAME.
capture() { # name, model, arguments of the program
	local name=$1 model=$2
	shift 2
	mkdir -p "$tmp/$name"
	SOFTGPU_CAPTURE=$tmp/$name soft "$program" "$@"
}
# The kernels of the program whose launches the last replay found the same.
same_kernels() { sed -n 's/.*: \(add\|sum\|spill\|count\|wait\): the same: .*/\1/p' "$log" | sort | tr '\n' ' '; }

soft "$program" && cp "$log" "$tmp/plain"
capture timed mi25 && cmp "$log" "$tmp/plain"
result $? 'a program whose launches are kept prints the same'
check 'and nothing else but their code objects' "$(find "$tmp/timed" -type f ! -name '*.launch' ! -name '????????????????.co')"
readelf -SW "$tmp"/timed/*.co >"$log" 2>&1 && says '\.symtab'
result $? 'as they were compiled, with what the loader leaves out' "$log"

"$replay" "$tmp"/timed/*.launch >"$log" 2>&1
result $? 'each runs again with the same cycles, instructions and memory' "$log"
equal 'those of the program are among them' 'add count spill sum ' "$(same_kernels)"
cp "$log" "$tmp/lines"
bad=$(for variant in base v3 v4; do
	SOFTGPU_HOST_VARIANT=$variant "$replay" "$tmp"/timed/*.launch >"$log" 2>&1 && cmp -s "$log" "$tmp/lines" || cat "$log"
done)
check 'in each host variant' "$bad"
[ "$(stat -c %a "$tmp"/timed/*.launch | sort -u)" = 600 ]
result $? 'other users cannot read them' /dev/null

capture untimed mi25,timing=0 && "$replay" "$tmp"/untimed/*.launch >"$log" 2>&1
result $? 'without timing: the same instructions and memory' "$log"
capture fewer mi25,compute_units=4,l2_bytes=1048576 && "$replay" "$tmp"/fewer/*.launch >"$log" 2>&1
result $? 'with changed constants' "$log"

capture maps mi25 maps && says '^mapped while it ran$' && "$replay" "$tmp"/maps/*.launch >"$log" 2>&1 && says ' turn: the same: '
result $? 'memory that the program maps meanwhile does not count'

# --- a file of other people ---
mkdir "$tmp/foreign"
for launch in "$tmp"/timed/*.launch; do LC_ALL=C sed 's/spill/\x1b[2J\x9b/' "$launch" >"$tmp/foreign/$(basename "$launch")"; done
"$replay" "$tmp"/foreign/*.launch >"$log" 2>&1
says ' \?\[2J\?: the same: ' && ! LC_ALL=C grep -q '[^ -~]' "$log"
result $? 'the name of a kernel changes no terminal'

# --- what cannot run again ---
capture waits mi25 wait
"$replay" "$tmp"/waits/*.launch >"$log" 2>&1
[ $? -eq 1 ] && says ' wait: it waits for its program: it has run for [0-9]+ cycles' && [ "$(same_kernels)" = 'add count spill sum ' ]
result $? 'a launch that waits for its program ends with a message, the others run'
capture waits-untimed mi25,timing=0 wait
timeout $patience "$replay" "$tmp"/waits-untimed/*.launch >"$log" 2>&1
[ $? -eq 1 ] && says ' wait: it waits for its program: it has executed [0-9]+ instructions' && [ "$(same_kernels)" = 'add count spill sum ' ]
result $? 'without timing, too'
truncate -s -1 "$tmp"/timed/*.launch
"$replay" "$tmp"/timed/*.launch >"$log" 2>&1
[ $? -eq 1 ] && ! grep -v 'the captured launch is damaged$' "$log"
result $? 'a file that was cut is refused'
finish
