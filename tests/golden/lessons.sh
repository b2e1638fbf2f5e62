#!/usr/bin/env bash
# The lesson view compared with golden screens: the course, the introduction and a question of a lesson, a prediction
# while it is drawn, the curve over it with the answer, the solution of an exercise, the votes of a class before and
# after; two rounds with a discussion, the reasons, and on what an answer rests. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
export HOME=$tmp # the path of the votes' file is then as long everywhere
# The name of that file is the time.
steady() { sed -E 's/(classes\/)[0-9]{4}-[0-9]{2}-[0-9]{2}_[0-9]{6}/\12026-03-07_141502/' "$1"; } # file

{
	echo "wait sweep $patience"
	echo 'action lessons'
	dumps course
	echo 'action lessons launch'
	dumps introduction
	printf 'key Right\nkey b\n'
	dumps question
	printf 'key Tab\naction lesson-page-down 3\naction lesson-right 8\nkey Down\naction lesson-right 2\n'
	printf 'action lesson-page-up 3\n'
	dumps draw
	echo 'key Enter'
	echo "wait background $patience"
	echo 'action lesson-point 3'
	dumps answer
	echo 'key s'
	dumps source
	echo 'key s'
	printf 'key Right\nkey x\nwait background %s\nkey Right\nkey x\nwait background %s\n' "$patience" "$patience"
	printf 'key Right\nkey Right\nkey Down\nkey Enter\n'
	dumps exercise
	printf 'action lessons caches\nkey C\nkey a\nkey b\nkey b\nkey b\nkey u\nkey c\n'
	for _ in 1 2 3 4 5 6 7 8 9 10; do echo 'key b'; done
	dumps vote
	echo 'key Enter'
	echo "wait background $patience"
	dumps result
	printf 'action lessons caches\n'
	for key in a a b Space; do echo "key $key"; done
	dumps discussion
	for key in t b c c s; do echo "key $key"; done
	dumps second
	printf 'key Enter\nwait background %s\n' "$patience"
	dumps rounds
	echo 'key s'
	dumps reasons
	echo 'key s'
	dumps class-source
	printf 'action lessons launch\nkey a\nkey Space\nkey t\nkey b\nkey c\nkey d\nkey Enter\nwait background %s\n' "$patience"
	dumps four
} >"$tmp/script"
play
same_screens course introduction question draw answer exercise vote result discussion second rounds reasons source class-source four
finish
