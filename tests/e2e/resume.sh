#!/usr/bin/env bash
# A resumed recording continues where it stopped: killed at random moments, truncated, already complete, resumed with
# other parameters, written by two programs. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data LC_ALL=C
details() { head -n 5 "$tmp/err" "$tmp/diff"; }
run() { timeout $patience "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
refused() { # what, pattern, arguments: status 2, one line, and the file as it was
	local what=$1 pattern=$2
	shift 2
	cp "$tmp/part.wbs" "$tmp/before"
	run "$@"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$pattern" "$tmp/err" &&
		cmp -s "$tmp/part.wbs" "$tmp/before"
	result $? "$what"
}
# The content of a session without the time of measurement and the numbers of jobs.
content() { "$wavedeck" open "$1" --format csv 2>/dev/null | grep -Ev '^# (time:|note: resumed )'; }
records() { grep '"type":"point"' "$1" | sed 's/"job":[0-9]*,//; s/,"at":[0-9.e-]*//'; }

sweep='lds-bank-conflict stride=1..32'
device=soft:mi25
# shellcheck disable=SC2086
run run $sweep --device $device --record "$tmp/whole.wbs"
content "$tmp/whole.wbs" >"$tmp/whole.csv"
records "$tmp/whole.wbs" >"$tmp/whole.points"
points=$(wc -l <"$tmp/whole.points")
[ "$points" -eq 32 ]
result $? 'an uninterrupted recording has 32 points'

has_rows() { [ -e "$tmp/rows" ] && [ "$(grep -vc '^#' "$tmp/rows")" -gt "$1" ]; }
# Killed with SIGKILL: once while the worker opens the device, then at random moments after random points.
RANDOM=$(date +%N | sed 's/^0*//')
for after in 0 $((1 + RANDOM % 6)) $((7 + RANDOM % 8)) $((15 + RANDOM % 8)) $((23 + RANDOM % 7)); do
	rm -f "$tmp/killed.wbs" "$tmp/rows"
	moment=0.0$((RANDOM % 10))
	# shellcheck disable=SC2086
	"$wavedeck" run $sweep --device $device --format csv --record "$tmp/killed.wbs" \
		>"$tmp/rows" 2>/dev/null </dev/null &
	pid=$!
	wait_until has_rows "$after"
	sleep "$moment"
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	when="killed $moment s after point $after"
	seen=$(grep -vc '^#' "$tmp/rows") kept=$(grep -c '"type":"point"' "$tmp/killed.wbs")
	run open "$tmp/killed.wbs" && [ "$kept" -ge $((seen - 1)) ] && { [ "$after" -gt 0 ] || [ "$kept" -lt "$points" ]; }
	result $? "$when: the file opens with $kept of $points points, including all printed rows"
	run run --resume "$tmp/killed.wbs"
	status=$?
	content "$tmp/killed.wbs" >"$tmp/now.csv"
	records "$tmp/killed.wbs" >"$tmp/now.points"
	[ $status -eq 0 ] && diff "$tmp/whole.csv" "$tmp/now.csv" >"$tmp/diff" &&
		cmp -s "$tmp/whole.points" "$tmp/now.points"
	result $? "$when and resumed: the same points, metrics and CSV as if uninterrupted"
done

# The last line is truncated, as after a power failure. The complete lines before it stay.
lines=$((points - 3))
size=$(head -n $lines "$tmp/whole.wbs" | wc -c)
for cut in 1 40 700; do
	head -c $((size - cut)) "$tmp/whole.wbs" >"$tmp/truncated.wbs"
	run run --resume "$tmp/truncated.wbs"
	status=$?
	content "$tmp/truncated.wbs" >"$tmp/now.csv"
	run open "$tmp/truncated.wbs"
	[ $status -eq 0 ] && [ ! -s "$tmp/err" ] && diff "$tmp/whole.csv" "$tmp/now.csv" >"$tmp/diff"
	result $? "a line cut off $cut bytes before its end is measured again"
done

# A failed point is measured again, and the new result replaces it.
sed '4s/"status":"ok"/"status":"failed","error":"the worker died"/' "$tmp/whole.wbs" >"$tmp/failed.wbs"
run run --resume "$tmp/failed.wbs"
status=$?
content "$tmp/failed.wbs" >"$tmp/now.csv"
[ $status -eq 0 ] && diff "$tmp/whole.csv" "$tmp/now.csv" >"$tmp/diff"
result $? 'a failed point is measured again and replaced'

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
result $? 'a changed definition is rejected'

sed '1s/"experiment":"lds-bank-conflict"/"experiment":"mine"/' "$tmp/part.wbs" >"$tmp/mine.wbs"
refused 'a session of an experiment outside the catalog needs its file' 'PATH/mine.lua' run --resume "$tmp/mine.wbs"

# The same parameters may be given again.
cp "$tmp/part.wbs" "$tmp/again.wbs"
# shellcheck disable=SC2086
run run $sweep --device $device --resume "$tmp/again.wbs"
status=$?
content "$tmp/again.wbs" >"$tmp/now.csv"
[ $status -eq 0 ] && diff "$tmp/whole.csv" "$tmp/now.csv" >"$tmp/diff"
result $? 'the same parameters can be repeated'

# --- complete sessions ---
cp "$tmp/whole.wbs" "$tmp/before"
run run --resume "$tmp/whole.wbs"
[ $? -eq 0 ] && grep -q 'already has all 32 points' "$tmp/err" && cmp -s "$tmp/whole.wbs" "$tmp/before" &&
	grep -q stride "$tmp/out"
result $? 'a complete session is reported, printed and not changed'

# --- two writers ---
cp "$tmp/part.wbs" "$tmp/shared.wbs"
"$wavedeck" run --resume "$tmp/shared.wbs" >/dev/null 2>"$tmp/first" </dev/null &
pid=$!
grows() { [ "$(wc -l <"$tmp/shared.wbs")" -gt 5 ]; }
wait_until grows
kill -STOP $pid # it holds the lock, and does not finish
run run --resume "$tmp/shared.wbs"
[ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q 'another wavedeck records' "$tmp/err"
result $? 'two programs cannot write one file'
kill -CONT $pid
wait $pid
status=$?
content "$tmp/shared.wbs" >"$tmp/now.csv"
[ $status -eq 0 ] && diff "$tmp/whole.csv" "$tmp/now.csv" >"$tmp/diff"
result $? 'the first program is not disturbed'

# --- points of one kernel ---
# A kernel with a header, resumed after a change of either, and after it was changed back.
mkdir "$tmp/own"
printf '#include <hip/hip_runtime.h>\n#define FILE "w.h"\n#include FILE\nextern "C" __global__ void own(int *o, int n)\n%s\n' \
	'{ for (int i = 0; i < n * W; i++) o[threadIdx.x] += i; }' >"$tmp/own/own.hip"
echo '#define W 4' >"$tmp/own/w.h"
cat >"$tmp/own/own.lua" <<'END'
return {
  title = "Own", kernel = { file = "own.hip", entry = "own" },
  params = { { "n", unit = "", min = 1, max = 8, step = "x2", default = 1, sweep = true } },
  buffers = { o = { type = "int", count = 64 } }, args = { "int *o", "int n" },
  values = function(p) return { n = p.n } end, launch = { grid = 1, block = 64 },
  metrics = { { "time", unit = "us", function(m) return m.seconds * 1e6 end } },
}
END
run run "$tmp/own/own.lua" --device $device --record "$tmp/own.wbs"
cp "$tmp/own.wbs" "$tmp/own-whole.wbs"
head -n 4 "$tmp/own-whole.wbs" >"$tmp/part.wbs"
stale() { # what, pattern: status 1, one line, and no point was added
	run run "$tmp/own/own.lua" --resume "$tmp/part.wbs"
	[ $? -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$2" "$tmp/err" &&
		[ "$(grep -c '"type":"point"' "$tmp/part.wbs")" -eq 2 ]
	result $? "$1"
	head -n 4 "$tmp/own-whole.wbs" >"$tmp/part.wbs"
}
echo '#define W 400' >"$tmp/own/w.h"
stale 'a changed header of the kernel' 'w.h has changed; restore it to go on, or record to another file'
echo '#define W 4' >"$tmp/own/w.h"
sed -i 's/+= i/-= i/' "$tmp/own/own.hip"
stale 'a changed kernel' 'own.hip has changed'
sed -i 's/-= i/+= i/' "$tmp/own/own.hip"
sed -i '3,4s/clang [0-9.]*/clang 3.9.1/' "$tmp/part.wbs"
stale 'another compiler' 'the compiler is clang [0-9.]*, and was clang 3.9.1'
sed -i '1s/"valu_cycles":4,/"valu_cycles":5,/' "$tmp/part.wbs"
refused 'other constants of the model' "'constants' differs" run "$tmp/own/own.lua" --resume "$tmp/part.wbs"
head -n 4 "$tmp/own-whole.wbs" | sed '1s/"software_gpu":"[0-9a-f]*"/"software_gpu":"1234"/' >"$tmp/part.wbs"
refused 'another build of the software GPU' "'software_gpu' differs" run "$tmp/own/own.lua" --resume "$tmp/part.wbs"
head -n 4 "$tmp/own-whole.wbs" >"$tmp/part.wbs"
run run "$tmp/own/own.lua" --resume "$tmp/part.wbs" && records "$tmp/part.wbs" | cmp -s - <(records "$tmp/own-whole.wbs")
result $? 'the same kernel goes on'

run run "$tmp/own/own.lua" --device "replay:$tmp/own-whole.wbs" && [ ! -s "$tmp/err" ]
result $? 'a recording is replayed'
sed -i 's/1e6/2e6/' "$tmp/own/own.lua"
run run "$tmp/own/own.lua" --device "replay:$tmp/own-whole.wbs" && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	grep -q 'was recorded with another definition of own; its metrics' "$tmp/err"
result $? 'a recording of another definition is replayed with a line'

# --- points that can never start ---
run run sgemm-k5-lds pad=0 n=128,192,256 --device soft:mi25 --record "$tmp/partly.wbs"
run run --resume "$tmp/partly.wbs" --format csv --no-header-comments
[ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q 'n = 192 must be a multiple' "$tmp/err"
result $? 'one line says why the missing point cannot start' "$tmp/err"
[ "$(csv_column n "$tmp/out")" = '128 256' ]
result $? 'the points of the session are printed' "$tmp/out"

finish
