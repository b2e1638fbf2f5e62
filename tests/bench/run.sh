#!/usr/bin/env bash
# Speed figures: the software GPU's executor, the screen, and whole commands; compared with the last release
# (release.tsv) and with their targets.
#   RECORD=1    save this run's figures in release.tsv for this version (RECORD=VERSION: for that version)
# A figure is a line with tab-separated fields: name, value, unit, "higher" or "lower" (which is better), target or -.
set -u
here=$(cd "$(dirname "$0")" && pwd)
wavedeck=$BUILD/wavedeck
release=$here/release.tsv
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT

figure() { # name, value, unit, better, target
	printf '%s\t%s\t%s\t%s\t%s\n' "$@" | tee -a "$figures" | table
}

# Prints figures from standard input as table rows.
table() {
	awk -F '\t' -v release="$release" -v last="$last" '
		BEGIN {
			while ((getline line < release) > 0)
				if (split(line, f, "\t") >= 4 && f[1] == last)
					old[f[2]] = f[3]
		}
		{
			ratio = ($1 in old) && old[$1] > 0 ? sprintf("%.2f", $2 / old[$1]) : "-"
			met = $5 == "-" ? "" : ($4 == "higher" ? $2 + 0 >= $5 + 0 : $2 + 0 <= $5 + 0) ? "" : "  missed"
			before = ($1 in old) ? sprintf("%.2f", old[$1]) : "-"
			printf "%-52s %9.2f %9s %6s %8s  %s%s\n", $1, $2, before, ratio, $5, $3, met
			fflush()
		}'
}

wall() { # name, arguments
	local name=$1 start
	shift
	start=$(date +%s.%N)
	if "$wavedeck" "$@" >/dev/null 2>&1; then
		figure "$name" "$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')" s lower -
	else
		echo "$name: failed"
	fi
}

record() { # version
	local kept
	kept=$(awk -F '\t' -v v="$1" '$1 != v' "$release" 2>/dev/null)
	{
		[ -n "$kept" ] && printf '%s\n' "$kept"
		awk -F '\t' -v OFS='\t' -v v="$1" '{ print v, $1, $2, $3, $5 }' "$figures"
	} >"$release.new" && mv "$release.new" "$release"
	echo "saved in $release as version $1"
}

last=$(awk -F '\t' '!/^#/ && NF >= 4 { v = $1 } END { print v }' "$release" 2>/dev/null)
printf '%-52s %9s %9s %6s %8s\n' figure now "${last:-none}" ratio target
echo "software GPU, one core, CPU time, best of three"
while IFS=$'\t' read -r name value unit better target; do
	figure "$name" "$value" "$unit" "$better" "$target"
done < <("$here/softgpu-speed")
echo "software GPU, several threads of one launch; as many processes; ratios to one thread"
while IFS=$'\t' read -r name value unit better target; do
	figure "$name" "$value" "$unit" "$better" "$target"
done < <("$here/softgpu-threads")
echo "the screen"
# A fake worker that streams points, to time the response to a key during a sweep; and no user configuration.
${CC:-cc} -std=gnu11 -O2 -o "$BUILD/tests/bench/worker_double" "$here/../e2e/worker_double.c" -ljansson -lm &&
	export BENCH_WORKER=$BUILD/tests/bench/worker_double
export XDG_CONFIG_HOME=/proc/none XDG_DATA_HOME=/proc/none
for program in "$BUILD"/tests/bench/bench_*; do
	[ -f "$program" ] && [ -x "$program" ] || continue
	while IFS=$'\t' read -r name value unit better target; do
		figure "$name" "$value" "$unit" "$better" "$target"
	done < <("$program")
done
echo "whole commands, wall clock"
wall 'list' list
wall 'run lds-latency lanes=1, worker start included' run lds-latency lanes=1
wall 'run range-latency, default sweep' run range-latency
wall 'run channel-conflict, default sweep' run channel-conflict
wall 'run dispatch-1d, published size' run dispatch-1d total_threads=2^30 waves=0
wall 'run fma-blocks, published size, 64 blocks' run fma-blocks blocks=64 fma_per_thread=1000000

# CPU time of a command and its workers, in seconds; nothing if it fails.
cpu_time() { # arguments
	local TIMEFORMAT='%U %S' used
	used=$({ time "$wavedeck" "$@" >/dev/null 2>&1 || echo failed; } 2>&1)
	case $used in
	*failed*) ;;
	*) awk '{ print $1 + $2 }' <<<"$used" ;;
	esac
}

echo "CPU time, worker included"
one=$(cpu_time run nchw-index n=1 hw=7 c=1 --workers 1)
thousand=$(cpu_time run nchw-index n=1 hw=7 c=1..1000:+1 --workers 1)
[ -n "$one" ] && [ -n "$thousand" ] &&
	figure 'a point of a small kernel' "$(awk -v a="$one" -v b="$thousand" 'BEGIN { print b - a }')" ms lower 1.5
long=$(mktemp)
"$here/session.sh" 100000 3 >"$long"
opened=$(cpu_time open "$long")
[ -n "$opened" ] && figure 'open a session of 100,000 points' "$opened" s lower 10
rm -f "$long"

# CPU time of the whole process divided by that of the device thread, since the first packet: the cost of waiting.
# 1.0: waiting is free.
echo "CPU time of a process divided by that of its simulation"
process_ratio() { # name, command
	local name=$1 value
	shift
	value=$(SOFTGPU_STATISTICS=1 "$@" 2>&1 >/dev/null |
		awk '/CPU time for the device/ { gsub(/[()]/, ""); r = $NF } END { print r }')
	if [ -n "$value" ]; then figure "$name" "$value" ratio lower 1.3; else echo "$name: failed"; fi
}
# The worker prints no statistics, so its CPU time is read while it runs.
worker_ratio() { # name, arguments
	local name=$1 used='' now
	shift
	"$wavedeck" "$@" >/dev/null 2>&1 &
	local client=$!
	while kill -0 $client 2>/dev/null; do
		now=$(for pid in $(pgrep -P $client); do cat /proc/$pid/task/*/stat; done 2>/dev/null |
			awk '{ t = $14 + $15; all += t } $2 == "(softgpu)" { device += t }
				END { if (device > 50) printf "%.2f", all / device }')
		used=${now:-$used}
		sleep 0.1
	done
	wait $client
	if [ -n "$used" ]; then figure "$name" "$used" ratio lower 1.3; else echo "$name: too short"; fi
}
worker_ratio 'worker, run range-latency' run range-latency
worker_ratio 'worker, run channel-conflict' run channel-conflict
program=$BUILD/tests/driver/runtime-hip # built by tests/softgpu/driver/runtime.sh
if [ -x "$program" ]; then
	for wait in synchronize event copy queries; do
		for setting in '' HSA_ENABLE_INTERRUPT=0 AMD_DIRECT_DISPATCH=0; do
			ROUNDS=100000 process_ratio "HIP program, wait in $wait${setting:+, $setting}" \
				env $setting "$wavedeck" exec -- "$program" wait-$wait
		done
	done
fi
if [ -n "${RECORD:-}" ]; then
	[ "$RECORD" = 1 ] && RECORD=$("$wavedeck" --version | awk '{ print $2 }')
	record "$RECORD"
fi
