#!/usr/bin/env bash
# The workbench compared with golden screens: a finished sweep on the software GPU, the previous curve, zoomed, the help
# page, the log. Also errors of scripts. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
recording=replay:share/sessions/range-latency-mi25.wbs
steady() { without_times "$1" | sed -E 's/HIP [0-9]+(\.[0-9]+)+ */HIP (version) /; s/[0-9]{2}:[0-9]{2}:[0-9]{2} /hh:mm:ss /'; }

{
	echo 'size 80x24'
	echo "wait sweep $patience"
	echo 'action cursor-right 4'
	dumps main
	echo 'action zoom'
	dumps zoom
	echo 'action zoom'
	echo 'action param-more variant'
	echo "wait sweep $patience"
	dumps previous
	echo 'action log'
	dumps log
	echo 'action back'
	echo 'action help'
	dumps help
} >"$tmp/script"
play
same_screens main zoom previous log help

# The locale selects the glyphs unless the script does. The C locale selects ASCII.
printf 'wait device\nexpect Parameters\ndump\n' | LC_ALL=C "$BUILD/wavedeck" --script - >"$tmp/c" 2>&1
[ -s "$tmp/c" ] && ! LC_ALL=C grep -q '[^ -~]' "$tmp/c" && grep -q '+= Parameters' "$tmp/c"
result $? 'the C locale gives ASCII' "$tmp/c"
# A device that cannot be opened: the screen shows the reason once, without retries.
if ${CC:-cc} -std=gnu11 -o "$tmp/worker" tests/e2e/worker_double.c -ljansson -lm 2>"$tmp/cc"; then
	printf 'wait 700\nexpect install it\nexpect not available\naction log\nexpect 1..2 of 2\n' |
		WAVEDECK_WORKER=$tmp/worker WORKER_FATAL='no library here; install it' "$BUILD/wavedeck" --script - \
			>"$tmp/out" 2>&1
	result $? 'a device that cannot be opened reports why, once' "$tmp/out"
else
	result 1 'a device that cannot be opened reports why, once' "$tmp/cc"
fi
# A mistake in a script is reported with its line and an exit status.
try_exit 'an unknown command is reported with its line' 'size 80x24\nfly\n' 2 ":2: unknown command 'fly'"
try_exit 'an unknown action' 'action paramm-more\n' 2 "did you mean 'param-more'"
try_exit 'an action where it does not work' 'action scroll-down\n' 2 'does not work in this pane'
try_exit 'an unknown experiment' 'experiment range-latencey\n' 2 'range-latency'
try_exit 'a missing text' 'expect Unicorns\n' 1 "does not show 'Unicorns'"
try_exit 'an invalid wait' 'wait sweep 0\n' 2 'use 1 to 3600'
try_exit 'an invalid size' 'size big\n' 2 "not a size"
# A recording from a software GPU shows the sizes it was measured with.
try 'a replayed recording has its own parameters' \
	'wait sweep\nexpect 19 points measured\nexpect ~65536 reads\nexpect 19/19 points verified\n' \
	--device "$recording"
# The workbench opens on the parameters.
find='key /\ntype lds-lat\nkey Enter\n'
try 'experiments are found from any pane' \
	"size 120x36\nwait sweep\nexpect Enter type\n${find}wait idle\nexpect LDS latency\nexpect Enter open\n"
try 'titles with the same beginning can be distinguished' \
	'size 80x24\nkey /\ntype sgemm\nexpect product, naive\nexpect product, LDS tiles\n'
try 'the error of a value is shown in full' \
	'size 80x24\nwait sweep\nkey Enter\ntype 33x\nkey Enter\nexpect = 33x_\nexpect write a number in reads\n'
# Terminals without the required capabilities are refused.
for type in dumb no-such-terminal; do
	TERM=$type script -qec "$BUILD/wavedeck" /dev/null >"$tmp/out" 2>&1 </dev/null
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/out")" -eq 1 ] && grep -q "'$type'.*set TERM" "$tmp/out"
	result $? "TERM=$type is refused" "$tmp/out"
done
finish
