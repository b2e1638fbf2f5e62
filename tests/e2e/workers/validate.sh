#!/usr/bin/env bash
# `wavedeck validate` on several workers: the same bytes, but for the seconds, for any number of them, also after the death of one; Ctrl-C and
# --limit keep what was measured. TAP.
# shellcheck disable=SC2317 # wait_until calls functions
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data
details() { head -n 20 "$tmp/err"; }

# A compiler of which the first $HOLD calls never end. The kernels of vgpr-limit are compiled when they are measured.
cat >"$tmp/slow-clang" <<'END'
#!/bin/sh
case "$*" in *VGPR=*) ;; *) exec "$CLANG" "$@" ;; esac
for call in $(seq "$HOLD"); do
	mkdir "$PLACE/$call" 2>/dev/null || continue
	echo "$PPID" >"$PLACE/$call/worker"
	exec sleep 100000
done
exec "$CLANG" "$@"
END
chmod +x "$tmp/slow-clang"

quick='dispatch-2d fma-waves l1-hit-latency' # 37 points
# In place, without the seconds that each point took.
drop_seconds() { sed -i -E 's/ +[0-9]+\.[0-9]{2} s( |$)/\1/; /^ *"seconds": /d' "$tmp/out"; }
validate() { # arguments
	# shellcheck disable=SC2086 # words
	timeout -k 5 $patience "$wavedeck" validate --device soft:mi25 $quick vgpr-limit "$@" \
		>"$tmp/out" 2>"$tmp/err" </dev/null
	local status=$?
	drop_seconds
	return $status
}
# The same in the background, with the slow compiler and without compiled kernels.
start() { # calls of the compiler that never end, arguments
	export HOLD=$1 PLACE=$tmp/place
	shift
	rm -rf "$tmp/cold" "$PLACE"
	mkdir "$PLACE"
	set -m # a job of its own, so that SIGINT is not ignored
	# shellcheck disable=SC2086
	WAVEDECK_CLANG=$tmp/slow-clang XDG_CACHE_HOME=$tmp/cold "$wavedeck" validate --device soft:mi25 $quick vgpr-limit \
		"$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	program=$!
	set +m
}
holds() { [ -s "$PLACE/$1/worker" ]; } # number of the call

# --- the same bytes ---
validate --workers 1
result $? 'one worker prints a table' "$tmp/err"
cp "$tmp/out" "$tmp/table"
for n in 1 2 3 auto; do
	validate --workers $n --json
	status=$?
	if [ $n = 1 ]; then
		cp "$tmp/out" "$tmp/json"
		[ $status -eq 0 ] && [ "$(grep -c '"failure": null' "$tmp/json")" -ge 42 ]
		result $? 'one worker measures every row' "$tmp/err"
		continue
	fi
	[ $status -eq 0 ] && cmp "$tmp/out" "$tmp/json" >>"$tmp/err" 2>&1
	result $? "--workers $n: the bytes of one worker" "$tmp/err"
done
validate
[ $? -eq 0 ] && cmp "$tmp/out" "$tmp/table" >>"$tmp/err" 2>&1
result $? 'without --workers, too, as a table' "$tmp/err"

# --- requests ---
bad() { # message, arguments
	local message=$1
	shift
	validate "$@"
	[ $? -eq 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$message" "$tmp/err"
	result $? "refused: $*" "$tmp/err"
}
bad "must be auto or 1 to 64, not '0'" --workers 0
bad "must be auto or 1 to 64, not 'all'" --workers all
bad 'hip:0 gets one worker' --device hip:0 --workers 2

# --- the death of a worker in the middle of a point ---
start 1 --workers 3 --json
wait_until holds 1
kill -KILL "$(cat "$PLACE/1/worker")"
wait_until grep -q 'killed by SIGKILL.*; trying the point again (2 of 3)' "$tmp/err"
result $? 'a killed worker is reported' "$tmp/err"
wait $program
status=$?
drop_seconds
[ $status -eq 0 ] && cmp "$tmp/out" "$tmp/json" >>"$tmp/err" 2>&1
result $? 'the output is that without a death' "$tmp/err"

# --- Ctrl-C ---
section() { sed -n "/^$1  /,/^\$/p" "$2"; } # experiment, file
workers_of() { cat "/proc/$1/task/$1/children" 2>/dev/null; }
are_gone() { local p; for p in "$@"; do [ ! -e "/proc/$p" ] || grep -q '^State:.*Z' "/proc/$p/status" || return 1; done; }
start 9 --workers 2
wait_until holds 1
wait_until holds 2 # both are at points of vgpr-limit: those before it have ended
read -r -a pids <<<"$(workers_of $program)"
equal 'two workers measure' 2 ${#pids[@]}
kill -INT $program
wait $program
equal 'SIGINT: the exit status' 130 $?
drop_seconds
equal 'SIGINT: one line says how much was measured' 'wavedeck: interrupted; measured 37 of 42 points' "$(cat "$tmp/err")"
for experiment in $quick; do
	equal "SIGINT: the rows of $experiment are kept" "$(section "$experiment" "$tmp/table")" \
		"$(section "$experiment" "$tmp/out")"
done
equal 'SIGINT: the others are not measured' 5 "$(section vgpr-limit "$tmp/out" | grep -c ' -  not measured$')"
wait_until are_gone "${pids[@]}"
result $? 'SIGINT: no worker remains'

# --- a limit ends points that would never end ---
start 1 --workers 2 --limit 2
wait $program
equal '--limit: the exit status' 1 $?
section vgpr-limit "$tmp/out" | grep -q ' -  not \(done\|started\) in time; --limit 0 removes the limit' &&
	grep -q 'rows were not measured; the table shows the reasons' "$tmp/err"
result $? '--limit: a row says why it was not measured' "$tmp/out"

finish
