#!/usr/bin/env bash
# What a newcomer sees, compared with golden screens: the panels of the tour, the legends of the help page, the glossary.
# TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"

steady() { without_times "$1"; }
{
	echo 'size 80x24'
	echo "wait sweep $patience"
	echo 'action tour'
	for panel in 1 2 3 4 5 6; do
		dumps "tour$panel"
		echo 'key Enter'
	done
	echo 'expect Tab pane'
	echo 'action param-more variant'
	echo "wait sweep $patience"
	echo 'action pin'
	echo 'action help'
	dumps legend
	echo 'action back'
	echo 'action glossary wave'
	dumps glossary
} >"$tmp/script"
play
same_screens tour1 tour2 tour3 tour4 tour5 tour6 legend glossary

start='size 120x36\nglyphs ascii\n'
try 'Left goes back in the tour, Esc ends it' \
	"${start}action tour\nkey Right\nexpect 2 of 6\nkey Left\nexpect 1 of 6\nkey Esc\nexpect Parameters\nexpect Tab pane\n"
try 'another key ends the tour and keeps its meaning' "${start}action tour\nkey ?\nexpect On the screen now\n"
try 'the tour goes to the workbench' "${start}action devices\naction tour\nexpect Experiments\nexpect 1 of 6\n"
try 'the tour is drawn on the smallest screens' \
	'size 20x6\nglyphs ascii\naction tour\nexpect Welcome\nsize 8x3\nexpect\nsize 1x1\nexpect\n'
try 'the glossary suggests a term' "${start}action glossary wawe\nexpect did you mean 'wave'\n"
try 'the glossary is searched' "${start}action glossary\nkey /\ntype scoreboard\nkey Enter\nexpect s_waitcnt\nexpect /scoreboard\nkey Esc\nexpect CU\n"
try 'the palette completes a term' "${start}key :\ntype glossary occ\nexpect glossary occupancy\nkey Enter\nexpect resident waves\n"
try 'the help page is searched' "${start}action help\nkey /\ntype pin or unpin\nkey Enter\nexpect 1..1 of 1\n"
# Each view has a legend that fits it: the words of the right column are in no other legend.
legends="${start}wait sweep $patience\n"
shows_legend() { # action, text
	legends="${legends}action $1\nwait idle\nwait background $patience\naction help\nexpect On the screen now\nexpect $2\naction back\n"
}
shows_legend workbench 'the lines below the plot describe this point'
shows_legend 'glossary lane' 'the terms that were asked for'
shows_legend log 'the time of the message'
shows_legend code 'the next trip waits for it'
shows_legend inspector 'a row for each wave slot'
shows_legend lessons 'no question of the lesson is answered yet'
shows_legend lesson-enter 'a word that is defined here'
shows_legend lesson-right 'your choice; Enter locks it in'
shows_legend devices 'the device that the workbench measures on'
shows_legend sessions 'marked sessions, which c compares'
shows_legend table 'the smallest sample, the quartiles'
shows_legend heatmap 'the two parameters, and how many values'
shows_legend checks 'whose report is below'
shows_legend what-if 'what its ideal part does'
shows_legend roofline 'the roof: the memory'
shows_legend workers 'since the point was sent to the worker'
shows_legend program 'which is captured'
[ "$(echo "$legends" | grep -o 'On the screen now' | wc -l)" -gt "$(grep -c '^VIEW' tui/views/views.def)" ]
result $? 'there are at least as many legends as views'
try 'each view has its legend' "$legends"

# The first start on a terminal shows the tour, the second does not; a script never does.
mkdir -p "$tmp/first"
for start in 1 2; do
	printf 'q' | XDG_DATA_HOME=$tmp/first TERM=xterm script -qec "$BUILD/wavedeck --device soft:mi25" /dev/null \
		>"$tmp/start$start" 2>&1
done
grep -q 'Welcome' "$tmp/start1" && ! grep -q 'Welcome' "$tmp/start2"
result $? 'the first start on a terminal shows the tour, once' "$tmp/start1"
finish
