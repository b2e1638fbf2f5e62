#!/usr/bin/env bash
# The plot of the workbench compared with golden screens: the cycle breakdown in cycles and in percent, a part of the x
# axis, a linear x axis, pinned curves, their ratio and difference, a pinned curve that is identical, the list with a
# filter, pinned curves as levels over the breakdown, bars of categories, few points. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
recording=replay:share/sessions/range-latency-mi25.wbs
steady() { without_times "$1"; }

{
	echo 'size 80x24'
	sweep_range 16MiB
	echo 'action pin'
	echo 'action param-more variant'
	echo "wait sweep $patience"
	echo 'action pin'
	echo 'action param-more laps'
	echo "wait sweep $patience"
	echo 'action cursor-right 13'
	dumps pinned
	echo 'action ratio'
	dumps ratio
	echo 'action ratio'
	dumps difference
	echo 'action ratio'
	echo 'action pin'
	dumps identical
	echo 'action undo'
	echo 'expect undone; 2 pinned curves'
	echo 'action undo'
	echo 'expect earlier curve restored'
	echo 'action undo'
	echo 'expect undone; 1 pinned curve'
	echo 'action undo'
	echo 'expect earlier curve restored'
	echo 'action unpin'
	echo 'action breakdown'
	echo "wait sweep $patience"
	dumps breakdown
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
	echo 'key Esc'
	echo 'action pin'
	echo 'action breakdown'
	echo "wait sweep $patience"
	echo 'action param variant=compiled'
	echo "wait sweep $patience"
	dumps levels
	echo 'action breakdown'
	echo 'action next-pane'
	echo 'action experiment divergence'
	echo "wait sweep $patience"
	echo 'action pin'
	echo 'action param diverging_lanes=16'
	echo "wait sweep $patience"
	dumps categories
	echo 'action experiment range-latency'
	printf 'action param-enter rangesize\nkey Ctrl-U\ntype 16KiB,1MiB,16MiB\nkey Enter\nwait sweep %s\n' "$patience"
	dumps few
} >"$tmp/script"
play
same_screens pinned ratio difference identical breakdown shares window linear find levels categories few

# Without a cycle breakdown one line explains why.
try 'a recording without profiles is reported' \
	'size 120x36\nwait sweep\naction breakdown\nexpect this recording has no profiles\n' \
	--device "$recording"
# A larger cache moves both the knee and the marker of the cache size.
try 'a larger L1 moves its marker and the knee' \
	"size 120x36\n$(sweep_range 1MiB)\nexpect L1 64 KiB\nexpect knee 64 KiB\n" --device soft:mi25,l1_bytes=65536
# The preset for a class shows twelve points one by one, even if they were measured faster.
class='action preset class\naction run\nwait 2500\nexpect of 12 points\n'
try 'the class preset shows the points one by one' \
	"size 120x36\n${class}wait sweep $patience\nexpect 12/12 points\n"
finish
