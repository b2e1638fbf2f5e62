#!/usr/bin/env bash
# `exec --check`: what is reported, exit statuses, programs that crash or are interrupted, children, files for programs,
# what is suppressed. TAP.
here=tests/e2e/check
# shellcheck source=../../softgpu/driver/hip_program.bash
. "$(dirname "$0")/../../softgpu/driver/hip_program.bash"
export TMPDIR=$tmp
build_hip_program faults -g
source=$PWD/$here/faults_hip.cpp
cp "$source" "$tmp/faults_hip.cpp"
ln -s "$program" "$tmp/faults"
# Runs the program with these options and cases; $status, $tmp/out, $tmp/log.
checked() { # OPTION... -- CASE...
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	timeout -k 5 $patience "$wavedeck" exec --check "${options[@]}" -- "$tmp/faults" "$@" >"$tmp/out" 2>"$tmp/log" </dev/null
	status=$?
}
# The number of the line that has this name.
line_of() { grep -n "// line: $1\$" "$source" | cut -d: -f1; } # NAME
# A line of the report is there.
reports() { grep -qxF -- "$1" "$tmp/log"; } # text
left_folders() { find "$tmp" -maxdepth 1 -type d -name 'wavedeck*'; }
at() { echo "  $here/faults_hip.cpp:$(line_of "$1"): "; } # NAME

reports_race() { reports "$(at race-read)read there before" || reports "$(at race-write)wrote there before"; }

# --- what is reported ---
checked -- race
# Which side comes last depends on the order of the waves.
expect_race() { # SIDE WHAT ITEM SIDE WHAT ITEM
	cat <<-END
		wavedeck: data race in LDS, 256 times: race(float const*, float*)
		$(at "$1")$2 4 bytes at byte 256 of 1,024 bytes of LDS
		    $(sed -n "$(line_of "$1")s/^\t//p" "$source")
		    work-item $3
		$(at "$4")$5 there before
		    $(sed -n "$(line_of "$4")s/^\t//p" "$source")
		    work-item $6
		wavedeck: \`wavedeck $tmp/faults race\`, then Enter on the kernel and !, show the steps
		wavedeck: 1 place, 256 accesses; checked memory, init, race, barrier in 1 launch
	END
}
expect_race race-write writes '64 of workgroup 0 (wave 1, lane 0)' race-read read '0 (wave 0, lane 0)' >"$tmp/write-last"
expect_race race-read reads '0 of workgroup 0 (wave 0, lane 0)' race-write wrote '64 (wave 1, lane 0)' >"$tmp/read-last"
{ diff "$tmp/write-last" "$tmp/log" >"$tmp/offending" || diff "$tmp/read-last" "$tmp/log" >>"$tmp/offending"; } &&
	[ "$status $(cat "$tmp/out")" = '0 end' ]
result $? 'a race: both sides with their lines, and the output and the status of the program' "$tmp/offending"
checked -- column
reports "wavedeck: access outside of the workgroup's LDS, 2 times: column(float const*, float*, int)" &&
	reports "$(at column)reads 4 bytes, 64 bytes past the end of the workgroup's 256 bytes of LDS" &&
	reports '    work-item 3,15 of workgroup 0,0 (wave 0, lane 63)'
result $? 'an access outside of LDS: how far, and the axes that the launch has'
checked -- barrier
reports 'wavedeck: barrier that only a part of the wave reached, once: barrier(float*, unsigned int)' &&
	reports "$(at barrier)the wave waits at this barrier without this work-item" &&
	reports "$(at after-barrier)it goes on here later" && ! grep -q '/usr/' "$tmp/log"
result $? 'a barrier: the line in the source, not the one in a header'
checked -- trips
reports 'wavedeck: barrier that only a part of the wave reached, once: trips(float*, unsigned int, bool)' &&
	reports "$(at trips)the wave waits at this barrier without this work-item" &&
	reports "$(at after-trips)it goes on here later"
result $? 'a barrier in a loop, after which the work-items only compute'
checked -- same
reports 'wavedeck: lanes of one instruction write different values to one address, 63 times: same(float*)' &&
	reports "$(at same)writes 4 bytes at byte 0 of 4 bytes of LDS" && reports "$(at same)writes another value there"
result $? 'lanes of one instruction'
checked -- helper
{ reports "$(at partner)read there before" || reports "$(at partner)reads 4 bytes at byte 256 of 1,024 bytes of LDS"; } &&
	reports "    in read_partner, inlined at $here/faults_hip.cpp:$(line_of call) in helper"
result $? 'a function that was inlined, and its call'
checked -- caller
reports "$(at far)reads 4 bytes at byte 256 of 1,024 bytes of LDS" && reports '    in read_far' && ! grep -q 'in caller' "$tmp/log"
result $? 'a function that was not inlined'
checked -- race-ok column-ok barrier-ok trips-ok
equal 'the same kernels without the fault' 'wavedeck: no faults found (memory, init, race, barrier; 4 launches)' "$(cat "$tmp/log")"
checked -- race race
reports 'wavedeck: data race in LDS, 512 times: race(float const*, float*)' &&
	reports 'wavedeck: 1 place, 512 accesses; checked memory, init, race, barrier in 2 launches'
result $? 'launches count together'
checked --check=memory,barrier -- race column
equal 'only the checks of a list' 'wavedeck: 1 place, 2 accesses; checked memory, barrier in 2 launches' "$(tail -n 1 "$tmp/log")"
checked --check=race,global -- groups race
reports 'wavedeck: data race in global memory, 2 times: groups(float*, float*)' &&
	grep -qE "^$(at group-read)reads 4 bytes at byte (0|512) of 1,024 bytes$" "$tmp/log" && reports '    work-item 0 of workgroup 1 (wave 0, lane 0)' &&
	reports "$(at group-write)wrote there before" &&
	reports 'wavedeck: 2 places, 258 accesses; checked race, global in 2 launches'
result $? 'two workgroups in global memory'
checked -- groups
equal 'races in global memory are not checked by default' 'wavedeck: no faults found (memory, init, race, barrier; 1 launch)' "$(cat "$tmp/log")"
checked --check=barrier,portable -- returns
reports 'wavedeck: barrier that a work-item never reaches, because it returned, once: returns(float*, unsigned int)' &&
	reports "$(at return-barrier)other work-items wait at this barrier, but this one has returned" &&
	reports '    work-item 60 of workgroup 0 (wave 0, lane 60)'
result $? 'a return before a barrier, with "portable"'
checked --check-limit 1 -- race column
[ "$(grep -c ' times: ' "$tmp/log")" -eq 1 ] && reports 'wavedeck: 1 more place; --check-limit N shows more' &&
	reports 'wavedeck: 2 places, 258 accesses; checked memory, init, race, barrier in 2 launches'
result $? 'a limit of places; the others are counted'
timeout $patience "$wavedeck" exec --check -- true >"$tmp/out" 2>"$tmp/log"
equal 'a program without launches' '0 wavedeck: the program launched no kernel of its own on the software GPU; nothing was checked' "$? $(cat "$tmp/log")"

checked -- many
reports "wavedeck: access outside of the workgroup's LDS, 4,096 times: many(float*)" &&
	reports 'wavedeck: 404 more accesses at further places; fix some of those above and run it again'
result $? 'instructions of one line are one place; those that a process does not keep are counted'

# --- statuses and ends ---
checked -- race exit3
equal "the program's status" 3 $status
checked --error-exitcode 9 -- race exit3
equal '--error-exitcode, if something is reported' 9 $status
checked --error-exitcode=9 -- race-ok exit3
equal 'and if not, the status of the program' 3 $status
checked -- race crash
[ $status -eq 139 ] && reports "wavedeck: $tmp/faults ended with status 139" && reports_race
result $? 'a program that crashes: the report of what was found before'
checked -- atomic
reports 'wavedeck: atomic that is not aligned to its size, once: atomic(float*)' &&
	reports "$(at atomic)atomically updates 4 bytes at byte 2 of LDS, which is not a multiple of 4"
result $? 'an atomic that ends the launch with a fault of the GPU'
checked -- child race-ok
reports 'wavedeck: data race in LDS, 256 times: race(float const*, float*)' &&
	reports 'wavedeck: 1 place, 256 accesses; checked memory, init, race, barrier in 2 launches'
result $? "a child's launches are checked, too"
set -m # a job of its own, to whose processes the signal goes
"$wavedeck" exec --check -- "$tmp/faults" race interrupt "$tmp/waits" >"$tmp/out" 2>"$tmp/log" </dev/null &
job=$!
wait_until [ -e "$tmp/waits" ]
kill -INT -- -$job
wait $job
[ $? -eq 130 ] && reports_race
result $? 'Ctrl-C ends the program, and what was found is reported'
rm -f "$tmp/waits"
"$wavedeck" exec --check -- "$tmp/faults" race interrupt "$tmp/waits" >"$tmp/out" 2>"$tmp/log" </dev/null &
job=$!
wait_until [ -e "$tmp/waits" ]
kill -TERM $job
wait $job
[ $? -eq 143 ] && reports_race
result $? 'who ends the command ends its program'
"$wavedeck" exec --check -- "$tmp/faults" endless >"$tmp/out" 2>"$tmp/log" </dev/null &
job=$!
has_place() { grep -qs '"kind"' "$tmp"/wavedeck-*/*.check; }
wait_until has_place
kill -INT -- -$job
wait $job
[ $? -eq 130 ] && reports "$(at endless)reads 4 bytes at byte 256 of 1,024 bytes of LDS" &&
	reports 'wavedeck: 1 place, 256 accesses; checked memory, init, race, barrier in 1 launch'
result $? 'a launch that never ends'
"$wavedeck" exec --check -- "$tmp/faults" stuck >"$tmp/out" 2>"$tmp/log" </dev/null &
job=$!
wait_until has_place
kill -INT -- -$job
wait $job
[ $? -eq 130 ] && reports 'wavedeck: wave that waits forever, once: stuck(float*)' &&
	reports "$(at stuck-poll)reads 4 bytes at byte 0 of 4 bytes of LDS again and again, and no wave is left that could change it" &&
	reports "$(at stuck-barrier)while another wave waits at this barrier"
result $? 'a wave that waits forever'
set +m
check 'no folder is left' "$(left_folders)"

# --- requests ---
refused() { # what, text, arguments of exec
	local what=$1 text=$2
	shift 2
	timeout $patience "$wavedeck" exec "$@" -- "$tmp/faults" race >"$tmp/out" 2>"$tmp/log" </dev/null
	equal "$what" "2 wavedeck: $text" "$? $(cat "$tmp/log" "$tmp/out")"
}
refused 'a check that does not exist' "--check: 'mem' is not a check; write some of: memory, init, race, barrier, loads, leak, align, global, portable" --check=mem
refused 'an empty list' "--check: '' is not a check; write some of: memory, init, race, barrier, loads, leak, align, global, portable" --check=
refused 'a status' '--error-exitcode 256: write a number from 0 to 255' --check --error-exitcode 256
refused 'a limit' '--check-limit x: write a number from 0 to 1048576' --check --check-limit x
refused 'an option without --check' '--suppress needs --check' --suppress x
refused 'rules that are not there' '--suppress: cannot read missing: No such file or directory' --check --suppress missing
"$wavedeck" exec --check -- ./missing >"$tmp/out" 2>"$tmp/log"
equal 'a program that is missing' '2 wavedeck: cannot run ./missing: No such file or directory; give the path of the program' "$? $(cat "$tmp/log")"
"$wavedeck" check -- ./app >"$tmp/out" 2>"$tmp/log"
equal 'the command that people try' "2 wavedeck: unknown command 'check'; write: wavedeck exec --check -- ./app" "$? $(cat "$tmp/log")"
finish
