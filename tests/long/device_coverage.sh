#!/usr/bin/env bash
# 200 measurements of a point of each of three experiments, on a GPU or on a software GPU with noise: the 95 % interval of the
# median holds the true median in 92 to 98 % of them. True is the median of the samples of all other measurements of that
# point: they are of the same minutes. Measurements whose clock moved do not count. TAP.
#   DEVICE=hip:0   the device; default: a software GPU with noise
#   KEEP=FOLDER    keeps the sessions there
#   device_coverage.sh ['EXPERIMENT NAME=VALUE...']...   other points; the first value is the one that is repeated
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
export XDG_DATA_HOME=$tmp/data LC_ALL=C
DEVICE=${DEVICE:-soft:mi25,noise=white:0.006+seed:2} KEEP=${KEEP:-$tmp}
REPEATS=200
case $DEVICE in
soft:*) points=("range-latency rangesize=4KiB reads=1024" "dispatch-1d block=256 total_threads=2^16 waves=0" "fma-blocks blocks=4 fma_per_thread=1000 threads=256") ;;
*) points=("range-latency rangesize=4MiB reads=65536" "fma-blocks blocks=264 fma_per_thread=50000" "stream-bandwidth n=2^24 block=256 items_per_thread=4") ;;
esac
[ $# -eq 0 ] || points=("$@")

measure_often() { # session, experiment, NAME=VALUE...
	local values
	values=$(printf "${3#*=}%.0s," $(seq $REPEATS))
	"$BUILD/wavedeck" run "$2" "${3%%=*}=${values%,}" "${@:4}" --no-verify --device "$DEVICE" --record "$1" >"$tmp/say" 2>&1
}
# Measurements that count, those that hold; percent of the median: half an interval, twice the standard deviation of the
# medians; outliers, of how many samples.
count() { # session
	python3 - "$1" <<'PYTHON'
import bisect, json, statistics, sys
points = [o for o in map(json.loads, open(sys.argv[1])) if o["type"] == "point" and not o["clocks_moved"]]
every = sorted(s for p in points for s in p["seconds"])
def median_without(own):
    others = every.copy()
    for s in own:
        del others[bisect.bisect_left(others, s)]
    return statistics.median(others)
held = 0
for p in points:
    low, high = p["median_interval"]
    held += low <= median_without(p["seconds"]) <= high
middle = statistics.median(every)
half = statistics.median((p["median_interval"][1] - p["median_interval"][0]) / 2 for p in points)
spread = 2 * statistics.stdev(statistics.median(p["seconds"]) for p in points)
print(len(points), held, f"{half / middle * 100:.3f} {spread / middle * 100:.3f}", sum(p["outliers"] for p in points), len(every))
PYTHON
}

all=0 held=0
for i in "${!points[@]}"; do
	read -ra words <<<"${points[i]}"
	session=$KEEP/coverage$i.wbs
	counted=0 holds=0 half='' spread='' outliers='' samples=''
	measure_often "$session" "${words[@]}" && count "$session" >"$tmp/counts" &&
		read -r counted holds half spread outliers samples <"$tmp/counts" && [ "$counted" -ge $((REPEATS / 2)) ]
	result $? "$DEVICE, ${points[i]}: $counted of $REPEATS measurements without a clock that moved" "$tmp/say"
	echo "# $holds hold the median of the others; half an interval $half %, twice the deviation of the medians $spread %; $outliers of $samples samples are outliers"
	all=$((all + counted)) held=$((held + holds))
done
[ $all -gt 0 ] && [ $((held * 100)) -ge $((all * 92)) ] && [ $((held * 100)) -le $((all * 98)) ]
result $? "the interval holds the median of the others in $held of all $all measurements"
finish
