#!/usr/bin/env bash
# Every page of the course: its steps are executed, and the numbers in its text are compared with the results. TAP.
set -u
wavedeck=${BUILD:-build}/wavedeck
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$tmp/cache LC_ALL=C
n=0 failures=0

"$wavedeck" lesson | awk '{ print $1, $2 }' >"$tmp/pages"
while read -r page steps; do
	n=$((n + 1))
	if timeout 1800 "$wavedeck" lesson --check "$page" >"$tmp/out" 2>"$tmp/err" </dev/null && [ ! -s "$tmp/err" ] &&
		[ "$(grep -c '^  true' "$tmp/out")" -ge "$steps" ]; then
		echo "ok $n - $page: $(tail -n 1 "$tmp/out")"
	else
		failures=$((failures + 1))
		echo "not ok $n - $page: $(tail -n 1 "$tmp/out")"
		grep -hv '^  true' "$tmp/out" "$tmp/err" | head -20 | sed 's/^/# /'
	fi
done <"$tmp/pages"
[ $n -ge 22 ] || { failures=$((failures + 1)); echo "not ok - only $n pages, expected at least 22"; }
echo "1..$n"
[ $failures -eq 0 ]
