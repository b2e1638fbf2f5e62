#!/usr/bin/env bash
# A software GPU with noise in its times: what is shown of it, how often it measures, and where it is refused. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export XDG_DATA_HOME=$tmp/data LC_ALL=C.UTF-8
noisy=soft:mi25,noise=white:0.01+seed:3

wavedeck() {
	timeout $patience "$BUILD/wavedeck" "$@" >"$tmp/log" 2>&1
}
sweep() { # arguments
	wavedeck run range-latency reads=1024 rangesize=1KiB..64KiB "$@"
}
refused() { # what, its error, arguments
	wavedeck "${@:3}"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -qF -- "$2" "$tmp/log"
	result $? "$1"
}

# --- what is shown ---
sweep --device $noisy --record "$tmp/one.wbs" --workers 1
grep -q 'MI25, with noise' "$tmp/log"
result $? 'the table says that the device has noise'
wavedeck export "$tmp/one.wbs" --format csv
grep -q '^#.*MI25, with noise' "$tmp/log"
result $? 'an export says it'
python3 - "$tmp/one.wbs" >"$tmp/log" 2>&1 <<'PYTHON'
import json, sys
header, *points = [o for o in map(json.loads, open(sys.argv[1])) if o["type"] in ("session", "point")]
assert header["device"]["noise"] == "white:0.01+seed:3" and not header["device"]["deterministic"]
assert len(points) == 7
for p in points:
    low, high = p["median_interval"]
    assert 6 <= len(p["seconds"]) <= 30 and low < high and p["verify"] == "ok" and p["outliers"] >= 0
    least, most = p["intervals"]["latency"]
    assert least < p["metrics"]["latency"] < most and abs(most / least / (high / low) - 1) < 1e-6, p["intervals"]
    slow, fast = p["intervals"]["bandwidth"]
    assert slow < p["metrics"]["bandwidth"] < fast
PYTHON
result $? 'each point has an interval of its median, of its metrics too, and is verified'
wavedeck export "$tmp/one.wbs" --format csv
grep -v '^#' "$tmp/log" >"$tmp/csv"
[ "$(csv_column outliers "$tmp/csv" | wc -w)" -eq 7 ] && [ "$(csv_column latency_low "$tmp/csv" | wc -w)" -eq 7 ] &&
	[ "$(csv_column tries "$tmp/csv")" = '1 1 1 1 1 1 1' ]
result $? 'the exported CSV has outliers, intervals and tries of each point'
wavedeck export "$tmp/one.wbs" --format gnuplot
grep -q "1:2:5:6 .*'95 % interval of the median'" "$tmp/log" &&
	sed -n '/^.series0 << END/,/^END/p' "$tmp/log" | awk 'NF == 6 && $5 < $2 && $2 < $6 { n++ } END { exit n != 7 }'
result $? 'the exported script of gnuplot draws the intervals'

# --- the same in every run ---
points() { # session: without the host's time of each point
	grep '"type":"point"' "$1" | sed 's/,"at":[0-9.]*//'
}
sweep --device $noisy --record "$tmp/four.wbs" --workers 4
cmp <(points "$tmp/one.wbs") <(points "$tmp/four.wbs") >"$tmp/log" 2>&1
result $? 'points do not depend on the number of workers'
sweep --device soft:mi25,noise=white:0.01+seed:4 --record "$tmp/other.wbs"
! cmp -s <(points "$tmp/one.wbs") <(points "$tmp/other.wbs")
result $? 'another seed gives other times'
sweep --device soft:mi25,noise=drift:0.001+white:0.0001
grep -q 'drifted by [0-9.]* % while it was measured' "$tmp/log"
result $? 'drift is shown'
sweep --device soft:mi25,noise=white:0.02+steps:0.5:0.5 --record "$tmp/moved.wbs"
grep -q 'clock moved by more than 2 %; measured again' "$tmp/log"
result $? 'a clock that moved is shown, and that the point was measured again'
wavedeck export "$tmp/moved.wbs" --format csv
grep -qE '^[0-9].*,2,.?clock moved by more than 2 %; measured again' "$tmp/log"
result $? 'the exported CSV marks such points'
wavedeck export "$tmp/moved.wbs" --format gnuplot
grep -qE '^# point [0-9]+: clock moved by more than 2 %; measured again' "$tmp/log" && grep -q "title 'not trusted'" "$tmp/log"
result $? 'the exported script of gnuplot marks them'

# --- where it would falsify ---
refused 'validate refuses it' 'remove noise=' validate --device $noisy
refused 'the facts of lessons refuse it' 'remove noise=' lesson --check caches --device $noisy
refused 'programs refuse it' 'remove noise=' exec --model "${noisy#soft:}" -- true
refused 'captures refuse it' 'remove noise=' capture --model "${noisy#soft:}" -- true
refused 'what-if refuses it' 'use --device soft:mi25 instead' run range-latency --what-if --device $noisy
refused 'a wrong kind is explained' 'write noise= with white:SIGMA' run range-latency --device soft:mi25,noise=pink:1
wavedeck devices --test $noisy
[ $? -ne 0 ] && grep -q 'remove noise=' "$tmp/log"
result $? 'tests of the device refuse it'
finish
