#!/usr/bin/env bash
# Devices from end to end on the software GPU: the self-test on the command line, the device changed and altered from the screen, a sweep of another device
# pinned; a lesson's step handed to the workbench.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build} n=0 status=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export XDG_DATA_HOME=$tmp/data LC_ALL=C.UTF-8
patience=60
[ "${MODE:-}" = asan ] && patience=250
result() { # status, what
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; return; fi
	echo "not ok $n - $2"
	sed 's/^/# /' "$tmp/out" | head -n 40
	status=1
}
script() { "$BUILD/wavedeck" --device soft:mi25 --script - >"$tmp/out" 2>&1; }

"$BUILD/wavedeck" devices --test soft:mi25 >"$tmp/out" 2>&1
result $? 'the self-test of the software GPU finds nothing bad'
[ "$(grep -cE '^(good|note) ' "$tmp/out")" -eq 7 ]; result $? 'each check has a verdict'
grep -qE '^good +copy on the device +3[0-9]{2}\.[0-9] GB/s +[78][0-9] % of 484 GB/s' "$tmp/out"; result $? 'a copy attains most of the bandwidth'
grep -qE 'events / wall clock.*virtual time' "$tmp/out"; result $? 'virtual time is not held against the wall clock'
"$BUILD/wavedeck" devices --test soft:mi25 --json 2>/dev/null | python3 -c 'import json,sys; l = json.load(sys.stdin); assert len(l) == 7 and all(c["value"] > 0 for c in l)' 2>"$tmp/out"
result $? 'and as JSON'
"$BUILD/wavedeck" devices --test soft:mi25,timing=0 >"$tmp/out" 2>&1
[ $? -eq 1 ] && grep -q '^bad .*has no timing' "$tmp/out"; result $? 'a device without time is told'
for bad in 'nonsense' 'replay:share/sessions/range-latency-mi25.wbs' 'soft:mi25 extra'; do
	# shellcheck disable=SC2086
	"$BUILD/wavedeck" devices --test $bad >"$tmp/out" 2>&1
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/out")" -eq 1 ]; result $? "--test $bad is refused in one line"
done

script <<END
wait sweep $patience
action devices
wait background $patience
action device-down l1_bytes
key Enter
type 1
key Enter
expect l1_bytes
key Ctrl-U
type 65536
key Enter
expect soft:mi25,l1_bytes=65536
wait sweep $patience
expect set by you
key Esc
key Esc
expect . previous
END
result $? 'a constant is altered by typing it, a wrong value leaves the line open, the old curve stays as ghost'
script <<END
wait sweep $patience
action devices
action device-down soft:mi60
action device-pin
wait background $patience
expect curve of range-latency on soft:mi60 pinned
key Esc
expect soft:mi60
action devices
key Enter
wait sweep $patience
expect MI60
END
result $? "another device's curve is pinned; the device is changed"
script <<END
wait sweep $patience
action devices soft:nonsense
expect mi25, mi60
action devices replay:/nonexistent.wbs
expect nonexistent
action devices replay:share/sessions/range-latency-mi25.wbs
wait background $patience
expect ready
key t
expect has no self-test
key Enter
wait sweep $patience
key Esc
expect 19/19 points verified
END
result $? 'what is no device is refused where it stands; a recording is one'

mkdir -p "$XDG_DATA_HOME/wavedeck/lessons"
sed -e 's/^# .*/# My own page/' -e 's/^run dispatch-1d block=1.*/run dispatch-1d block=64,128,256/' share/lessons/launch.md >"$XDG_DATA_HOME/wavedeck/lessons/mine.md"
sed -e 's/^## Why/## Because/' share/lessons/launch.md >"$XDG_DATA_HOME/wavedeck/lessons/other.md"
line=$(grep -n '^## Because' "$XDG_DATA_HOME/wavedeck/lessons/other.md" | cut -d: -f1)
script <<END
action lessons
size 80x40
expect My own page
expect other.md:$line
action lessons mine
key Enter
expect choose
key c
key Enter
wait background $patience
expect Your choice c is right.
key j
expect set up as in step 1
expect 3/3 points verified
END
result $? 'the user'"'"'s own lesson is read, predicted, measured and opened in the workbench; a mistake is reported with its line'
python3 - "$XDG_DATA_HOME/wavedeck/lessons.json" >"$tmp/out" 2>&1 <<'END'
import json, sys
r = json.load(open(sys.argv[1]))["mine"]
assert r["done"] and r["right"] and r["choice"] == 3 and r["tries"] == 1, r
END
result $? 'its result is kept'
"$BUILD/wavedeck" lesson mine >"$tmp/out" 2>&1 && grep -q 'My own page' "$tmp/out" && grep -q "other.md:$line:" "$tmp/out"
result $? 'the command line has it, too'
echo "1..$n"
exit $status
