#!/usr/bin/env bash
# The view of the workers compared with golden screens: points that do not end, a death, more workers than points, the
# end of the sweep, a device that cannot be opened. The workers are doubles, whose points end when the test wants. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
# shellcheck source=../live_script.bash
. tests/live_script.bash
${CC:-cc} -std=gnu11 -o "$tmp/worker" tests/e2e/worker_double.c -ljansson -lm 2>"$tmp/log" ||
	{ result 1 'the fake worker compiles'; finish; }
export WAVEDECK_WORKER=$tmp/worker WORKER_DELAY_MS=100 WORKER_HOLD=$tmp/hold

# Which worker gets which point, processes and times differ. A number keeps its last column, a text its width.
steady() {
	perl -CSD -pe '
		s/\d\d:\d\d:\d\d/(time)  /;
		s/running point \d/running point N/;
		s/~\d+ \w+ left  |less than 1 s left  //;
		s/c cancels  //;
		s/(so far +)(\d+ points?)( measured, [01] workers? died here)( +)/sprintf("%s%-*s", $1, length("$2$3$4"), "N points$3")/e;
		if (/^(.{2} +\d+ local +(?:soft:mi25 +)?(?:not started|running 75 %|ready))(.*)$/) {
			my ($start, $rest) = ($1, $2);
			$rest =~ s/( +)(\d[\d.]*(?: (?:B|KiB|s|min))?)/sprintf("%*s", length("$1$2"), "N")/ge;
			$_ = "$start$rest\n";
		}' "$1"
}
dump_here() { say "$(dumps "$1")" 'size 80x24' 'glyphs ascii' && sync dumped; } # state

# --- three workers with a point each ---
touch "$tmp/hold"
start_script --device soft:mi25 --set workers=3
say 'size 80x24' 'glyphs ascii' 'key K'
sync_until shown '^\|  +3 local +running 75 %' && [ "$(grep -c 'local *running 75 %' "$tmp/shown")" -eq 3 ]
result $? 'three workers measure a point each' "$tmp/shown"
dump_here running
pid=$(sed -nE 's/^\|  +2 local .* ([0-9]+) +\|$/\1/p' "$tmp/shown")
grep -qx "PPid:	$program" "/proc/$pid/status" && kill -KILL "$pid"
result $? 'the process of a worker is on the screen' "$tmp/shown"
sync_until shown '^\|  +2 local +running 75 % .* 1 +[0-9]+ +\|$'
result $? 'another worker starts in its place, and its death is counted' "$tmp/shown"
dump_here death
rm "$tmp/hold"
say "wait sweep $patience"
sync_until shown 'workers, 0 running .*19 points measured'
result $? 'the sweep ends' "$tmp/shown"
equal 'the points done add up to those of the sweep' 19 \
	"$(awk '/ [123] local +ready / { sum += $8 } END { print sum }' "$tmp/shown")"
dump_here measured
end_script
result $? 'the script ends'

# --- more workers than points ---
touch "$tmp/hold"
start_script --device soft:mi25 --set workers=64
say 'size 80x60' 'glyphs ascii' 'key K'
all_run() { [ "$(grep -c 'local *running 75 %' "$tmp/shown")" -eq 19 ]; }
for ((i = 0; i < patience; i++)); do
	sync_until shown ' 19 local +running 75 %' && all_run && break
done
all_run
result $? 'nineteen points need as many workers' "$tmp/shown"
say 'key End'
dump_here many
end_script
result $? 'the script ends while workers run'
rm "$tmp/hold"

# --- no worker ---
{
	echo 'wait idle'
	echo 'key K'
	dumps none
} >"$tmp/script"
WORKER_FATAL='the device is on fire; unplug it' play --device soft:mi25 --set workers=3
same_screens running death measured many none
finish
