#!/usr/bin/env bash
# The first quarter of an hour of a newcomer, with keys: tour, first sweep, pin, ratio, table, heat map, roofline, export,
# quit with the curves saved. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config LC_ALL=C.UTF-8
mkdir "$tmp/home"

cat >"$tmp/script" <<END
size 120x36
wait device
action tour
expect 1 of 6
key Enter
expect 2 of 6
key Esc
wait sweep $patience
expect 19/19 points verified
key /
type lds-bank
key Enter
wait sweep $patience
expect 64/64 points verified
key p
expect pinned
key Tab
action param outer=200
wait sweep $patience
key r
expect pinned / current
key r
key r
action export compared.svg
key T
expect as measured
key s
expect by stride
key Esc
key H
expect Space measures all combinations
action heatmap-range 100,200
key n
key n
key n
expect at most 8 values
key Space
wait background $patience
expect 7 x 2 points
key Ctrl-E
expect lds-bank-conflict-soft-mi25-heatmap.svg
key Enter
expect written to
key Esc
key F
wait background $patience
expect 1 point
key Esc
action export report.html
expect written to
key q
expect not saved
type s
END
(cd "$tmp/home" && timeout $((4 * patience)) "$wavedeck" --device soft:mi25 --script "$tmp/script") >"$tmp/out" 2>&1
result $? 'a newcomer finds everything by its keys' "$tmp/out"
grep -q 'class="heatmap"' "$tmp/home/lds-bank-conflict-soft-mi25-heatmap.svg" && grep -q '<svg' "$tmp/home/report.html"
result $? 'the exports are where the program says'
grep -q 'outer 1000 trips' "$tmp/home/compared.svg"
result $? 'the picture has the pinned curve'
saved=0
for session in "$tmp"/data/wavedeck/sessions/*.wbs; do
	"$wavedeck" open "$session" --format table >/dev/null 2>"$tmp/out" && saved=$((saved + 1))
done
[ $saved -eq 4 ]
result $? "all curves and the heat map are saved: $saved of 4" "$tmp/out"
finish
