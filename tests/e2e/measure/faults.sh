#!/usr/bin/env bash
# A software GPU on which something goes wrong, as on boards: what is printed, what is kept, what is measured next, and
# where it is refused. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export XDG_DATA_HOME=$tmp/data LC_ALL=C.UTF-8

wavedeck() {
	timeout $patience "$BUILD/wavedeck" "$@" >"$tmp/log" 2>&1
}
sweep() { # device, arguments
	wavedeck run fma-blocks fma_per_thread=1000 blocks=4,8,16,32 --device "$@"
}
refused() { # what, its error, arguments
	wavedeck "${@:3}"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -qF -- "$2" "$tmp/log"
	result $? "$1"
}
messages() { # lines, a text that one of them has
	[ "$(grep -c '^wavedeck: ' "$tmp/log")" -eq "$1" ] && grep -q "^wavedeck: .*$2" "$tmp/log"
}
points() { # session, Python expression with the list of points p: without what differs from run to run
	python3 - "$1" "$2" <<'END' >>"$tmp/log" 2>&1
import json, sys
p = [r for r in map(json.loads, open(sys.argv[1])) if r.get("type") == "point"]
p.sort(key=lambda r: r["point"])
assert eval(sys.argv[2]), p
END
}
times() { # session: the points that were measured, in order
	python3 - "$1" <<'END'
import json, sys
p = [r for r in map(json.loads, open(sys.argv[1])) if r.get("type") == "point" and r["status"] == "ok"]
for r in sorted(p, key=lambda r: r["point"]):
    print(r["point"], sorted(set(r["seconds"])), r["verify"])
END
}

sweep soft:mi25 --record "$tmp/right.wbs"
result $? 'the sweep without faults'
times "$tmp/right.wbs" >"$tmp/right"

# --- a launch that fails ---
sweep soft:mi25,fault=error:2 --record "$tmp/error.wbs" --workers 1; status=$?
[ $status -eq 1 ] && messages 2 'device lost: kernel failed: unspecified launch failure (HIP error 719); continuing with a new worker$' &&
	messages 2 '1 of 4 points failed: kernel failed: unspecified launch failure (HIP error 719)$'
result $? 'a launch that fails: one line, and a new worker; the next point is not named'
points "$tmp/error.wbs" '[r["status"] for r in p] == ["ok", "failed", "ok", "ok"]'
result $? 'only its point fails'
cmp <(grep -v '^1 ' "$tmp/right") <(times "$tmp/error.wbs") >"$tmp/log" 2>&1
result $? 'the others are as without it'
sweep soft:mi25,fault=error:2 --record "$tmp/four.wbs" --workers 4
cmp <(times "$tmp/error.wbs") <(times "$tmp/four.wbs") >"$tmp/log" 2>&1
result $? 'with four workers, too'

# --- a launch that never ends ---
# A busy machine needs longer for the two points before it.
for ((limit = 4; limit <= 256; limit *= 2)); do
	rm -f "$tmp/hang.wbs"
	sweep soft:mi25,fault=hang:3 --record "$tmp/hang.wbs" --workers 1 --limit $limit; status=$?
	grep -q 'kept [01] of 4 points' "$tmp/log" || break
done
[ $status -ne 0 ] && messages 1 "reached the limit of $limit s; kept 2 of 4 points"
result $? 'a launch that never ends, with a limit: one line'
cmp <(head -n 2 "$tmp/right") <(times "$tmp/hang.wbs") >"$tmp/log" 2>&1
result $? 'the points before it are kept'
"$BUILD/wavedeck" run fma-blocks fma_per_thread=1000 blocks=4,8,16,32 --device soft:mi25,fault=hang:3 \
	--record "$tmp/stopped.wbs" --workers 1 >"$tmp/log" 2>&1 &
run=$!
two_are_recorded() { [ "$(grep -c '"type":"point"' "$tmp/stopped.wbs")" -eq 2 ]; }
wait_until two_are_recorded
kill -s TERM $run
wait $run; status=$?
[ $status -eq 130 ] && cmp <(head -n 2 "$tmp/right") <(times "$tmp/stopped.wbs") >>"$tmp/log" 2>&1
result $? 'and with an interrupt'
sweep soft:mi25,fault=hang:9 --record "$tmp/after.wbs"
cmp "$tmp/right" <(times "$tmp/after.wbs") >"$tmp/log" 2>&1
result $? 'the next run measures as before'

# --- sensors ---
sweep soft:mi25,fault=smi_gone --record "$tmp/gone.wbs" --workers 1
messages 1 'no clock readings: the library of the sensors answers with errors'
result $? 'a sensor library that answers with errors: one line'
points "$tmp/gone.wbs" 'all(r["status"] == "ok" and r["sclk_mhz"] is None and r["power_w"] is None for r in p)' &&
	cmp "$tmp/right" <(times "$tmp/gone.wbs") >>"$tmp/log" 2>&1
result $? 'times are right, readings are missing'
sweep soft:mi25,fault=smi_slow:250 --record "$tmp/slow.wbs" --workers 1
messages 1 'a reading of the clocks takes 0.[2-9] s; a clock that moves between two of them is not noticed'
result $? 'a slow sensor library: one line'
points "$tmp/slow.wbs" 'all(r["sclk_mhz"] > 1500 for r in p)' && cmp "$tmp/right" <(times "$tmp/slow.wbs") >>"$tmp/log" 2>&1
result $? 'times and readings are right'

# --- clocks and others ---
sweep soft:mi25,fault=idle_clock:50 --record "$tmp/idle.wbs"
points "$tmp/idle.wbs" 'all(r["tries"] == 1 and not r["clocks_moved"] and r["sclk_mhz"] > 1500 for r in p)' &&
	cmp "$tmp/right" <(times "$tmp/idle.wbs") >>"$tmp/log" 2>&1
result $? 'a clock that idles is warmed up at each point'
sweep soft:mi25,fault=busy:0.5 --record "$tmp/busy.wbs"
[ "$(grep -c '1 other process had the GPU open$' "$tmp/log")" -eq 4 ] &&
	points "$tmp/busy.wbs" 'all(r["other_processes"] == 1 and r["clocks_moved"] for r in p)'
result $? 'another user marks all points'

# --- what is shown, and where it would falsify ---
sweep soft:mi25,noise=white:0.01,fault=busy:0.1 --record "$tmp/both.wbs"
grep -q 'MI25, with noise and faults' "$tmp/log"
result $? 'the name of the device says it, with noise, too'
head -n 1 "$tmp/both.wbs" | grep -q '"fault":"busy:0.1"'
result $? 'the session says which'
faulty=soft:mi25,fault=busy:0.5
refused 'validate refuses it' 'fault=' validate --device $faulty
refused 'the facts of lessons refuse it' 'fault=' lesson --check caches --device $faulty
refused 'programs refuse it' 'fault=' exec --model "${faulty#soft:}" -- true
refused 'captures refuse it' 'fault=' capture --model "${faulty#soft:}" -- true
refused 'what-if refuses it' 'use --device soft:mi25 instead' run range-latency --what-if --device $faulty
refused 'a wrong kind is explained' 'write fault= with smi_slow:MS' run range-latency --device soft:mi25,fault=fire:1
wavedeck devices --test $faulty
[ $? -ne 0 ] && grep -q 'fault=' "$tmp/log"
result $? 'tests of the device refuse it'
finish
