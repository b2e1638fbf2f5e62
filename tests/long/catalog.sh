#!/usr/bin/env bash
# The default sweep of every experiment of the catalog on the software GPU: no point may fail. Prints the CPU time of
# each sweep and of its first point, and lists those that make a user wait too long; these do not fail the test. TAP.
set -u
wavedeck=${BUILD:-build}/wavedeck
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$tmp/cache LC_ALL=C
SWEEP_SECONDS=10 FIRST_SECONDS=1
n=0 failures=0

cpu_seconds() { # arguments of run; its output goes to $tmp/json
	local TIMEFORMAT='%U %S'
	{
		time timeout 1800 "$wavedeck" run "$@" --device soft:mi25 --format json >"$tmp/json" 2>"$tmp/err" </dev/null
		echo "$?" >"$tmp/status"
	} 2>&1 |
		awk '{ printf "%.2f\n", $1 + $2 }'
}
# NAME=VALUE for each swept parameter at the first point, one per line.
first_point() {
	grep '"header"' "$tmp/json" | grep -o '{"param":"[^"]*","values":\[[^],]*' |
		sed 's/{"param":"\([^"]*\)","values":\[\(.*\)/\1=\2/; s/="\(.*\)"$/=\1/'
}

# Without experiments that need a device other than gfx900.
"$wavedeck" list --json | tr '{' '\n' | sed -n 's/^"id":"\([^"]*\)".*"needs":"\(\|[^"]*gfx9.*\)"}.*/\1/p' >"$tmp/ids"
dispatch=$(cpu_seconds dispatch-peak @small)
echo "# starting and ending a run takes about $dispatch s, included in all times"
while read -r id; do
	sweep=$(cpu_seconds "$id")
	status=$(cat "$tmp/status")
	points=$(grep -c '^{"type":"point"' "$tmp/json")
	bad=$(grep '^{"type":"point"' "$tmp/json" | grep -cv '"status":"ok"')
	wrong=$(grep -c '"verify":"failed"\|"contract":"broken"' "$tmp/json")
	mapfile -t words < <(first_point)
	cp "$tmp/err" "$tmp/why"
	first=$(cpu_seconds "$id" "${words[@]}")
	n=$((n + 1))
	if [ "$status" -eq 0 ] && [ "$points" -gt 0 ] && [ "$bad" -eq 0 ] && [ "$wrong" -eq 0 ]; then
		word=ok
	else
		word='not ok' failures=$((failures + 1))
	fi
	printf '%s %d - %s: %d points, %s s, the first %s s\n' "$word" $n "$id" "$points" "$sweep" "$first"
	[ "$word" = ok ] || head -3 "$tmp/why" | sed 's/^/# /'
	awk -v id="$id" -v sweep="$sweep" -v first="$first" -v start="$dispatch" \
		-v ls=$SWEEP_SECONDS -v lf=$FIRST_SECONDS 'BEGIN {
		if (sweep - start > ls) print "sweep", id, sweep
		if (first - start > lf) print "first", id, first }' >>"$tmp/slow"
done <"$tmp/ids"
slow() { # sweep or first
	awk -v kind="$1" '$1 == kind { printf "%s (%s s) ", $2, $3; n++ } END { if (!n) print "none" }' "$tmp/slow"
}
echo "# default sweeps over $SWEEP_SECONDS s of CPU time: $(slow sweep)"
echo "# first points over $FIRST_SECONDS s of CPU time: $(slow first)"
echo "1..$n"
[ $failures -eq 0 ]
