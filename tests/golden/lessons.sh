#!/usr/bin/env bash
# The lesson view as text at three sizes, in Unicode and in ASCII: the course, a prediction being drawn, the curve over it, an exercise's answer, the class's
# votes before and after.
. "$(dirname "$0")/golden.bash"

states="course predict draw curve exercise vote room"
{
	echo "wait sweep $patience"
	echo 'action lessons'
	dumps course
	echo 'action lessons launch'
	echo 'key b'
	dumps predict
	printf 'key Tab\nkey -\nkey -\nkey -\nkey -\nkey -\nkey -\naction lesson-down 8\nkey Space\naction lesson-right 8\nkey Space\naction lesson-right 2\naction lesson-up 10\nkey Space\n'
	dumps draw
	echo 'key Enter'
	echo "wait background $patience"
	echo 'action lesson-point 3'
	dumps curve
	printf 'key Right\nkey Right\nkey Right\nkey Down\nkey Enter\n'
	dumps exercise
	printf 'action lessons caches\nkey C\nkey a\nkey b\nkey b\nkey b\nkey u\nkey c\n'
	for i in 1 2 3 4 5 6 7 8 9 10; do echo 'key b'; done
	dumps vote
	echo 'key Enter'
	echo "wait background $patience"
	dumps room
} >"$tmp/script"
play
same $states
finish
