#!/usr/bin/env bash
# The default sweep of every experiment of the catalog on the software GPU: no point may fail. Prints the CPU time of each sweep and of its first point,
# and which take longer than a person at the screen should have to wait; that is reported, not judged. TAP.
set -u
wavedeck=${BUILD:-build}/wavedeck
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$tmp/cache LC_ALL=C
SWEEP_SECONDS=10 FIRST_SECONDS=1
n=0 failures=0

cpu() { # words of run; what it prints goes to $tmp/json
	local TIMEFORMAT='%U %S'
	{ time timeout 1800 "$wavedeck" run "$@" --device soft:mi25 --format json >"$tmp/json" 2>"$tmp/err" </dev/null; echo "$?" >"$tmp/status"; } 2>&1 |
		awk '{ printf "%.2f\n", $1 + $2 }'
}
# NAME=VALUE of the first point, one a line, of every swept parameter.
first_point() {
	grep '"header"' "$tmp/json" | grep -o '{"param":"[^"]*","values":\[[^],]*' | sed 's/{"param":"\([^"]*\)","values":\[\(.*\)/\1=\2/; s/="\(.*\)"$/=\1/'
}

# Without those that need another device than this one, a gfx900.
"$wavedeck" list --json | tr '{' '\n' | sed -n 's/^"id":"\([^"]*\)".*"needs":"\(\|[^"]*gfx9.*\)"}.*/\1/p' >"$tmp/ids"
dispatch=$(cpu dispatch-peak @small)
echo "# to start and end costs about $dispatch s, in all figures"
while read -r id; do
	sweep=$(cpu "$id")
	status=$(cat "$tmp/status")
	points=$(grep -c '^{"type":"point"' "$tmp/json")
	bad=$(grep '^{"type":"point"' "$tmp/json" | grep -cv '"status":"ok"')
	wrong=$(grep -c '"verify":"failed"\|"contract":"broken"' "$tmp/json")
	mapfile -t words < <(first_point)
	cp "$tmp/err" "$tmp/why"
	first=$(cpu "$id" "${words[@]}")
	n=$((n + 1))
	[ "$status" -eq 0 ] && [ "$points" -gt 0 ] && [ "$bad" -eq 0 ] && [ "$wrong" -eq 0 ] && word=ok || { word='not ok' failures=$((failures + 1)); }
	printf '%s %d - %s: %d points, %s s, the first %s s\n' "$word" $n "$id" "$points" "$sweep" "$first"
	[ "$word" = ok ] || head -3 "$tmp/why" | sed 's/^/# /'
	awk -v id="$id" -v sweep="$sweep" -v first="$first" -v start="$dispatch" -v ls=$SWEEP_SECONDS -v lf=$FIRST_SECONDS 'BEGIN {
		if (sweep - start > ls) print "sweep", id, sweep
		if (first - start > lf) print "first", id, first }' >>"$tmp/slow"
done <"$tmp/ids"
echo "# default sweeps beyond $SWEEP_SECONDS s of CPU: $(awk '$1 == "sweep" { printf "%s (%s s) ", $2, $3; n++ } END { if (!n) print "none" }' "$tmp/slow")"
echo "# first points beyond $FIRST_SECONDS s of CPU: $(awk '$1 == "first" { printf "%s (%s s) ", $2, $3; n++ } END { if (!n) print "none" }' "$tmp/slow")"
echo "1..$n"
[ $failures -eq 0 ]
