#!/usr/bin/env bash
# The lesson view as text at three sizes, in Unicode and in ASCII: the course, a prediction being drawn, the curve over it, an exercise's answer, the room's
# votes before and after. UPDATE=1 writes the golden files anew: look at the difference before you keep it.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build} n=0 status=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
golden=tests/golden
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$tmp/data
patience=60
[ "${MODE:-}" = asan ] && patience=250
states="course predict draw curve exercise vote room"
dumps() {
	for size in 80x24 120x36 200x60; do
		printf 'size %s\nglyphs unicode\ndump %s\nglyphs ascii\ndump %s\n' $size "$tmp/lessons-$1-$size-unicode.txt" "$tmp/lessons-$1-$size-ascii.txt"
	done
}
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
	echo "wait beside $patience"
	echo 'action lesson-point 3'
	dumps curve
	printf 'key Right\nkey Right\nkey Right\nkey Down\nkey Enter\n'
	dumps exercise
	printf 'action lessons caches\nkey C\nkey a\nkey b\nkey b\nkey b\nkey u\nkey c\n'
	for i in 1 2 3 4 5 6 7 8 9 10; do echo 'key b'; done
	dumps vote
	echo 'key Enter'
	echo "wait beside $patience"
	dumps room
} >"$tmp/script"
"$BUILD/wavedeck" --script "$tmp/script" >"$tmp/out" 2>&1 </dev/null
result=$?
n=$((n + 1))
if [ $result -eq 0 ] && [ ! -s "$tmp/out" ]; then echo "ok $n - the script runs"; else
	echo "not ok $n - the script runs (status $result)"
	sed 's/^/# /' "$tmp/out"
	status=1
fi
for state in $states; do
	for size in 80x24 120x36 200x60; do
		for glyphs in unicode ascii; do
			name=lessons-$state-$size-$glyphs.txt
			n=$((n + 1))
			[ -n "${UPDATE:-}" ] && cp "$tmp/$name" "$golden/$name"
			if diff -u "$golden/$name" "$tmp/$name" >"$tmp/diff" 2>&1; then echo "ok $n - $state at $size, $glyphs"; else
				echo "not ok $n - $state at $size, $glyphs"
				sed 's/^/# /' "$tmp/diff" | head -n 40
				status=1
			fi
		done
	done
done
echo "1..$n"
exit $status
