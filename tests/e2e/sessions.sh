#!/usr/bin/env bash
# Recorded sessions for other programs: CSV and JSON that agree to the CSV's seven digits, a well-formed picture and report, a
# script for gnuplot (if it is installed), comparisons as table, CSV and JSON. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data LC_ALL=C
details() { head -n 5 "$tmp/err"; }
run() { timeout $patience "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }

run run lds-bank-conflict stride=1..16 --record "$tmp/a.wbs"
result $? 'a session is recorded'
run run lds-bank-conflict stride=1..16 --device soft:mi25,lds_banks=16 --record "$tmp/b.wbs"
result $? 'a session is recorded on other hardware'
grep -q '^{"type":"code"' <<<"$(sed -n 2p "$tmp/a.wbs")" && [ "$(grep -c '"valu"' "$tmp/a.wbs")" -eq 1 ]
result $? 'the code of the kernel is in the file once'
# Edited by hand to look like a session of real hardware: samples that differ, a clock that changed, a wrong result, a
# failed point, a text with markup.
sed -e 's/"deterministic":true/"deterministic":false/' -e 's/"seconds":\[\([0-9.e-]*\)\]/"seconds":[\1,\1,\1]/' \
	-e 's/"metrics":{"latency":\([0-9]*\)/"quartiles":{"latency":[\1,140]},&/' \
	-e '4s/"clocks_moved":false/"clocks_moved":true/' \
	-e '6s/"verify":"ok"/"verify":"failed","verify_text":"<b>\& \\"x\\" <\/script>"/' \
	-e '8s/"status":"ok"/"status":"failed","error":"GPU memory fault"/' \
	-e '8s/"metrics":{[^}]*}/"metrics":{"latency":null,"bandwidth":null}/' "$tmp/a.wbs" >"$tmp/odd.wbs"

# --- every format, on standard output and into a file ---
for format in csv json gnuplot svg html; do
	run export "$tmp/odd.wbs" --format $format && mv "$tmp/out" "$tmp/stdout.$format" &&
		run export "$tmp/odd.wbs" --format $format -o "$tmp/odd.$format" &&
		[ ! -s "$tmp/out" ] && cmp -s "$tmp/stdout.$format" "$tmp/odd.$format"
	result $? "$format: the same on standard output and in a file"
done
# Two workers end points in any order. Every reader shows the plan's.
{ head -n 2 "$tmp/odd.wbs"; grep '"type":"point"' "$tmp/odd.wbs" | shuf --random-source=<(yes); tail -n 1 "$tmp/odd.wbs"; } >"$tmp/mixed.wbs"
cp "$tmp/mixed.wbs" "$tmp/before.wbs"
for format in csv json gnuplot svg html; do
	run export "$tmp/mixed.wbs" --format $format && cmp "$tmp/out" "$tmp/stdout.$format" >"$tmp/err" 2>&1
	result $? "$format: points that were recorded in another order"
done
run open "$tmp/mixed.wbs" && mv "$tmp/out" "$tmp/mixed.table" && run open "$tmp/odd.wbs" && cmp "$tmp/out" "$tmp/mixed.table" >"$tmp/err"
result $? 'open: points that were recorded in another order'
run compare "$tmp/mixed.wbs" "$tmp/b.wbs" --format csv && grep -v '^#' "$tmp/out" >"$tmp/mixed.csv" &&
	run compare "$tmp/odd.wbs" "$tmp/b.wbs" --format csv && grep -v '^#' "$tmp/out" | cmp - "$tmp/mixed.csv" >"$tmp/err" &&
	cmp "$tmp/mixed.wbs" "$tmp/before.wbs"
result $? 'compare: points that were recorded in another order; the file stays as it was'
run export "$tmp/odd.wbs" -o "$tmp/by-ending.svg" && cmp -s "$tmp/by-ending.svg" "$tmp/odd.svg"
result $? "a file's ending chooses the format"
run export "$tmp/odd.wbs" -o "$tmp/none/odd.svg"
[ $? -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q 'No such file' "$tmp/err"
result $? 'a file that cannot be written is an error'
run export "$tmp/a.wbs" --format svg -o "$tmp/by-ending.svg" &&
	cmp -s "$tmp/by-ending.svg" <("$wavedeck" export "$tmp/a.wbs" --format svg)
result $? 'an earlier export is overwritten'
cp "$tmp/a.wbs" "$tmp/kept.wbs"
run export "$tmp/a.wbs" --format csv -o "$tmp/kept.wbs"
[ $? -eq 2 ] && grep -q 'is a recorded session and is not overwritten' "$tmp/err" && cmp -s "$tmp/a.wbs" "$tmp/kept.wbs"
result $? 'a recorded session is not overwritten'
# A program without its share/ folder, in a tree that contains only the folders by which the program finds the tree.
mkdir -p "$tmp/tree/build" "$tmp/tree/experiments/catalog" "$tmp/tree/kernels"
cp "$wavedeck" "$tmp/tree/build/wavedeck"
"$tmp/tree/build/wavedeck" export "$tmp/odd.wbs" -o "$tmp/bare.html" 2>"$tmp/err" && [ -s "$tmp/bare.html" ] &&
	[ "$(grep -c 'the report has no .*report\.\(css\|js\): No such file.*reinstall' "$tmp/err")" -eq 2 ]
result $? 'a report without its style or script gives a warning'
cp experiments/catalog/lds/lds-bank-conflict.lua "$tmp/tree/experiments/catalog/"
cp kernels/lds_published.s kernels/lds.hip "$tmp/tree/kernels/"
mkdir -p "$tmp/tree/sessions" "$tmp/data/wavedeck/sessions"
cp -r sessions/published "$tmp/tree/sessions/"
cp "$tmp/a.wbs" "$tmp/data/wavedeck/sessions/"
cat >"$tmp/script" <<END
size 160x36
wait sweep
action log
action export $tmp/screen.html
expect the report has no style
expect the report has no interactive curves
action sessions
wait sessions
action session-export $tmp/view.html
wait sessions
action log
dump $tmp/messages
END
"$tmp/tree/build/wavedeck" --device "replay:$tmp/a.wbs" --script "$tmp/script" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && [ ! -s "$tmp/err" ] && [ -s "$tmp/screen.html" ] && [ -s "$tmp/view.html" ] &&
	[ "$(grep -c 'the report has no' "$tmp/messages")" -eq 4 ]
result $? 'on the screen, it is a message'
run run lds-bank-conflict stride=1..16 --format svg
grep -v 'time:' "$tmp/out" >"$tmp/run.svg"
run export "$tmp/a.wbs" --format svg
grep -v 'time:' "$tmp/out" | cmp -s - "$tmp/run.svg"
result $? 'run and export of its recording draw the same picture'

# --- read by other programs ---
if command -v python3 >/dev/null 2>&1; then
	python3 - "$tmp/odd.csv" "$tmp/odd.json" >"$tmp/err" 2>&1 <<'EOF'
import csv, json, math, sys
rows = list(csv.DictReader(line for line in open(sys.argv[1]) if not line.startswith('#')))
points = json.load(open(sys.argv[2]))['points']
assert len(rows) == len(points) == 16
for name in ('latency', 'bandwidth'):
    seven = lambda v: float('%.7g' % v)
    table = math.fsum(float(r[name]) for r in rows if r[name])
    good = [p for p in points if p['metrics'][name] is not None and p['verify'] != 'failed']
    records = math.fsum(seven(p['metrics'][name]) for p in good)
    assert table == records and table > 0, (name, table, records)
assert [int(r['stride']) for r in rows] == [p['params']['stride'] for p in points]
EOF
	result $? 'the columns of the CSV, read by Python, sum to those of the JSON'
	python3 - "$tmp/odd.svg" "$tmp/odd.html" >"$tmp/err" 2>&1 <<'EOF'
import re, sys
import xml.etree.ElementTree as tree
from html.parser import HTMLParser
NS = '{http://www.w3.org/2000/svg}'
picture = tree.parse(sys.argv[1])
texts = ''.join(picture.getroot().itertext())
for want in ('cycles', 'GB/s', 'stride, words', 'published latency', 'core clock', '<b>& "x" </script>', 'clock moved',
             'GPU memory fault', 'Radeon Instinct MI25'):
    assert want in texts, want
classes = [e.get('class') or '' for e in picture.iter()]
assert sum('mark suspect' in c for c in classes) >= 4 and sum('mark failed' in c for c in classes) == 2
assert 'bar' in classes
class Check(HTMLParser):
    void = {'meta', 'br', 'link', 'img', 'hr', 'input'}
    def __init__(self):
        super().__init__()
        self.open, self.cells, self.ids = [], [], []
    def handle_starttag(self, tag, attributes):
        names = [a for a, _ in attributes]
        assert len(set(names)) == len(names), (tag, names)
        self.ids += [v for a, v in attributes if a == 'id']
        for a, v in attributes:
            assert a not in ('src',) and not (a == 'href' and not v.startswith('#')), (a, v)
        if tag not in self.void:
            self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        pass
    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag
    def handle_data(self, data):
        if self.open and self.open[-1] == 'td':
            self.cells.append(data)
text = open(sys.argv[2]).read()
check = Check()
check.feed(text)
check.close()
assert not check.open and len(set(check.ids)) == len(check.ids)
assert text.startswith('<!DOCTYPE html>') and text.count('<script>') == 1 and text.count('</script>') == 1
head = re.sub(r'(?m)^\s*//.*$', '', text.split('<main>')[0])
assert not re.search(r'(https?:)?//(?!www\.w3\.org/)[a-z]', head), 'refers to another host'
assert any('85.3' in c for c in check.cells) and any('wrong result' in c for c in check.cells)
EOF
	result $? 'picture and report are well-formed and complete'
else
	skip 'CSV, JSON, picture and report are read by Python' 'python3 is not installed'
fi
if command -v gnuplot >/dev/null 2>&1; then
	LC_ALL=C.UTF-8 gnuplot -e "set terminal svg; set output '$tmp/gnuplot.svg'" "$tmp/odd.gnuplot" \
		>"$tmp/err" 2>&1 &&
		[ ! -s "$tmp/err" ] && grep -q 'latency' "$tmp/gnuplot.svg"
	result $? 'gnuplot draws the script without other files'
else
	skip 'gnuplot draws the script without other files' 'gnuplot is not installed'
fi
if command -v node >/dev/null 2>&1; then
	sed -n '/^<script>$/,/^<\/script>$/p' "$tmp/odd.html" | sed '1d;$d' >"$tmp/report.js"
	node --check "$tmp/report.js" 2>"$tmp/err"
	result $? "the report's script is valid JavaScript"
fi

# --- comparisons ---
run compare "$tmp/a.wbs" "$tmp/a.wbs"
grep -q '16 of 16 exactly equal' "$tmp/out" && grep -q 'no differences in device' "$tmp/out" &&
	! grep -q 'skipped' "$tmp/out"
result $? 'a session is exactly equal to itself'
run compare "$tmp/a.wbs" "$tmp/b.wbs"
grep -q 'constants lds_banks' "$tmp/out" && grep -q differs "$tmp/out"
result $? 'other hardware differs, and the constant is listed'
grep -A1 '^ *stride  *outer' "$tmp/out" | grep -q '^ *words  *trips *$'
result $? "the parameters of a comparison's rows have their units"
run compare "$tmp/a.wbs" "$tmp/odd.wbs" --format csv && [ "$(grep -vc '^#' "$tmp/out")" -eq 17 ] &&
	[ "$(grep -c '^# left out' "$tmp/out")" -eq 3 ] &&
	grep -q '^stride,outer,variant,latency_A,latency_B,latency_B_ratio,latency_B_same,' "$tmp/out" &&
	grep -q '^1,1000,published,.*,1,yes,' "$tmp/out"
result $? 'a comparison as CSV: one row per point, skipped points with the reason'
run compare "$tmp/a.wbs" "$tmp/b.wbs" "$tmp/odd.wbs" --format json
if command -v python3 >/dev/null 2>&1; then
	python3 - "$tmp/out" >"$tmp/err" 2>&1 <<'EOF'
import json, sys
c = json.load(open(sys.argv[1]))
assert [s['name'] for s in c['sessions']] == ['A', 'B', 'C'] and len(c['points']) == 16
first = c['points'][0]['metrics']['latency']
assert first['C']['ratio'] == 1 and first['C']['same'] is True and first['C']['quartiles'][1] == 140
second = c['points'][1]['metrics']['latency']
assert second['C']['ratio'] is None and second['C']['same'] is None
assert any(d['what'] == 'constants lds_banks' and d['B'] == '16' for d in c['different'])
assert [l['session'] for l in c['left_out']] == ['C', 'C', 'C'] and 'clock moved' in c['left_out'][0]['why']
EOF
	result $? 'three sessions as JSON'
else
	skip 'three sessions as JSON' 'python3 is not installed'
fi
run compare "$tmp/a.wbs" "$tmp/b.wbs" --format svg
[ $? -eq 2 ] && grep -q 'use table, csv or json' "$tmp/err"
result $? 'a comparison cannot be exported as a picture'

# --- the session view ---
mkdir -p "$tmp/data/wavedeck/sessions"
cp "$tmp/a.wbs" "$tmp/b.wbs" "$tmp/odd.wbs" "$tmp/data/wavedeck/sessions/"
"$wavedeck" --script - >"$tmp/err" 2>&1 <<END
action sessions
wait sessions
action session-export $tmp/view.html
wait sessions
expect written to
action session-note kept
wait sessions
expect kept
action session-open a
wait sessions
expect 16 points
expect recording
wait device
key Space
wait sweep
expect 16 points measured
END
[ $? -eq 0 ] && [ -s "$tmp/view.html" ] && grep -q '"text":"kept"' "$tmp"/data/wavedeck/sessions/*.wbs
result $? 'the view exports a session, adds a note, opens and replays it'

# --- notes are in every export ---
cp "$tmp/a.wbs" "$tmp/noted.wbs"
printf '{"type":"note","time":"2027-03-04T09:00:00Z","text":"the <fan> was loud"}\n' >>"$tmp/noted.wbs"
for format in csv json gnuplot svg html; do
	run export "$tmp/noted.wbs" --format $format && grep -qE 'the (<fan>|&lt;fan&gt;) was loud' "$tmp/out"
	result $? "$format: the notes of the session"
done
run open "$tmp/noted.wbs" && grep -qx 'note: the <fan> was loud' "$tmp/out"
result $? 'the table has the notes, too'

# --- what is on the screen: exported, copied, saved on quit ---
rm "$tmp"/data/wavedeck/sessions/*
(cd "$tmp" && "$wavedeck" --script - >"$tmp/err" 2>&1) <<END
wait sweep
experiment lds-bank-conflict
wait sweep
action export $tmp/screen.csv
expect written to
action export $tmp/screen.html
action export $tmp/screen.txt
action export $tmp/screen.nothing
expect does not select a format
key Ctrl-E
expect lds-bank-conflict-soft-mi25.html
key Esc
key Y
expect copied
clipboard $tmp/clipboard
key q
expect not saved: s save and quit
key Esc
expect Parameters
key q
type s
expect never reached
END
[ $? -eq 0 ] && grep -q '^stride,' "$tmp/screen.csv" && grep -q '<svg' "$tmp/screen.html" &&
	grep -q 'Parameters' "$tmp/screen.txt" && grep -q 'Parameters' "$tmp/clipboard"
result $? 'a script exports and copies what is on the screen'
set -- "$tmp"/data/wavedeck/sessions/*.wbs
[ $# -eq 2 ] && run open "$(ls "$tmp"/data/wavedeck/sessions/*lds-bank-conflict-soft-mi25.wbs)" --format csv &&
	cmp -s "$tmp/out" "$tmp/screen.csv"
result $? 'curves that were measured are saved when the program quits, with the exported points'
printf 'wait sweep\nkey q\nexpect not saved\n' | "$wavedeck" --script - --set unsaved=discard >"$tmp/err" 2>&1 &&
	printf 'action sessions\nwait sessions\nkey Home\nkey Enter\nwait sessions\nexpect recording\nkey B\nexpect switched to soft:mi25\n' |
	"$wavedeck" --script - >"$tmp/err" 2>&1
result $? 'unsaved=discard quits at once; B leaves a recording'
cp "$tmp/a.wbs" "$tmp/b.wbs" "$tmp/odd.wbs" "$tmp/data/wavedeck/sessions/"

# Four points that were measured half a second apart. At the original pace the replay takes at least 1.5 s; at 16 times
# the pace and without pauses (0), it shows the same points.
sed -n '1p' "$tmp/a.wbs" | sed 's/"values":\[1,2,3,4,[0-9,]*\]/"values":[1,2,3,4]/' \
	>"$tmp/data/wavedeck/sessions/slow.wbs"
grep '"type":"point"' "$tmp/a.wbs" | head -n 4 | awk '{ sub(/"at":[0-9.e-]*/, "\"at\":" NR * 0.5); print }' \
	>>"$tmp/data/wavedeck/sessions/slow.wbs"
for speed in 1 16 0; do
	start=$(date +%s%N)
	"$wavedeck" --script - >"$tmp/err" 2>&1 <<-END
		action sessions
		wait sessions
		action session-speed $speed
		action session-open slow
		wait sessions
		wait device
		wait idle
		expect 4 points
	END
	status=$? took=$((($(date +%s%N) - start) / 1000000))
	echo "after $took ms" >>"$tmp/err"
	[ $status -eq 0 ] && { [ $speed -ne 1 ] || [ $took -ge 1500 ]; }
	result $? "a recording replays at $speed times its pace"
done

finish
