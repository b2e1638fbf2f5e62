#!/usr/bin/env bash
# `wavedeck validate` compares the software GPU with the published rows, at reduced sizes. Also the results of
# experiments that have no published rows. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data LC_ALL=C
device=soft:mi25
details() { head -n 20 "$tmp/say" "$tmp/err"; }
validate() { # arguments
	timeout $patience "$wavedeck" validate --device $device "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
}
# One line per row: experiment, first parameter, metric, published, measured, error, state, whether it has a note, source.
flat() {
	awk '
		{
			line = $0; sub(/,$/, "", line)
			key = line; sub(/^ *"/, "", key); sub(/".*/, "", key)
			value = line; sub(/^[^:]*: */, "", value); gsub(/"/, "", value)
		}
		/"summary"/ { exit }
		key == "experiment" { experiment = value; first = "" }
		inside && first == "" && key != "params" { first = key "=" value }
		key == "params" { inside = 1; next }
		/^ *}/ { inside = 0 }
		key == "metric" { metric = value }
		key == "published" { published = value }
		key == "measured" { measured = value }
		key == "error" { error = value }
		key == "state" { state = value }
		key == "source" { source = value; sub(/ .*/, "", source) }
		key == "unexplained" { note = value == "null" ? "-" : "noted" }
		key == "failure" { print experiment, first, metric, published, measured, error, state, note, source }' "$1"
}
summary() { # file, key
	sed -n '/"summary"/,$p' "$1" | sed -n "s/.*\"$2\": \([0-9.e+-]*\).*/\1/p"
}
without_seconds() { sed -E 's/ +[0-9]+\.[0-9]{2} s( |$)/\1/; /^ *"seconds": /d' "$1"; }
holds() { awk "BEGIN { exit !($1) }"; }

# --- all rows ---
validate --json
status=$?
cp "$tmp/out" "$tmp/json"
flat "$tmp/json" >"$tmp/rows"
{ tail -n 8 "$tmp/json"; awk '$6 > 0.03' "$tmp/rows"; } >"$tmp/say"
# S11 is another board, and another program: it has no limits here.
grep -v ' S11$' "$tmp/rows" >"$tmp/own"
count=$(summary "$tmp/json" count)
[ $status -eq 0 ] && [ "$count" = "$(wc -l <"$tmp/rows")" ] && [ ! -s "$tmp/err" ]
result $? 'every row was measured'
[ "$count" -ge 175 ] && [ "$(wc -l <"$tmp/own")" -ge 164 ]
result $? "at least 175 rows, 164 of them of the board: $count"
holds "$(summary "$tmp/json" median) <= 0.00005"
result $? "median error at most 0.005 %: $(summary "$tmp/json" median)"
within=$(awk '{ near += $6 <= 0.05 } END { print near / NR }' "$tmp/own")
holds "$within >= 0.95"
result $? "at least 95 % of the board's rows within 5 %: $within"
holds "$(summary "$tmp/json" worst_uncalibrated_median) <= 0.05"
result $? "median of the worst uncalibrated rows: $(summary "$tmp/json" worst_uncalibrated_median), at most 5 %"
awk '$6 > 0.1' "$tmp/own" >"$tmp/say"
[ ! -s "$tmp/say" ]
result $? 'no row of the board is off by more than 10 %'
# The clock drops while CUs multiply. One constant, calibrated with 64 blocks, gives the time for every other number.
awk '$1 == "fma-blocks" && $3 == "time" && $7 != "calibrated"' "$tmp/rows" >"$tmp/say"
[ "$(wc -l <"$tmp/say")" -eq 7 ] && awk '$6 > 0.002 { bad = 1 } END { exit bad }' "$tmp/say"
result $? 'fma-blocks: each uncalibrated time is within 0.2 %'
awk '$6 > 0.05 && $8 != "noted"' "$tmp/own" >"$tmp/say"
[ ! -s "$tmp/say" ]
result $? 'each row of the board that is off by more than 5 % has a note'

# The summary matches the rows.
sort -g -k6 "$tmp/rows" | awk -v median="$(summary "$tmp/json" median)" -v worst="$(summary "$tmp/json" worst)" \
	-v within="$(summary "$tmp/json" within_5)" -v each="$(summary "$tmp/json" worst_uncalibrated_median)" '
	function off(a, b) { return (a > b ? a - b : b - a) > 1e-9 }
	{ error[NR] = $6; near += $6 <= 0.05; if ($7 != "calibrated" && $6 >= most[$1]) most[$1] = $6 }
	END {
		for (x in most) {
			worsts[++k] = most[x]
			for (i = k; i > 1 && worsts[i] < worsts[i - 1]; i--) {
				t = worsts[i]; worsts[i] = worsts[i - 1]; worsts[i - 1] = t
			}
		}
		m = (error[int((NR + 1) / 2)] + error[int(NR / 2) + 1]) / 2
		w = (worsts[int((k + 1) / 2)] + worsts[int(k / 2) + 1]) / 2
		if (off(m, median) || off(error[NR], worst) || off(near / NR, within) || off(w, each)) {
			print "from the rows:", m, error[NR], near / NR, w
			exit 1
		}
	}' >"$tmp/say"
result $? 'the summary follows from the rows'
awk '{
	want = $4; got = $5
	e = want == 0 ? got != 0 : (got > want ? got - want : want - got) / want
	d = e > $6 ? e - $6 : $6 - e
	if (d > 1e-9) print }' "$tmp/rows" >"$tmp/say"
[ ! -s "$tmp/say" ]
result $? 'each error follows from its published and measured value'
for x in dispatch-1d=22 dispatch-2d=32 dispatch-3d=10 dispatch-peak=2 fma-loop=1 fma-unroll=1 fma-nested=1 fma-waves=4 \
	fma-blocks=17 divergence=6 mem-latency-dram=2 cacheline-stride=5 l1-hit-latency=1 l2-hit-latency=1 \
	lds-latency=1 lds-bank-conflict=16 channel-conflict=11 lane-patterns=11; do
	got=$(awk -v x="${x%=*}" '$1 == x' "$tmp/rows" | wc -l)
	[ "$got" -eq "${x#*=}" ] || echo "${x%=*} has $got rows"
done >"$tmp/say"
[ ! -s "$tmp/say" ]
result $? 'every experiment has all its published rows'

# --- other boards, with the programs of others written again: each row is measured ---
others() { # device, EXPERIMENT=ROWS...
	local device=$1 x
	shift
	for x; do
		validate --json "${x%=*}" && flat "$tmp/out" >"$tmp/rows" && [ ! -s "$tmp/err" ] &&
			[ "$(summary "$tmp/out" count)" = "${x#*=}" ] && [ "$(wc -l <"$tmp/rows")" -eq "${x#*=}" ] &&
			awk '$5 !~ /^[0-9.]+$/ || $5 <= 0 || $7 != "checked" && $7 != "calibrated" { exit 1 }' "$tmp/rows"
		result $? "${x%=*} on $device: ${x#*=} rows" "$tmp/rows"
	done
}
# Minutes of CPU time each: tests/long/validate_boards.sh.
[ -z "${ALL_BOARDS:-}" ] || others soft:mi100 stream-occupancy=36 cache-bandwidth=28 shared-runs=11
others soft:mi100 range-latency=13 transpose=3 launch-sequence=15
others soft:mi210 range-latency=13 lane-patterns=130
others soft:mi60 lane-patterns=11 stream-bandwidth=8 instruction-throughput=9

# --- some experiments as a table; changed constants ---
validate lds-latency l1-hit-latency l2-hit-latency
[ $? -eq 0 ] && grep -q '^    latency *376 cycles .* [0-9.]* s  c$' "$tmp/out" && grep -q '^3 rows: median error' "$tmp/out" &&
	[ ! -s "$tmp/err" ]
result $? 'three experiments as a table'
without_seconds "$tmp/out" >"$tmp/first"
validate lds-latency l1-hit-latency l2-hit-latency
[ "$(grep -cE ' [0-9]+\.[0-9]{2} s  c$' "$tmp/out")" -eq 3 ] && without_seconds "$tmp/out" | cmp -s - "$tmp/first"
result $? 'a second run prints the same bytes, apart from the seconds that it took'
device=soft:mi25,lds_latency=145 validate --json lds-latency
holds "$(summary "$tmp/out" worst) > 1"
result $? 'other constants give larger errors'
# A time measured at a reduced size and scaled up equals the time at the published size.
scaled=$(sed -n '/"experiment": "fma-blocks"/,$p' "$tmp/json" | sed -n '/"blocks": 1,/,/"unrounded"/p' |
	sed -n 's/.*"unrounded": \([0-9.]*\).*/\1/p' | head -1)
"$wavedeck" run fma-blocks blocks=1 fma_per_thread=1000000 --device $device --format csv >"$tmp/csv" 2>"$tmp/err"
full=$(csv_column time "$tmp/csv")
echo "scaled $scaled ms, at the published size $full ms" >"$tmp/say"
holds "($scaled / $full - 1) ^ 2 < 0.003 ^ 2"
result $? 'a scaled time is within 0.3 % of that at the published size'

# --- rows of our own, in a copy of the tree: an interval, and a row that was kept aside ---
mkdir -p "$tmp/tree/build" "$tmp/tree/experiments" "$tmp/tree/sessions/published"
cp "$wavedeck" "$BUILD/libsoftgpu.so" "$tmp/tree/build/"
cp -r "$BUILD/kernels" "$tmp/tree/build/"
cp -r share kernels "$tmp/tree/"
cp -r experiments/catalog "$tmp/tree/experiments/"
own_rows() { # rows of lds-latency, which takes 63.2 cycles
	{
		printf '@ gfx900: Radeon Instinct MI25\n'
		sed -n '/^params,/{p;q}' sessions/published/lds-latency.csv
		printf 'lanes=1 variant=published,,,latency,cycles,%s,none,1536,latency,%s,S0 2.9.1,\n' "$@"
	} >"$tmp/tree/sessions/published/lds-latency.csv"
}
own_rows '70,60' blind '80,70' checked
"$tmp/tree/build/wavedeck" validate --device $device >"$tmp/out" 2>"$tmp/err"
grep -qE '^    latency  60 to 70 cycles +63\.209 +\+0\.0 % .* s  b$' "$tmp/out" &&
	grep -qE '^    latency  70 to 80 cycles +63\.209 +-9\.7 % .* s$' "$tmp/out" &&
	grep -q '^b: kept aside until a prediction of this row was written down$' "$tmp/out"
result $? 'two published values are an interval: the error is 0 inside, and that of the nearer end outside; b: a blind row'
"$tmp/tree/build/wavedeck" show lds-latency >"$tmp/out" 2>"$tmp/err"
grep -qE '  latency  +60 to 70 cycles ' "$tmp/out" && ! grep -q '^b: ' "$tmp/first"
result $? 'show lists an interval; a table without blind rows does not explain b'

# --- the summary by kind ---
validate --summary lds-latency l1-hit-latency divergence
[ $? -eq 0 ] && grep -qE '^latency +1 +0\.0 % +100 % +0  \| +0 +- +- +-$' "$tmp/out" &&
	grep -qE '^compute rate +6 +[0-9.]+ % +100 % +0  \| +6 +[0-9.]+ % +100 % +0$' "$tmp/out" &&
	grep -qE '^all +8 .*\| +6 ' "$tmp/out" && ! grep -q '^sources' "$tmp/out"
result $? 'the summary has rows, errors and factors by kind, and those without calibrated rows'
validate --summary --json lds-latency
tr -d ' \n' <"$tmp/out" | grep -q '^{"kinds":\[{"kind":"LDS","rows":1,"median":0.0,"within_25":1.0,"off_by_two":0,"unfitted":{"rows":0,"median":null,"within_25":null,"off_by_two":0}},{"kind":"all",.*"measured_on":"soft:mi25","without":null}$'
result $? 'the summary as JSON'
validate --summary --limit 0.001 dispatch-1d
[ $? -eq 1 ] && grep -q '^no row was measured$' "$tmp/out" && grep -q 'of 22 rows were not measured' "$tmp/err"
result $? 'a summary of rows that were not measured reports that'

refuses() { # words of the error, arguments
	local words=$1
	shift
	timeout $patience "$wavedeck" validate "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	[ $? -eq 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$words" "$tmp/err"
	result $? "rejected: validate $*"
}
refuses 'did you mean' fma-wave
refuses 'unknown model' --device soft:mi26
# Rows are for one device, but shown on every device.
refuses 'Radeon RX 7900 XTX (gfx1100), but the device is gfx900' sgemm-k1-naive --device soft:mi25
refuses 'are for a Radeon Instinct MI25 (gfx900), but the device is gfx906' fma-loop --device soft:mi60
"$wavedeck" show sgemm-k1-naive >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && grep -q '^published values, Radeon RX 7900 XTX (gfx1100)$' "$tmp/out" &&
	grep -q 'time  *136.006 ms  *RDNA3 SGEMM, final table' "$tmp/out"
result $? 'show lists the rows of another device under its name'
"$wavedeck" show mem-latency-dram >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && grep -qE '^    latency +[0-9.]+ % median error on [0-9]+ rows \(soft:mi25\)$' "$tmp/out" &&
	! grep -q 'dispatch  .* % median error' "$tmp/out"
result $? 'show prints the accuracy of rows of its kind'
"$wavedeck" show vgpr-limit >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && grep -q '^published values' "$tmp/out" && ! grep -q 'median error' "$tmp/out"
result $? 'counts have no accuracy'
"$wavedeck" show mem-latency-dram --json >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && grep -q '"accuracy":\[{' "$tmp/out" &&
	grep -qE '\{"device":"soft:mi25","kind":"latency","rows":[0-9]+,"median":0\.0' "$tmp/out"
result $? 'its JSON, too'
refuses 'did you mean --json' --jason
refuses "on 'Vega64 notes 9'; programs: Vega64 notes 2.1.1, " --without 'Vega64 notes 9' --device soft:mi25
refuses "no constant of mi60 was fitted on 'gpu-latency', but some of mi100 were" --without gpu-latency --device soft:mi60
refuses 'constants of the software GPU; hip:0 has none' --without 'Vega64 notes 2.6.3' --device hip:0

# --- without what one program taught: its rows, with the constants' values before ---
validate --without 'Vega64 notes 2.6.3'
status=$?
cp "$tmp/out" "$tmp/say"
[ $status -eq 0 ] && grep -qE '^  l1_latency +125  MI100' "$tmp/out" && grep -qE '^  l2_latency +258  MI100' "$tmp/out" &&
	grep -q '^soft:mi25,l1_latency=125,l2_latency=258, AMD Radeon' "$tmp/out" &&
	grep -qE '^    latency  239 cycles +188 .* -21\.3 % [^c]*$' "$tmp/out" &&
	grep -qE '^    latency  376 cycles +321 .* -14\.6 % [^c]*$' "$tmp/out" &&
	grep -q '^2 rows: median error 17\.9[0-9] %' "$tmp/out" && ! grep -q '^c: ' "$tmp/out"
result $? 'without the program of two latencies: the errors of its two rows, and their median'
validate --json --without 'Vega64 notes 2.9.1'
grep -q '"without": "Vega64 notes 2.9.1"' "$tmp/out" && grep -q '"measured_on": "soft:mi25,lds_latency=20"' "$tmp/out" &&
	[ "$(flat "$tmp/out" | cut -d' ' -f1,3,7)" = 'lds-latency latency checked' ]
result $? 'the JSON names the program and the changed device'

# --- results without published rows ---
measure() { # arguments; writes the CSV without comments
	timeout $patience "$wavedeck" run "$@" --device $device --format csv 2>"$tmp/err" </dev/null |
		grep -v '^#' >"$tmp/csv"
	return "${PIPESTATUS[0]}"
}
column() { csv_column "$1" "$tmp/csv"; }
near() { # tolerance, expected values, measured values
	awk -v tolerance="$1" -v want="$2" -v got="$3" 'BEGIN {
		n = split(want, w, " ")
		if (n == 0 || split(got, g, " ") != n) exit 1
		for (k = 1; k <= n; k++) { d = g[k] - w[k]; if (d > tolerance || -d > tolerance) exit 1 } }'
}
measure dispatch-2d n=32 height=8,16,32
near 0.01 '4 8 16' "$(column cycles_per_block)"
result $? 'dispatch-2d: 32 by 8, 16 and 32 take 4, 8 and 16 cycles'
measure dispatch-3d n=8 depth=4,8,16
near 0.01 '4 8 16' "$(column cycles_per_block)"
result $? 'dispatch-3d: 8 by 8 by 4, 8 and 16 take 4, 8 and 16 cycles'
measure fma-nested
near 1 '433 533 433 533 433 533 433 529' "$(column cycles_per_trip)"
result $? 'fma-nested: an offset of an odd number of dwords costs 4 cycles for every fourth instruction'
measure fma-loop offset=0,4 unroll=40
near 1 '233 193' "$(column cycles_per_trip)"
result $? 'fma-loop: 233 cycles per trip at the published address, 193 four bytes later'
measure fma-loop variant=compiled
[ $? -eq 0 ]
result $? 'fma-loop: the compiled kernel at every offset, verified'
measure fma-blocks
status=$?
[ $status -eq 0 ] && awk -F, '
	NR > 2 && NR <= 65 && $5 <= last { bad = 1 }
	{ last = $5 }
	NR == 2 { one = $5 }
	NR == 65 { full = $5 }
	NR == 66 { tail = $5 }
	END { exit bad || !(full > 1.025 * one && full < 1.04 * one && tail > 1.8 * full && NR == 129) }' "$tmp/csv"
result $? 'fma-blocks: the time grows by 3 % up to 64 blocks and doubles at 65'
column sclk_mhz >"$tmp/say"
awk '{ exit !($1 == 1538 && $64 > 1485 && $64 < 1500 && $65 > $64 && NF == 128) }' "$tmp/say"
result $? 'its clock is highest for one block and lowest for 64'
for variant in published compiled; do
	measure divergence form=divergent diverging_lanes=1,64 paths=1,2,4 variant=$variant fma_per_thread=100000
	status=$?
	column time >"$tmp/say"
	[ $status -eq 0 ] && awk '{
		a = $2 / $1; b = $3 / $1; c = $5 / $1
		exit !(a > 1.8 && a < 2.5 && b > 3.5 && b < 5 && c < 1.3) }' "$tmp/say"
	result $? "divergence, $variant: the time is proportional to the paths; a wave on one path does not diverge"
done
measure mem-latency-dram variant=published,compiled
[ $? -eq 0 ] && [ "$(wc -l <"$tmp/csv")" -eq 3 ]
result $? 'mem-latency-dram: both kernels, verified'

# --- a limit ---
validate --limit 0.001 dispatch-1d
status=$?
cp "$tmp/out" "$tmp/say"
[ $status -eq 1 ] && [ "$(grep -c 'not started in time; --limit 0 removes the limit' "$tmp/out")" -ge 5 ] &&
	grep -q 'rows were not measured' "$tmp/err"
result $? 'rows that were not measured within --limit are named'
validate --limit soon dispatch-1d
[ $? -eq 2 ] && grep -q -- '--limit needs seconds' "$tmp/err"
result $? 'a limit that is no number is refused'

finish
