#!/usr/bin/env bash
# The plot of the main view as text, in Unicode and in ASCII, against what it was: where the cycles go, in cycles and in shares, a part of the x axis, a linear x axis, pinned
# curves, the list while letters are looked for.
. "$(dirname "$0")/golden.bash"
steady() { without_times "$1"; }

{
	echo 'size 80x24'
	echo "wait sweep $patience"
	echo 'action pin'
	echo 'action param-more variant'
	echo "wait sweep $patience"
	echo 'action pin'
	echo 'action param-more laps'
	echo "wait sweep $patience"
	echo 'action cursor-right 13'
	dumps pinned
	echo 'action unpin'
	echo 'action unpin'
	echo 'expect latency'
	echo 'action undo'
	echo 'expect earlier curve restored'
	echo 'action undo'
	echo 'expect earlier curve restored'
	echo 'action breakdown'
	echo "wait sweep $patience"
	dumps causes
	echo 'action log-y'
	dumps shares
	echo 'action log-y'
	echo 'action breakdown'
	echo 'action window-in'
	echo 'action window-in'
	dumps window
	echo 'action window-all'
	echo 'action log-x'
	dumps linear
	echo 'action log-x'
	echo 'action prev-pane'
	echo 'key /'
	echo 'type lat'
	dumps find
} >"$tmp/script"
play
same pinned causes shares window linear find

# What cannot say where its cycles go says why, in a line.
try 'a recording without profiles says so' 'size 120x36\nwait sweep\naction breakdown\nexpect this recording has no profiles\n' \
	--device replay:share/sessions/range-latency-mi25.wbs
# A larger cache: knee and ruler go there together.
try 'another L1 moves its ruler and the knee' "size 120x36\nwait sweep $patience\nexpect L1 64 KiB\nexpect knee 64 KiB\n" --device soft:mi25,l1_bytes=65536
# The preset for a class: twelve points, shown one by one however fast they are measured.
class='action preset class\naction run\nwait 2500\nexpect of 12 points\n'
try 'a class sees the points come' "size 120x36\nwait sweep $patience\n${class}wait sweep $patience\nexpect 12/12 points\n"
finish
