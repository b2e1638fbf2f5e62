#!/usr/bin/env bash
# The default sweep of every experiment of the catalog on the software GPU: no point may fail. Prints the CPU time of
# each sweep and of its first point, and lists those that make a user wait too long; these do not fail the test. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data LC_ALL=C
SWEEP_SECONDS=10 FIRST_SECONDS=1
details() { head -n 3 "$1"; }

cpu_seconds() { # arguments of run, whose output goes to $tmp/json
	local TIMEFORMAT='%U %S'
	{
		time timeout 1800 "$wavedeck" run "$@" --device soft:mi25 --format json \
			>"$tmp/json" 2>"$tmp/err" </dev/null
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
	[ "$status" -eq 0 ] && [ "$points" -gt 0 ] && [ "$bad" -eq 0 ] && [ "$wrong" -eq 0 ]
	result $? "$id: $points points, $sweep s, the first $first s" "$tmp/why"
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
finish
