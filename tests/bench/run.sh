#!/usr/bin/env bash
# The speed figures: the software GPU's executor, the screen, and the whole way from the command line to a row.
set -u
here=$(cd "$(dirname "$0")" && pwd)
wavedeck=$BUILD/wavedeck
echo "software GPU, timing mode, one core, CPU time, best of three"
"$here/softgpu-speed"
for program in "$BUILD"/tests/bench/*; do
	[ -f "$program" ] && [ -x "$program" ] || continue
	echo
	"$program"
done
echo
echo "whole commands, wall clock"
wall() { # label, arguments
	local label=$1 start
	shift
	start=$(date +%s.%N)
	"$wavedeck" "$@" >/dev/null 2>&1 || label="$label (failed)"
	awk -v a="$start" -v b="$(date +%s.%N)" -v l="$label" 'BEGIN { printf "%-44s %8.2f s\n", l, b - a }'
}
wall 'list' list
wall 'run lds-latency lanes=1, worker start included' run lds-latency lanes=1
wall 'run range-latency, default sweep' run range-latency
wall 'run channel-conflict, default sweep' run channel-conflict
