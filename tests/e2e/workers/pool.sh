#!/usr/bin/env bash
# A sweep on several workers: the session has the same bytes for any number of them, deaths of workers lose nothing and
# measure nothing twice, and the end of the program ends all of them. TAP.
#   DEATHS=N   workers to kill at random moments (default 6); tests/long/pool_deaths.sh kills 300
# shellcheck disable=SC2317 # wait_until calls functions
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck device=soft:mi25
deaths=${DEATHS:-6} RANDOM=${SEED:-1}

# A session without the times of day.
timeless() { # file
	sed -E 's/"time":"[^"]*"//; s/"at":[0-9.e+-]+//' "$1"
}
run() { timeout -k 5 $patience "$wavedeck" run "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
details() { head -n 20 "$tmp/err"; }

# --- the same bytes ---
# The matrices of the last one need a block of ROCr's each, which it hands out in another order later.
for experiment in range-latency channel-conflict sgemm-ladder fma-unroll lds-bank-conflict \
	'sgemm-ladder n=640 fill=random,zeros kernel=k3-register-tile,k5-lds'; do
	small=@small
	[ "$experiment" = "${experiment#* }" ] || small=
	counts='1 2 3 auto'
	[ -n "$small" ] || counts='1 3' # its matrices are large
	for n in $counts; do
		rm -f "$tmp/$n.wbs"
		# shellcheck disable=SC2086 # words
		run $experiment $small --device $device --workers $n --record "$tmp/$n.wbs"
		status=$?
		[ $n = 1 ] && timeless "$tmp/1.wbs" >"$tmp/expected" && continue
		[ $status -eq 0 ] && [ -s "$tmp/expected" ] && timeless "$tmp/$n.wbs" | cmp - "$tmp/expected" >>"$tmp/err" 2>&1
		result $? "$experiment: --workers $n records the bytes of one worker" "$tmp/err"
	done
done

# --- requests ---
bad() { # message, arguments...
	local message=$1
	shift
	run "$@"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$message" "$tmp/err"
	result $? "refused: $*" "$tmp/err"
}
bad "must be auto or 1 to 64, not '0'" range-latency --workers 0
bad "must be auto or 1 to 64, not 'all'" range-latency --workers all
bad 'hip:0 gets one worker' range-latency --device hip:0 --workers 2
timeout $patience "$wavedeck" --set workers=0 list >/dev/null 2>"$tmp/err"
[ $? -eq 2 ] && grep -q "must be auto or 1 to 64" "$tmp/err"
result $? 'the setting workers is checked' "$tmp/err"

# --- deaths ---
workers_of() { cat "/proc/$1/task/$1/children" 2>/dev/null; } # program
is_gone() { [ ! -e "/proc/$1" ] || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null; }
count_points() { grep -c '"type":"point"' "$1" 2>/dev/null; }
has_points() { [ "0$(count_points "$1")" -ge "$2" ] || is_gone "$program"; } # session, number

# Kills a random worker of the program after a random part of a point.
kill_one() {
	local pids
	read -r -a pids <<<"$(workers_of "$program")"
	[ ${#pids[@]} -gt 0 ] || return 1
	victim=${pids[RANDOM % ${#pids[@]}]}
	sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
	kill -KILL "$victim" 2>/dev/null || return 1
	wait_until is_gone "$victim"
}

long='range-latency rangesize=1KiB..64KiB:+1KiB reads=16384'
# shellcheck disable=SC2086 # words
run $long --device $device --workers 1 --record "$tmp/long.wbs"
timeless "$tmp/long.wbs" | grep '"type":"point"' | sed -E 's/"job":[0-9]+,//' | sort >"$tmp/expected"
killed=0 rounds=0 wrong=0 given_up=0
while [ $killed -lt "$deaths" ] && [ $wrong -eq 0 ]; do
	rounds=$((rounds + 1))
	rm -f "$tmp/deaths.wbs"
	# shellcheck disable=SC2086
	"$wavedeck" run $long --device $device --workers 4 --record "$tmp/deaths.wbs" >"$tmp/out" 2>"$tmp/err" </dev/null &
	program=$!
	wait_until has_points "$tmp/deaths.wbs" 1
	while ! is_gone $program && [ $killed -lt "$deaths" ]; do
		before=$(count_points "$tmp/deaths.wbs")
		kill_one && killed=$((killed + 1))
		# A pool gives up after three points in a row that ended their workers.
		wait_until has_points "$tmp/deaths.wbs" $((before + 1))
	done
	wait $program
	# Every point is there once. Those that ended three workers are failed, and each of them was announced.
	timeless "$tmp/deaths.wbs" | grep '"type":"point"' | sed -E 's/"job":[0-9]+,//' >"$tmp/points"
	failed=$(grep -c '"status":"failed"' "$tmp/points")
	[ "$(wc -l <"$tmp/points")" -eq 64 ] && [ "$(grep -o '"point":[0-9]*' "$tmp/points" | sort -u | wc -l)" -eq 64 ] &&
		[ "$(grep -c 'giving the point up after 3 tries' "$tmp/err")" -eq "$failed" ] &&
		[ "$(grep -v '"status":"failed"' "$tmp/points" | sort | comm -12 - "$tmp/expected" | wc -l)" -eq $((64 - failed)) ]
	wrong=$?
	given_up=$((given_up + failed))
done
result $wrong "$killed deaths at random moments in $rounds sweeps of four workers: nothing is lost, nothing is there twice" \
	"$tmp/err"
echo "# $given_up points failed, because they ended three workers"

# --- the end of the program ---
all_gone() { local p; for p in "$@"; do is_gone "$p" || return 1; done; }
has_workers() { [ "$(workers_of "$program" | wc -w)" -ge 3 ]; }
for signal in INT KILL; do
	rm -f "$tmp/ended.wbs"
	set -m # a job of its own, so that SIGINT is not ignored
	"$wavedeck" run range-latency rangesize=1KiB..640KiB:+1KiB --device $device --workers 3 --record "$tmp/ended.wbs" \
		>"$tmp/out" 2>"$tmp/err" </dev/null &
	program=$!
	set +m
	wait_until has_workers
	read -r -a pids <<<"$(workers_of $program)"
	wait_until has_points "$tmp/ended.wbs" 5
	kill -$signal $program
	wait $program
	status=$?
	wait_until all_gone "${pids[@]}"
	result $? "SIG$signal ends the three workers"
	[ $signal = INT ] || continue
	[ $status -eq 130 ] && kept=$(grep -o 'kept [0-9]*' "$tmp/err" | cut -d' ' -f2) &&
		[ "$kept" -ge 5 ] && [ "$(count_points "$tmp/ended.wbs")" -eq "$kept" ]
	result $? 'the session has all measured points, also those behind a point that was running' "$tmp/err"
done

finish
