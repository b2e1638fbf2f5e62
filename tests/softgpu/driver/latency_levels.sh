#!/usr/bin/env bash
# The shuffled chase and the chain through LDS: latency of each level of memory on gfx9 and gfx11, results verified, and
# the published latencies of the RX 7900 XTX. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data
details() { head -n 8 "$tmp/log" "$tmp/json" | cut -c1-300; }
run() { # device, arguments
	local device=$1
	shift
	timeout $patience "$wavedeck" run "$@" --device "$device" --format json >"$tmp/json" 2>"$tmp/log" </dev/null
}
# The latencies of verified points, rounded down.
latencies() {
	grep '"status":"ok".*"verify":"ok"' "$tmp/json" | sed 's/.*"metrics":{"latency":\([0-9]*\).*/\1/' | paste -sd ' '
}
while IFS='|' read -r device arguments expected; do
	# shellcheck disable=SC2086
	run "$device" $arguments && [ "$(latencies)" = "$expected" ]
	result $? "$device $arguments: $expected cycles"
done <<'ROWS'
soft:mi25|range-latency variant=shuffled rangesize=4KiB,64KiB,8MiB|184 321 609
soft:mi25|range-latency variant=shuffled rangesize=4KiB stride=64,256|184 184
soft:mi25|l1-hit-latency variant=shuffled rangesize=4KiB|184
soft:mi25|l2-hit-latency variant=shuffled rangesize=128KiB|321
soft:rx7900xtx|range-latency variant=shuffled rangesize=16KiB,128KiB,2MiB,16MiB|83 139 229 499
soft:rx7900xtx|lds-latency variant=chain lanes=1,32|35 35
soft:mi25|range-latency variant=pointers rangesize=4KiB,64KiB,8MiB|184 321 609
soft:rx7900xtx|range-latency variant=pointers rangesize=16KiB,128KiB,2MiB|83 139 229
soft:mi25|lds-latency variant=chain lanes=1|55
ROWS

# Any number of lines.
run soft:mi25 range-latency variant=shuffled rangesize=1KiB,3KiB,5KiB,7KiB stride=1KiB reads=1024 &&
	[ "$(latencies | wc -w)" -eq 4 ]
result $? 'ranges of 1, 3, 5 and 7 lines'
# Not a whole number of lines.
for range in 1KiB 3KiB; do
	run soft:mi25 range-latency variant=shuffled rangesize=$range stride=2KiB
	[ $? -ne 0 ] && grep -q 'is not a multiple of stride=2048; make the range at least one stride' "$tmp/json" "$tmp/log"
	result $? "a range of $range and lines of 2 KiB are rejected"
done

# What the variant is for: lines of 128 bytes are read twice by the linear chase.
run soft:rx7900xtx range-latency variant=compiled rangesize=16MiB && linear=$(latencies) &&
	run soft:rx7900xtx range-latency variant=shuffled rangesize=16MiB && [ "$linear" -lt "$(($(latencies) * 3 / 4))" ]
result $? "16 MiB on gfx11: $linear cycles linear, $(latencies) shuffled"

# Published values: all within 10 %, except the rows with a note.
timeout $patience "$wavedeck" validate --json --device soft:rx7900xtx range-latency lds-latency stream-bandwidth \
	>"$tmp/json" 2>"$tmp/log"
status=$?
awk '/"error":/ { gsub(/[^0-9.e-]/, "", $2); error = $2 } /"unexplained": null/ { rows++; if (error > 0.1) bad++ }
	/"summary"/ { exit } END { print rows + 0, bad + 0 }' "$tmp/json" >"$tmp/log"
read -r rows bad <"$tmp/log"
[ $status -eq 0 ] && [ "$rows" -ge 10 ] && [ "$bad" -eq 0 ]
result $? "published latencies and bandwidths: $bad of $rows rows off by more than 10 %"
finish
