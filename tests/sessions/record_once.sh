#!/usr/bin/env bash
# R on a finished curve writes one session file; the next sweep opens no other. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config
count_files() { find "$XDG_DATA_HOME" -name '*.wbs' | wc -l; }
records() { # lines: the same sweep, and what is done after it
	rm -rf "$XDG_DATA_HOME"
	printf '%s\n' 'size 120x36' 'experiment lds-bank-conflict' "wait sweep $patience" "$@" |
		"$BUILD/wavedeck" --device soft:mi25 --script - >"$tmp/log" 2>&1
}

records 'action record' 'expect recorded 64 points' 'action run' "wait sweep $patience" 'expect 64/64'
result $? 'R writes the finished curve, and shows the file name' "$tmp/log"
equal 'the next sweep is not recorded' 1 "$(count_files)"
records 'action record' 'expect recorded 64 points' 'action record' 'expect this curve is in a file already' \
	'action run' "wait sweep $patience" 'expect REC 64 points' 'action record' 'expect recorded 64 points'
result $? 'R on a curve that is in a file records the next sweep' "$tmp/log"
equal 'each curve is in one file' 2 "$(count_files)"
finish
