#!/usr/bin/env bash
# An interrupted recording goes on where it stopped: killed at random moments, torn, already whole, asked for with something else, written by two.
: "${BUILD:=build}"
wavedeck=$BUILD/wavedeck
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$tmp/cache LC_ALL=C
n=0 failures=0
ok() { # what, status
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; return; fi
	failures=$((failures + 1))
	echo "not ok $n - $1"
	head -5 "$tmp/err" 2>/dev/null | sed 's/^/# err: /'
	[ -n "${3:-}" ] && diff "$tmp/whole.csv" "$tmp/now.csv" | head -5 | sed 's/^/# /'
}
run() { timeout 120 "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
refused() { # what, pattern, arguments: status 2, one line, and the file as it was
	local what=$1 pattern=$2
	shift 2
	cp "$tmp/part.wbs" "$tmp/before"
	run "$@"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$pattern" "$tmp/err" && cmp -s "$tmp/part.wbs" "$tmp/before"
	ok "$what" $?
}
# What a session says but when it was measured and in which order jobs were numbered.
content() { "$wavedeck" open "$1" --format csv 2>/dev/null | grep -v '^# time:'; }
records() { grep '"type":"point"' "$1" | sed 's/"job":[0-9]*,//; s/,"at":[0-9.e-]*//'; }

sweep='lds-bank-conflict stride=1..64'
device=soft:mi25
# shellcheck disable=SC2086
run run $sweep --device $device --record "$tmp/whole.wbs"
content "$tmp/whole.wbs" >"$tmp/whole.csv"
records "$tmp/whole.wbs" >"$tmp/whole.points"
points=$(wc -l <"$tmp/whole.points")
[ "$points" -eq 64 ]
ok 'an uninterrupted recording to compare with' $?

# Killed by a signal that nobody can catch: while the worker opens, else at a random moment behind a random point.
RANDOM=$(date +%N | sed 's/^0*//')
for behind in 0 $((1 + RANDOM % 12)) $((13 + RANDOM % 16)) $((29 + RANDOM % 16)) $((45 + RANDOM % 15)); do
	rm -f "$tmp/killed.wbs"
	moment=0.0$((RANDOM % 10))
	# shellcheck disable=SC2086
	"$wavedeck" run $sweep --device $device --format csv --record "$tmp/killed.wbs" >"$tmp/rows" 2>/dev/null </dev/null &
	pid=$!
	for _ in $(seq 3000); do [ "$(grep -vc '^#' "$tmp/rows")" -gt "$behind" ] && break; sleep 0.01; done
	sleep "$moment"
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	when="killed $moment s behind point $behind"
	seen=$(grep -vc '^#' "$tmp/rows") kept=$(grep -c '"type":"point"' "$tmp/killed.wbs")
	run open "$tmp/killed.wbs" && [ "$kept" -ge $((seen - 1)) ] && [ "$kept" -lt "$points" ]
	ok "$when: it opens, $kept of $points points are there, all rows that were printed" $?
	run run --resume "$tmp/killed.wbs"
	status=$?
	content "$tmp/killed.wbs" >"$tmp/now.csv"
	records "$tmp/killed.wbs" >"$tmp/now.points"
	[ $status -eq 0 ] && cmp -s "$tmp/whole.csv" "$tmp/now.csv" && cmp -s "$tmp/whole.points" "$tmp/now.points"
	ok "$when and resumed: the same points, metrics and CSV as without" $? diff
done

# A line cut off anywhere, as by a power cut: what is whole before it stays.
size=$(head -n 6 "$tmp/whole.wbs" | wc -c)
for cut in 1 40 700; do
	head -c $((size - cut)) "$tmp/whole.wbs" >"$tmp/torn.wbs"
	run run --resume "$tmp/torn.wbs"
	status=$?
	content "$tmp/torn.wbs" >"$tmp/now.csv"
	run open "$tmp/torn.wbs"
	[ $status -eq 0 ] && [ ! -s "$tmp/err" ] && cmp -s "$tmp/whole.csv" "$tmp/now.csv"
	ok "a line cut off $cut bytes before its end is measured again" $? diff
done

# A point that failed is measured again and takes its place.
sed '4s/"status":"ok"/"status":"failed","error":"the worker died"/' "$tmp/whole.wbs" >"$tmp/failed.wbs"
run run --resume "$tmp/failed.wbs"
status=$?
content "$tmp/failed.wbs" >"$tmp/now.csv"
[ $status -eq 0 ] && cmp -s "$tmp/whole.csv" "$tmp/now.csv"
ok 'a failed point is measured again and replaced' $? diff

# --- refusals ---
head -n 5 "$tmp/whole.wbs" >"$tmp/part.wbs"
refused 'another sweep is rejected' 'other values of stride' run lds-bank-conflict stride=1..16 --resume "$tmp/part.wbs"
# shellcheck disable=SC2086
refused 'another fixed value is rejected' 'other values of outer' run $sweep outer=2000 --resume "$tmp/part.wbs"
# shellcheck disable=SC2086
refused 'another device is rejected' 'soft:mi25' run $sweep --device soft:mi25,l1_bytes=65536 --resume "$tmp/part.wbs"
refused 'another experiment is rejected' "is a session of 'lds-bank-conflict'" run fma-waves --resume "$tmp/part.wbs"
# shellcheck disable=SC2086
refused 'other counters are rejected' 'other counters' run $sweep --counters SQ_WAVES --resume "$tmp/part.wbs"
sed '1s/"hash":"[0-9a-f]*"/"hash":"0123456789abcdef"/' "$tmp/part.wbs" >"$tmp/changed.wbs"
run run --resume "$tmp/changed.wbs"
[ $? -eq 2 ] && grep -q 'has changed since' "$tmp/err"
ok 'a changed definition is rejected' $?

sed '1s/"experiment":"lds-bank-conflict"/"experiment":"mine"/' "$tmp/part.wbs" >"$tmp/mine.wbs"
refused 'a session of an experiment outside the catalog needs its file' 'PATH/mine.lua' run --resume "$tmp/mine.wbs"

# The same parameters, said again, are none.
cp "$tmp/part.wbs" "$tmp/again.wbs"
# shellcheck disable=SC2086
run run $sweep --device $device --resume "$tmp/again.wbs"
status=$?
content "$tmp/again.wbs" >"$tmp/now.csv"
[ $status -eq 0 ] && cmp -s "$tmp/whole.csv" "$tmp/now.csv"
ok 'the same parameters can be repeated' $? diff

# --- nothing left ---
cp "$tmp/whole.wbs" "$tmp/before"
run run --resume "$tmp/whole.wbs"
[ $? -eq 0 ] && grep -q 'already has all 64 points' "$tmp/err" && cmp -s "$tmp/whole.wbs" "$tmp/before" && grep -q stride "$tmp/out"
ok 'a complete session is reported, printed and not changed' $?

# --- two writers ---
cp "$tmp/part.wbs" "$tmp/shared.wbs"
"$wavedeck" run --resume "$tmp/shared.wbs" >/dev/null 2>"$tmp/first" </dev/null &
pid=$!
for _ in $(seq 100); do [ "$(wc -l <"$tmp/shared.wbs")" -gt 5 ] && break; sleep 0.05; done
run run --resume "$tmp/shared.wbs"
[ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q 'another wavedeck records' "$tmp/err"
ok 'two programs cannot write one file' $?
wait $pid
status=$?
content "$tmp/shared.wbs" >"$tmp/now.csv"
[ $status -eq 0 ] && cmp -s "$tmp/whole.csv" "$tmp/now.csv"
ok 'the first program is not disturbed' $? diff

echo "1..$n"
[ $failures -eq 0 ]
