#!/usr/bin/env bash
# The plot of the main view as text, in Unicode and in ASCII, against what it was: where the cycles go, in cycles and in shares, a part of the x axis, a linear x axis, pinned
# curves, the list while letters are looked for. UPDATE=1 writes the golden files anew: look at the difference before you keep it.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build} n=0 status=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
golden=tests/golden
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$tmp
patience=60
[ "${MODE:-}" = asan ] && patience=250 # seconds for a sweep
sizes='80x24 120x36 200x60'

# How long the next sweep takes depends on the host: the words are left out of what is compared, with the rest of the frame's edge.
steady() { sed -i -E 's/( points?), (~[0-9]+ (s|min|h)|less than 1 s|time unknown) [^┛┘+]*/\1, (time) /' "$1"; }
dumps() { # view
	for size in $sizes; do
		printf 'size %s\nglyphs unicode\ndump %s\nglyphs ascii\ndump %s\n' $size "$tmp/plot-$1-$size-unicode.txt" "$tmp/plot-$1-$size-ascii.txt"
	done
}
report() { # status what file
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2"
		sed 's/^/# /' "$3" | head -n 40
		status=1
	fi
}
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
	echo 'expect its curve was still known'
	echo 'action undo'
	echo 'expect its curve was still known'
	echo 'action causes'
	echo "wait sweep $patience"
	dumps causes
	echo 'action log-y'
	dumps shares
	echo 'action log-y'
	echo 'action causes'
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
"$BUILD/wavedeck" --script "$tmp/script" >"$tmp/out" 2>&1 </dev/null
result=$?
[ $result -eq 0 ] && [ ! -s "$tmp/out" ]
report $? "the script runs (status $result)" "$tmp/out"
for view in pinned causes shares window linear find; do
	for size in $sizes; do
		for glyphs in unicode ascii; do
			name=plot-$view-$size-$glyphs.txt
			steady "$tmp/$name"
			[ -n "${UPDATE:-}" ] && cp "$tmp/$name" "$golden/$name"
			diff -u "$golden/$name" "$tmp/$name" >"$tmp/diff" 2>&1
			report $? "$view at $size, $glyphs" "$tmp/diff"
		done
	done
done

# What cannot say where its cycles go says why, in a line.
printf 'size 120x36\nwait sweep\naction causes\nexpect this recording holds no profiles\n' |
	"$BUILD/wavedeck" --device replay:share/sessions/range-latency-mi25.wbs --script - >"$tmp/out" 2>&1
report $? 'a recording without profiles says so' "$tmp/out"
# A larger cache: knee and ruler go there together.
printf 'size 120x36\nwait sweep %d\nexpect L1 64 KiB\nexpect knee 64 KiB\n' $patience | "$BUILD/wavedeck" --device soft:mi25,l1_bytes=65536 --script - >"$tmp/out" 2>&1
report $? 'another L1 moves its ruler and the knee' "$tmp/out"
# The preset for a class: twelve points, shown one by one however fast they are measured.
printf 'size 120x36\nwait sweep %d\naction preset class\naction run\nwait 2500\nexpect of 12 points\nwait sweep %d\nexpect 12/12 points\n' $patience $patience |
	"$BUILD/wavedeck" --script - >"$tmp/out" 2>&1
report $? 'a class sees the points come' "$tmp/out"
echo "1..$n"
exit $status
