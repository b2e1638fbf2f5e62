#!/usr/bin/env bash
# `capture`: which launches are kept, exit statuses, files that it refuses, signals. TAP.
# shellcheck source=kept_program.bash
. "$(dirname "$0")/kept_program.bash"
all='add_all:1 fill:1 kernel:1 sum_rows:1 transpose_tile:1 '

# --- what is kept ---
"$wavedeck" exec -- ./kept input >"$tmp/plain" 2>"$tmp/plain-errors" < <(printf 'a\0b\n')
timeout $patience "$wavedeck" capture -- ./kept input >"$tmp/out" 2>"$tmp/log" < <(printf 'a\0b\n')
[ $? -eq 0 ] && cmp "$tmp/plain" "$tmp/out" && grep -qx 'row 3: 192' "$tmp/out" &&
	head -n 1 "$tmp/log" | cmp - "$tmp/plain-errors"
result $? 'the input and the output of the program go through unchanged'
equal 'the slowest launch of each kernel, in PROGRAM.wbc' "$all" "$(listed kept.wbc)"
equal 'which other users cannot read' 600 "$(stat -c %a kept.wbc)"
grep -q '^wavedeck: kept.wbc: 5 kernels, 5 launches, 1 source file, [0-9.]* MiB of the program.s memory; only you can read it$' "$tmp/log" &&
	! grep -q 'cannot run again' "$tmp/log"
result $? 'it says what is in it'
check 'nothing else is left' "$(left_folders)"

capture --slowest 2 -o slowest.wbc -- ./kept
equal 'the two slowest' 'add_all:2 ' "$(listed slowest.wbc)"
capture --launch 0,2-3 -o numbers.wbc -- ./kept
equal 'launches by number' '0 2 3 ' "$(head_values numbers.wbc number)"
capture --kernel 'sum_rows\(float' -o name.wbc -- ./kept
equal 'kernels by their name in the source' 'sum_rows:1 ' "$(listed name.wbc)"
capture --kernel '^_Z14transpose|^_Z7add_all' -o symbol.wbc -- ./kept
equal 'kernels by their symbol' 'add_all:1 transpose_tile:1 ' "$(listed symbol.wbc)"
capture --no-sources --kernel sum_rows -o plain.wbc -- ./kept
[ $status -eq 0 ] && [ -z "$(ls "$(opened plain.wbc)/sources")" ] && grep -q ' 0 source files' "$tmp/log"
result $? 'without sources'
capture --slowest 4 --kernel sum_rows -o two.wbc -- bash -c './kept; ./kept' && ask show two.wbc
first=$(head_values two.wbc number | cut -d' ' -f1)
ask run two.wbc caches=captured "launch=$first,$first-2" --format json &&
	[ "$(grep -c '"verify_text":"as captured' "$tmp/out")" -eq 2 ]
result $? 'launches of two processes with the same numbers run again' "$tmp/out"

# --- programs that start others ---
mkdir journals
printf '#!/bin/sh\n./kept\n./kept exit3\n' >both && chmod +x both
capture --journal journals -o both.wbc -- ./both
equal 'a script with two programs: its status, and the slowest launches of each' \
	'3 add_all:2 fill:2 sum_rows:2 transpose_tile:2 ' "$status $(listed both.wbc | sed 's/kernel[-:0-9]* //g')" # HIP's own differ
equal 'a journal each' '2 2' "$(grep -c '^kernel .*sum_rows' journals/*.journal | cut -d: -f2 | paste -sd' ')"
printf '#!/bin/sh\n./kept\n%s capture --kernel sum_rows -o inner.wbc -- ./kept\n' "$wavedeck" >nested && chmod +x nested
capture --slowest 1 -o outer.wbc -- ./nested
equal 'a capture in a captured script keeps launches for itself' '0 add_all:1 sum_rows:1 ' \
	"$status $(listed outer.wbc)$(listed inner.wbc)"

capture --model mi25,compute_units=12,l2_bytes=2097152 -o changed.wbc -- ./kept
equal 'a model with changed constants' "$all" "$(listed changed.wbc)"
ask run changed.wbc:sum_rows --format json
[ $status -eq 0 ] && grep -q '"compute_units":12,.*"verify_text":"as captured' "$tmp/out"
result $? 'and its launches run again on it: three CUs of each shader engine cannot be halved'

# --- statuses ---
for case in exit3:3 crash:139; do
	capture -o "${case%:*}.wbc" -- ./kept "${case%:*}"
	equal "${case%:*}: the status is the program's" "${case#*:}" $status
	equal 'and what was launched is kept' "$all" "$(listed "${case%:*}.wbc")"
	grep -qx "wavedeck: ./kept ended with status ${case#*:}" "$tmp/log"
	result $? 'which it says'
done
refused() { # what, status, text, arguments
	local what=$1 expected=$2 text=$3
	shift 3
	capture "$@"
	equal "$what" "$expected wavedeck: $text" "$status $(cat "$tmp/log")"
}
refused 'a program that is missing' 2 'cannot run ./missing: No such file or directory; give the path of the program' -- ./missing
refused 'no program' 2 'capture needs a program: wavedeck capture -- ./app' -o x.wbc
refused 'a model that does not exist' 2 'soft:mi26: unknown model '"'mi26'; did you mean 'mi25'? Models: mi25, mi60, mi100, mi210, rx7900xtx" --model mi26 -- ./kept
refused 'a program without launches' 2 './kept launched no kernel on the software GPU; nothing was captured' -- ./kept idle
refused 'a name that no kernel has' 2 './kept launched no kernel that you chose on the software GPU; nothing was captured' --kernel nothing -- ./kept
refused 'two choices' 2 '--launch, --slowest and --each-kernel choose launches; use only one of them' --launch 3 --slowest 2 -- ./kept
refused 'a pattern' 2 '--kernel (: not a regular expression: Unmatched ( or \(' --kernel '(' -- ./kept
for list in 9-3 ',' 3- '1,,' x; do
	refused "the list of launches '$list'" 2 "--launch $list: write numbers of launches, from 0: 3,7-9" "--launch" "$list" -- ./kept
done
mkdir folder.wbc
for file in missing/x.wbc folder.wbc name; do
	capture -o $file -- ./kept input
	[ $status -eq 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -q "^wavedeck: -o $file: " "$tmp/log"
	result $? "-o $file is refused before the program runs"
done
capture --limit-bytes 1000 -o big.wbc -- ./kept
[ $status -eq 2 ] && [ ! -e big.wbc ] && [ ! -e big.wbc.part ] &&
	grep -Eqx 'wavedeck: the captured launches take [0-9.]+ MiB, more than the limit of 1000 B; raise it with --limit-bytes, or keep fewer launches' "$tmp/log"
result $? 'a limit that is too low: no file'

# --- Ctrl-C ---
# Those of the job that run launches again: the folder of launches is made when the program has ended.
checking_processes() { [ -d "$(left_folders)/launches" ] && pgrep -P $job; }
set -m # a job of its own, to whose processes the signal goes
"$wavedeck" capture -o interrupted.wbc -- ./kept interrupt "$tmp/waits" >"$tmp/out" 2>"$tmp/log" </dev/null &
job=$!
wait_until [ -e "$tmp/waits" ]
kill -INT -- -$job
wait $job
equal 'Ctrl-C ends the program' 130 $?
equal 'and what was launched until then is kept' "$all" "$(listed interrupted.wbc)"
rm -f "$tmp/waits"
"$wavedeck" capture -o ended.wbc -- ./kept interrupt "$tmp/waits" >"$tmp/out" 2>"$tmp/log" </dev/null &
job=$!
wait_until [ -e "$tmp/waits" ]
kill -TERM $job
wait $job
equal 'who ends the command ends its program' '143 add_all:1 fill:1 kernel:1 sum_rows:1 transpose_tile:1 ' "$? $(listed ended.wbc)"
check 'no folder is left' "$(left_folders)"

# The program has ended, so the processes below the command are those that run its launches again.
"$wavedeck" capture -o long.wbc -- ./kept long >"$tmp/out" 2>"$tmp/log" </dev/null &
job=$!
wait_until checking_processes
pids=$(checking_processes)
# shellcheck disable=SC2086 # a list; they do not end before the signal
kill -STOP $pids
kill -INT -- -$job
wait $job
equal 'Ctrl-C while launches run again' '130 wavedeck: interrupted' "$? $(tail -n 1 "$tmp/log")"
check 'leaves no folder and no file' "$(left_folders && find . -name 'long.wbc*')"
check 'and no process' "$(pgrep -g $job)"
set +m
finish
