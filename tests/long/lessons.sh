#!/usr/bin/env bash
# Every page of the course: its steps are executed, and the numbers in its text are compared with the results. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data LC_ALL=C
details() { grep -hv '^  true' "$tmp/out" "$tmp/err" | head -n 20; }

"$wavedeck" lesson | awk '{ print $1, $2 }' >"$tmp/pages"
while read -r page steps; do
	timeout 1800 "$wavedeck" lesson --check "$page" >"$tmp/out" 2>"$tmp/err" </dev/null && [ ! -s "$tmp/err" ] &&
		[ "$(grep -c '^  true' "$tmp/out")" -ge "$steps" ]
	result $? "$page: $(tail -n 1 "$tmp/out")"
done <"$tmp/pages"
count=$(wc -l <"$tmp/pages")
[ "$count" -ge 25 ]
result $? "the course has $count pages, at least 25"
finish
