#!/usr/bin/env bash
# Measurements through the whole program: the command line, the worker, the real ROCm libraries, the software GPU. TAP.
# Published values: "HIP performance optimization on Vega64", sections 2.1.2, 2.2, 2.6, 2.9.2 and 2.10.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data
device=soft:mi25
details() {
	grep -hv '^#' "$tmp/csv" | head -n 24
	head -n 5 "$tmp/err"
}
measure() { # file, arguments; the CSV without its comments
	local to=$1
	shift
	timeout $patience "$wavedeck" run "$@" --device $device --format csv >"$tmp/all" 2>"$tmp/err" </dev/null
	local status=$?
	grep -v '^#' "$tmp/all" >"$to"
	return $status
}
# Compares rows with published values. The tolerance is an expression of `off`, the difference, and `want`.
compare() { # file, key column, value column, tolerance, KEY=WANT...
	local file=$1 key=$2 value=$3 rule=$4
	shift 4
	awk -F, -v key="$key" -v value="$value" -v wants="$*" '
		function bad(text) { print "# " text; failed = 1 }
		NR == 1 { for (i = 1; i <= NF; i++) { if ($i == key) k = i; if ($i == value) v = i }
			if (!k || !v) { bad("no column " key " or " value); exit } next }
		{ got[$k] = $v }
		END {
			count = split(wants, pair, " ")
			for (i = 1; i <= count; i++) {
				split(pair[i], part, "=")
				if (!(part[1] in got) || got[part[1]] == "") { bad("no value at " part[1]); continue }
				g = got[part[1]] + 0; want = part[2] + 0; off = g > want ? g - want : want - g
				if (!('"$rule"')) bad(key " " part[1] ": " g ", published " want)
			}
			exit failed }' "$file" >"$tmp/compare"
	local status=$?
	cat "$tmp/compare"
	return $status
}

# --- published rows ---
measure "$tmp/csv" lds-bank-conflict stride=1..16
compare "$tmp/csv" stride latency 'off <= 3' 1=87 2=90 3=87 4=93 5=87 6=87 7=85 8=99 9=85 10=87 11=87 12=91 13=87 \
	14=89 15=87 16=115 && [ "$(wc -l <"$tmp/csv")" -eq 17 ]
result $? 'lds-bank-conflict: 16 rows within 3 cycles'
cp "$tmp/csv" "$tmp/first"
measure "$tmp/csv" lds-bank-conflict stride=1..16
cmp -s "$tmp/csv" "$tmp/first"
result $? 'lds-bank-conflict twice: the same bytes'

# The published rate is 2^30 threads over the time at 1.536 GHz, before rounding.
measure "$tmp/csv" dispatch-1d
mapfile -t rates < <(for row in 1=2789.162 2=1395.156 4=697.689 8=348.875 16=174.456 32=87.238 64=43.629 128=21.828 \
	256=10.929 512=10.914 1024=10.909; do
	awk -v r=$row 'BEGIN { split(r, p, "="); printf "%s=%.6f\n", p[1], 2^30 / (p[2] * 1.536e6) }'
done)
[ ${#rates[@]} -eq 11 ] && compare "$tmp/csv" block threads_per_cycle 'off <= 0.01 * want' "${rates[@]}"
result $? 'dispatch-1d: every row within 1 %'

measure "$tmp/csv" fma-waves threads=256..1024:+256
compare "$tmp/csv" threads fma_per_cycle 'off <= 1' 256=59 512=62 768=63 1024=63
result $? 'fma-waves: 59, 62, 63, 63 within 1'

measure "$tmp/csv" fma-unroll variant=published-2a,published-2b,published-2c
compare "$tmp/csv" variant fma_per_cycle 'off <= 1' published-2a=44 published-2b=48 published-2c=59
result $? 'fma-unroll: 44, 48, 59 within 1'

measure "$tmp/csv" cacheline-stride stride=16..128
compare "$tmp/csv" stride latency 'off <= 0.05 * want' 16=361 32=476 64=682 128=681
result $? 'cacheline-stride: 16 to 128 B within 5 %'

measure "$tmp/csv" range-latency rangesize=4KiB,128KiB
compare "$tmp/csv" rangesize latency 'off <= 0.03 * want' 4096=239 131072=376
result $? 'range-latency: L1 and L2 within 3 %'
cp "$tmp/csv" "$tmp/first"
measure "$tmp/csv" range-latency rangesize=4KiB,128KiB
cmp -s "$tmp/csv" "$tmp/first"
result $? 'range-latency twice: the same bytes'

measure "$tmp/csv" channel-conflict
compare "$tmp/csv" window bandwidth_gibps 'off <= 0.03 * want' 128=181 256=90 512=181 1024=360 2048=359 4096=359 \
	8192=359 16384=359 32768=359 65536=359 131072=358
result $? 'channel-conflict: all rows within 3 %'

measure "$tmp/csv" lds-latency lanes=1
compare "$tmp/csv" lanes latency 'off <= 3' 1=63
result $? 'lds-latency: 63 cycles within 3'

grep -q '^# device: soft:mi25  .*gfx900' "$tmp/all" && grep -q 'hip' "$tmp/all" &&
	grep -q '^# constants: .*l1_bytes=' "$tmp/all"
result $? 'the provenance names device, libraries and constants'

# --- a changed constant ---
measure "$tmp/csv" range-latency rangesize=32KiB
cp "$tmp/csv" "$tmp/first"
device=soft:mi25,l1_bytes=65536 measure "$tmp/csv" range-latency rangesize=32KiB
compare "$tmp/csv" rangesize latency 'off <= 0.03 * want' 32768=239 && ! cmp -s "$tmp/csv" "$tmp/first"
result $? 'a larger L1 moves the knee'

# --- sessions ---
device=soft:mi25
measure "$tmp/csv" cacheline-stride stride=64..256 --record "$tmp/a.wbs"
"$wavedeck" open "$tmp/a.wbs" --format csv >"$tmp/opened" 2>"$tmp/err" </dev/null
cmp -s "$tmp/all" "$tmp/opened"
result $? 'open prints the same as run, including the provenance'
head -n 4 "$tmp/a.wbs" >"$tmp/b.wbs" # the header, the code and two points
cp "$tmp/csv" "$tmp/first"
measure "$tmp/csv" cacheline-stride stride=64..256 --resume "$tmp/b.wbs"
cmp -s "$tmp/csv" "$tmp/first" && [ "$(grep -c '"type":"point"' "$tmp/b.wbs")" -eq 3 ] &&
	[ "$(sed -n '5,$p' "$tmp/b.wbs" | grep -c '"type":"point"')" -eq 1 ]
result $? 'a resumed session measures only missing points'
measure "$tmp/csv" cacheline-stride stride=64..256 --record "$tmp/a.wbs"
[ $? -eq 2 ] && grep -q 'exists' "$tmp/err"
result $? 'a session is never overwritten'

# --- interrupts, crashes, limits ---
find_worker() { # process id of the program; sets worker
	for worker in $(cat /proc/"$1"/task/"$1"/children 2>/dev/null); do
		grep -q librocm_smi64 "/proc/$worker/maps" 2>/dev/null && return
	done
	return 1
}
has_points() { [ "$(grep -c '"type":"point"' "$2" 2>/dev/null)" -ge "$1" ]; } # number, session file
points_in() { wait_until has_points "$@"; }
long='range-latency rangesize=1KiB..64KiB:+1KiB'
set -m # a separate job, so that SIGINT is not ignored
"$wavedeck" run $long --device $device --format csv --record "$tmp/c.wbs" >"$tmp/all" 2>"$tmp/err" </dev/null &
program=$!
set +m
wait_until find_worker $program
for library in libamdhip64.so librocm_smi64.so libsoftgpu.so; do
	grep -q "$library" "/proc/$worker/maps" 2>/dev/null
	result $? "the worker's memory map names $library while it measures"
done
points_in 2 "$tmp/c.wbs"
kill -SEGV "$worker" 2>/dev/null
before=$(grep -c '"type":"point"' "$tmp/c.wbs")
points_in $((before + 8)) "$tmp/c.wbs"
result $? 'after a worker crash the sweep continues with a new worker'
grep -q 'SIGSEGV\|SEGV\|Segmentation' "$tmp/err"
result $? 'the reason for the crash is printed'
kill -INT $program
wait $program
[ $? -eq 130 ] && [ "$(grep -vc '^#' "$tmp/all")" -gt 3 ] && tail -n 1 "$tmp/c.wbs" | grep -q '"type":"end"'
result $? 'an interrupt exits with 130, prints the points and closes the session'
! grep -q '"failed"' "$tmp/c.wbs"
result $? 'the point that was running is measured again'

# A limit counts from the start: on a busy machine a longer one is needed before the first point is there.
for limit in 0.5 2 8 32; do
	timeout $patience "$wavedeck" run $long --device $device --format csv --limit $limit >"$tmp/all" 2>"$tmp/err" </dev/null
	status=$?
	[ "$(grep -vc '^#' "$tmp/all")" -lt 1 ] || break
done
[ $status -eq 1 ] && grep -q "limit of $limit s" "$tmp/err" && [ "$(grep -vc '^#' "$tmp/all")" -ge 1 ]
result $? 'a time limit exits with 1 and keeps the points'

# --- other formats, other programs ---
timeout $patience "$wavedeck" run lds-bank-conflict stride=1,2,4 --device $device >"$tmp/out" 2>"$tmp/err" </dev/null
[ $? -eq 0 ] && grep -q 'stride' "$tmp/out" && grep -q 'cycles' "$tmp/out" && [ ! -s "$tmp/err" ]
result $? 'a table with units, and nothing on standard error'
timeout $patience "$wavedeck" run lds-bank-conflict stride=1,2,4 --device $device --format plot \
	>"$tmp/out" 2>"$tmp/err" </dev/null
[ $? -eq 0 ] && grep -q 'latency, cycles' "$tmp/out" && grep -q 'right axis' "$tmp/out"
result $? 'a plot with two axes'
measure "$tmp/csv" lds-bank-conflict stride=1,2 --counters SQ_WAVES
head -n 1 "$tmp/csv" | grep -q ',samples,status,SQ_WAVES$' && sed -n 2p "$tmp/csv" | grep -q ',1$'
result $? 'a counter becomes a column'
grep -q "^# units: .* SQ_WAVES=waves\$" "$tmp/all"
result $? "the counter has the unit of the device's record"
measure "$tmp/csv" lds-bank-conflict stride=1 --counters SQ_WAVE
[ $? -eq 2 ] && grep -q "unknown counter 'SQ_WAVE'; did you mean SQ_WAVES?" "$tmp/err"
result $? 'an unknown counter gives a suggestion'
"$wavedeck" run lds-bank-conflict stride=1..16 --device $device --format csv 2>"$tmp/err" </dev/null |
	head -n 1 >/dev/null
[ ! -s "$tmp/err" ]
result $? 'a closed pipe ends the run quietly'
timeout $patience "$wavedeck" exec -- rocminfo >"$tmp/out" 2>"$tmp/err" </dev/null
[ $? -eq 0 ] && grep -q gfx900 "$tmp/out"
result $? 'exec -- rocminfo lists gfx900'
timeout $patience "$wavedeck" exec -- rocm-smi >"$tmp/out" 2>"$tmp/err" </dev/null
grep -qi 'mhz' "$tmp/out" && grep -qE '[0-9.]+(c|°C) ' "$tmp/out" && grep -qE '[0-9.]+W' "$tmp/out"
result $? 'exec -- rocm-smi prints clocks, temperature and power'

finish
