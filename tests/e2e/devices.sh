#!/usr/bin/env bash
# Devices on the software GPU: the self-test on the command line; on the screen, another device, changed constants and
# the pinned curve of another device. Also a lesson of the user's own. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
export XDG_DATA_HOME=$tmp/data
script() { "$BUILD/wavedeck" "${1:-lds-latency}" --device soft:mi25 --script - >"$tmp/log" 2>&1; } # experiment

"$BUILD/wavedeck" devices --test soft:mi25 >"$tmp/log" 2>&1
result $? 'the self-test of the software GPU passes'
[ "$(grep -cE '^(good|note) ' "$tmp/log")" -eq 7 ]; result $? 'each check has a verdict'
grep -qE '^good +copy on the device +3[0-9]{2}\.[0-9] GB/s +[78][0-9] % of 484 GB/s' "$tmp/log"
result $? 'a copy attains most of the bandwidth'
grep -qE 'events / wall clock.*virtual time' "$tmp/log"; result $? 'virtual time is not compared with the wall clock'
"$BUILD/wavedeck" devices --test soft:mi25 --json 2>/dev/null | python3 -c '
import json, sys
checks = json.load(sys.stdin)
assert len(checks) == 7 and all(c["value"] > 0 for c in checks)' 2>"$tmp/log"
result $? 'the self-test prints JSON'
"$BUILD/wavedeck" devices --test soft:mi25,timing=0 >"$tmp/log" 2>&1
[ $? -eq 1 ] && grep -q '^bad .*has no timing' "$tmp/log"; result $? 'a device without timing is reported'
for bad in 'nonsense' 'replay:share/sessions/range-latency-mi25.wbs' 'soft:mi25 extra'; do
	# shellcheck disable=SC2086
	"$BUILD/wavedeck" devices --test $bad >"$tmp/log" 2>&1
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ]; result $? "--test $bad is refused in one line"
done

script range-latency <<END
action param-enter rangesize
type 1KiB..64KiB
key Enter
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
result $? 'a constant is edited; an invalid value keeps the input line open; the previous curve stays'
script <<END
wait sweep $patience
action devices
action device-down soft:mi60
action device-pin
wait background $patience
expect curve of lds-latency on soft:mi60 pinned
key Esc
expect soft:mi60
action devices
key Enter
wait sweep $patience
expect MI60
END
result $? "another device's curve is pinned; another device is chosen"
script <<END
wait sweep $patience
action devices soft:nonsense
expect mi25, mi60
action devices replay:/proc/none.wbs
expect none.wbs
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
result $? 'an unknown device is refused in the view; a recording is a device'

mkdir -p "$XDG_DATA_HOME/wavedeck/lessons"
own=$XDG_DATA_HOME/wavedeck/lessons
sed -e 's/^# .*/# My own page/' -e 's/^run dispatch-1d block=1.*/run dispatch-1d block=64,128,256/' \
	share/lessons/launch.md >"$own/mine.md"
sed -e 's/^### Answer/### Because/' share/lessons/launch.md >"$own/other.md"
line=$(grep -n '^### Because' "$own/other.md" | head -n 1 | cut -d: -f1)
script <<END
action lessons
size 80x40
expect My own page
expect other.md:$line
action lessons mine
key Enter
key Enter
expect choose
key a
key Enter
wait background $patience
expect (right
key j
expect set up as in
expect 3/3 points verified
END
result $? "the user's lesson is shown, predicted, measured and opened; a mistake is reported with its line"
python3 - "$XDG_DATA_HOME/wavedeck/lessons.json" >"$tmp/log" 2>&1 <<'END'
import json, sys
r = json.load(open(sys.argv[1]))["mine"]["steps"]["1"]
assert r["done"] and r["right"] == (r["choice"] == 3) and r["choice"] and r["tries"] == 1, r
END
result $? 'its result is kept'
"$BUILD/wavedeck" lesson mine >"$tmp/log" 2>&1 && grep -q 'My own page' "$tmp/log" &&
	grep -q "other.md:$line:" "$tmp/log"
result $? 'the command line shows it, too'
finish
