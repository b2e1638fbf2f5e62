#!/usr/bin/env bash
# The view of what causes cost, compared with golden screens: a study of a point. It pins curves without a cause, and the
# advice has the costs. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
small='action param width=256\naction param height=256\naction param tile=32\nwait sweep\n'
mkdir -p "$golden"

{
	echo 'size 120x36'
	printf '%b' "$small"
	echo 'action cursor-right'
	echo 'action cursor-right'
	echo 'key $'
	echo "wait background $patience"
	echo 'expect of these'
	dumps what-if
	echo 'key Down'
	echo 'expect l1: each load that looks into a vector L1 cache hits'
	echo 'key p'
	echo "wait background $patience"
	echo 'expect pinned'
	echo 'key Esc'
	echo 'key ['
	echo 'key $'
	echo 'expect of 16 devices'
	echo 'key Backspace'
	echo "wait background $patience"
	echo 'expect stopped; r measures again'
} >"$tmp/script"
play transpose
same_screens what-if
try 'the advice has the costs' \
	"size 120x36\\n${small}key \$\\nwait background $patience\\nkey I\\nwait idle\\nwait background $patience\\nkey v\\nexpect % of the launch\\n" transpose
try 'without a study, the advice says how to get the costs' "size 120x36\\n${small}key I\\nwait idle\\nwait background $patience\\nkey v\\nexpect \$ measures what it costs\\n" transpose
try 'a recording has no causes to remove' 'wait sweep\nkey $\nexpect what-if compares one software GPU with ideal ones\n' \
	--device replay:share/sessions/range-latency-mi25.wbs
finish
