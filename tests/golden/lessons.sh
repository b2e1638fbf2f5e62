#!/usr/bin/env bash
# The lesson view compared with golden screens: the course, a prediction while it is drawn, the curve over it, the
# answer to an exercise, the votes of a class before and after. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"

{
	echo "wait sweep $patience"
	echo 'action lessons'
	dumps course
	echo 'action lessons launch'
	echo 'key b'
	dumps predict
	printf 'key Tab\nkey -\nkey -\nkey -\nkey -\nkey -\nkey -\naction lesson-down 8\nkey Space\n'
	printf 'action lesson-right 8\nkey Space\naction lesson-right 2\naction lesson-up 10\nkey Space\n'
	dumps draw
	echo 'key Enter'
	echo "wait background $patience"
	echo 'action lesson-point 3'
	dumps curve
	printf 'key Right\nkey Right\nkey Right\nkey Down\nkey Enter\n'
	dumps exercise
	printf 'action lessons caches\nkey C\nkey a\nkey b\nkey b\nkey b\nkey u\nkey c\n'
	for _ in 1 2 3 4 5 6 7 8 9 10; do echo 'key b'; done
	dumps vote
	echo 'key Enter'
	echo "wait background $patience"
	dumps room
} >"$tmp/script"
play
same_screens course predict draw curve exercise vote room
finish
