#!/usr/bin/env bash
# Several devices of one machine: GPUs that share a sweep, and --each, which compares devices. The GPUs are two software
# GPUs that HIP lists as hip:0 and hip:1. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck
cd "$tmp" || exit 1
on_two_gpus() { timeout -k 5 $patience "$wavedeck" exec --model 'mi25*2' -- "$wavedeck" "$@" >out 2>err </dev/null; }
alone() { timeout -k 5 $patience "$wavedeck" "$@" >out 2>err </dev/null; }
says() { cat out err >all && grep -qE -- "$1" all; }
points_of() { cat "$@" 2>/dev/null | grep -c '"type":"point"'; } # sessions
values() { # session: what was measured at each point
	grep '"type":"point"' "$1" | grep -oE '"params":\{[^}]*\}|"cycles":[0-9.]+' | paste -sd' ' | sed 's/"params"/\n&/g'
}

# --- a shared sweep ---
sweep=(range-latency reads=16384 'rangesize=1KiB..32KiB:+1KiB')
on_two_gpus run "${sweep[@]}" --device 'hip:*' --record shared.wbs --format csv
result $? 'two GPUs share a sweep' err
[ "$(points_of shared.wbs)" -eq 32 ] && [ "$(grep -c ',ok,' out)" -eq 32 ]
result $? 'every point is measured once' out
grep -o '"rangesize":[0-9]*' shared.wbs >ranges
sort -c -t: -k2 -n ranges 2>err
result $? 'the session has the order of the plan' ranges
head -n 1 shared.wbs | grep -q '"devices":\["hip:0","hip:1"\]'
result $? 'the header lists the devices' shared.wbs
for i in 0 1; do
	grep '"type":"point"' shared.wbs | grep -q "\"device\":\"hip:$i\""
	result $? "hip:$i measured some of the points, which name it" shared.wbs
done
on_two_gpus run "${sweep[@]}" --device hip:1 --record one.wbs --format csv
result $? 'the second GPU measures the sweep alone' err
! grep '"type":"point"' one.wbs | grep -q '"device"'
result $? 'with one device, points do not name it' one.wbs
head -n 9 shared.wbs >part.wbs
on_two_gpus run --resume part.wbs --format csv
result $? 'a shared sweep is continued on its devices' err
[ "$(points_of part.wbs)" -eq 32 ]
result $? 'and measures what is missing' part.wbs

# --- a comparison ---
other=soft:mi25,l1_latency=250
models=(--device soft:mi25 --device "$other" --device soft:mi60)
alone run range-latency 'rangesize=1KiB..8KiB:x2' --each "${models[@]}" --folder each
result $? 'each device measures the sweep' err
says '^soft:mi25,l1_latency=250 +1[.][23][0-9]+ +[+][0-9.]+% .* 4  outlier$' && [ "$(sed -n 2p out | cut -d' ' -f1)" = soft:mi25,l1_latency=250 ]
result $? 'the table begins with the device that differs most' out
says '^soft:mi25,l1_latency=250 is another device: l1_latency 250 instead of 176$'
result $? 'it says in what' out
[ "$(points_of each/task-000[012].r0.wbs)" -eq 12 ]
result $? 'each device has a session of its own' err

# A kernel that includes a file in a folder of its own, which includes another one there.
mkdir -p own/sub
printf '#include <hip/hip_runtime.h>\n#include "sub/a.h"\nextern "C" __global__ void own(int *o) { o[threadIdx.x] = W; }\n' \
	>own/own.hip
echo '#include "b.h"' >own/sub/a.h
echo '#define W 4' >own/sub/b.h
cat >own/own.lua <<'END'
return {
  title = "Own", kernel = { file = "own.hip", entry = "own" },
  params = { { "n", unit = "", min = 1, max = 2, default = 1 } },
  buffers = { o = { type = "int", count = 64 } }, args = { "int *o" }, launch = { grid = 1, block = 64 },
  metrics = { { "time", unit = "us", function(m) return m.seconds * 1e6 end } },
}
END
alone run ./own/own.lua --each --device soft:mi25 --device soft:mi60 --folder own-each
[ $? -eq 0 ] && [ "$(points_of own-each/*.wbs)" -eq 2 ] && cmp own/sub/b.h own-each/experiment/sub/b.h
result $? 'files that a kernel includes from folders below go along' err
alone run range-latency 'rangesize=1KiB..8KiB:x2' --device soft:mi25 --record single.wbs
values single.wbs >want && values each/task-0000.r0.wbs | cmp - want 2>err
result $? 'a session has the values of a run on that device alone' err
alone gather each --format csv
[ $? -eq 0 ] && [ "$(grep -c ',4,[01],' out)" -eq 3 ] && says '^device,median,'
result $? 'gather prints the table again, also as csv' out
on_two_gpus run range-latency 'rangesize=1KiB..8KiB:x2' --each --folder gpus
says '^hip:0 ' && says '^hip:1 ' && ! says 'another device'
result $? 'without --device, all GPUs are compared' out

# --- interrupted ---
has_points() { [ "$(points_of each2/*.wbs 2>/dev/null)" -ge 3 ]; }
tasks_are_gone() { ! pgrep -f "batch-task $PWD/each2" >/dev/null; }
long=(range-latency reads=8192 'rangesize=1KiB..320KiB:+1KiB' --each --device soft:mi25 --device soft:mi60)
for signal in INT KILL; do
	rm -rf each2
	set -m # a job of its own, so that SIGINT is not ignored
	"$wavedeck" run "${long[@]}" --folder each2 >out 2>err </dev/null &
	program=$!
	set +m
	wait_until has_points
	kill -$signal $program
	wait $program 2>/dev/null
	status=$?
	wait_until tasks_are_gone
	result $? "SIG$signal ends the tasks, too" err
	[ $signal = KILL ] || { [ $status -eq 130 ] && says 'interrupted; the points are kept: wavedeck gather .*/each2 --resubmit'; }
	result $? "SIG$signal: the command says how to go on, if it can" err
done
kept=$(points_of each2/*.wbs)
alone gather each2
[ $? -eq 1 ] && says '^soft:mi60 +0 of 320 points +not started$'
result $? 'gather lists what is missing' out
timeout -k 5 $patience "$wavedeck" gather each2 --resubmit >out 2>err </dev/null
[ $? -eq 0 ] && [ "$(points_of each2/*.wbs)" -eq 640 ] && [ "$kept" -lt 640 ]
result $? 'gather --resubmit measures only that' out

# --- requests ---
bad() { # message, arguments...
	local message=$1
	shift
	on_two_gpus run range-latency "$@"
	[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && says "$message"
	result $? "refused: $*" err
}
bad 'hip:0 is there twice' --device hip:0 --device hip:0
bad 'soft:mi25 is not one; add --each' --device hip:0 --device soft:mi25
bad 'remove --workers' --device hip:0 --device hip:1 --workers 2
bad 'remove --device hip:1' --device hip:0 --device hip:1 --via local
bad 'this machine has no device nothing:\*' --device 'nothing:*'
bad "unknown model 'mi26'" --each --device soft:mi25 --device soft:mi26
bad '--each compares devices, and there is one' --each --device hip:0
bad 'remove --record' --each --record x.wbs
bad '--folder is for --each' --folder x
bad "no metric 'speed'" --each --metric speed
[ ! -e x ] && [ ! -e x.wbs ]
result $? 'a refused request writes nothing' err
finish
