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

# The device's own thread against the whole process: what waiting costs the host.
echo
echo "CPU time of a process over that of its simulation, from the first packet on (1.0: waiting is free)"
ratio() { # label, command
	local label=$1
	shift
	SOFTGPU_STATISTICS=1 "$@" 2>&1 >/dev/null | awk -v l="$label" '/CPU for the device/ { gsub(/[(]/, ""); print_it = $0; r = $(NF - 1) }
		END { printf "%-44s %8s\n", l, r == "" ? "failed" : r }'
}
# The worker ends without a word; what it has used is read while it works.
worker_ratio() { # label, arguments
	local label=$1 used= now
	shift
	"$wavedeck" "$@" >/dev/null 2>&1 &
	local client=$!
	while kill -0 $client 2>/dev/null; do
		now=$(for pid in $(pgrep -P $client); do cat /proc/$pid/task/*/stat; done 2>/dev/null |
			awk '{ t = $14 + $15; all += t } $2 == "(softgpu)" { device += t } END { if (device > 50) printf "%.2f", all / device }')
		used=${now:-$used}
		sleep 0.1
	done
	wait $client
	printf '%-44s %8s\n' "$label" "${used:-too short}"
}
worker_ratio 'worker: run range-latency, default sweep' run range-latency
worker_ratio 'worker: run channel-conflict, default sweep' run channel-conflict
program=$BUILD/tests/driver/runtime-hip # tests/driver/runtime.sh builds it
[ -x "$program" ] || exit 0
export ROUNDS=100000
for wait in synchronize event copy queries; do
	for setting in A= HSA_ENABLE_INTERRUPT=0 AMD_DIRECT_DISPATCH=0; do
		ratio "HIP program, wait in $wait, ${setting#A=}" env $setting "$wavedeck" exec -- "$program" wait-$wait
	done
done
