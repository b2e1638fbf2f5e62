#!/usr/bin/env bash
# 200 points of three experiments on a software GPU with each kind of noise: the 95 % interval of the median holds the time
# that the device without noise measures in 92 to 98 % of them. With drift, that is the time of the launch halfway
# through the samples; with steps, that at the clock which the point shows. Every point whose clock did not move counts. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
export XDG_DATA_HOME=$tmp/data LC_ALL=C
experiments=(
	"range-latency reads=1024 rangesize=4KiB..53.75KiB:+256"
	"dispatch-1d block=64..263:+1 total_threads=2^16 waves=0"
	"fma-blocks blocks=1,2,3,4 fma_per_thread=1000..1490:+10 threads=256"
)
kinds=(white:0.006 white:0.003+drift:0.0005 white:0.004+steps:0.8:0.15)

measure() { # device, session, arguments
	"$BUILD/wavedeck" run "${@:3}" --device "$1" --record "$2" >"$tmp/say" 2>&1
}
# Points and those that hold, of a session with noise, with the exact one and the drift.
count() {
	python3 - "$@" <<'PYTHON'
import json, sys
def points(file):
    return {o["point"]: o for o in map(json.loads, open(file)) if o["type"] == "point"}
exact, noisy, drift = points(sys.argv[1]), points(sys.argv[2]), float(sys.argv[3])
BEFORE = 4  # the launch that is verified, and three to warm up
held = total = marked = 0
for number, p in noisy.items():
    one = exact[number]
    if p["clocks_moved"]:
        marked += 1
        continue
    truth = one["seconds"][0] * (1 + drift * (BEFORE + (len(p["seconds"]) - 1) / 2))
    if not drift:
        truth *= one["sclk_mhz"] / p["sclk_mhz"]
    low, high = p["median_interval"]
    held += low <= truth <= high
    total += 1
print(len(noisy), total, held, marked)
PYTHON
}

for kind in "${kinds[@]}"; do
	all=0 held=0 shown=
	for i in "${!experiments[@]}"; do
		read -ra words <<<"${experiments[i]}"
		[ -e "$tmp/exact$i.wbs" ] || measure soft:mi25 "$tmp/exact$i.wbs" "${words[@]}"
		measure "soft:mi25,noise=$kind+seed:1" "$tmp/$kind$i.wbs" "${words[@]}"
		drift=0
		case $kind in *drift:*) drift=${kind##*drift:} ;; esac
		read -r points counted holds marked < <(count "$tmp/exact$i.wbs" "$tmp/$kind$i.wbs" "$drift")
		[ "$points" -eq 200 ] && [ "$counted" -ge 100 ]
		result $? "${words[0]} with $kind: 200 points, $marked with a clock that moved"
		all=$((all + counted)) held=$((held + holds))
		shown+=" $holds/$counted"
	done
	[ $((held * 100)) -ge $((all * 92)) ] && [ $((held * 100)) -le $((all * 98)) ]
	result $? "$kind: the interval holds the true median in $held of $all points ($shown )"
done
finish
