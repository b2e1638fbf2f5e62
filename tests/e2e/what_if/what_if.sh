#!/usr/bin/env bash
# What causes cost, measured by taking them away: `run --what-if` and devices with ideal parts. For kernels with two known
# causes each, the costs are those that come out when the source is corrected. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck
causes=tests/e2e/what_if/causes.lua
export XDG_DATA_HOME=$tmp/data

# CSV of an experiment on an MI25: run NAME,ideal=... ARGUMENTS...
run() { # DEVICE ARGUMENTS...
	local device=$1
	shift
	timeout -k 5 $patience "$wavedeck" run "$@" --device "$device" --format csv --no-header-comments \
		--counters GRBM_GUI_ACTIVE 2>"$tmp/error" </dev/null
}

# --- five kernels with two causes each ---
run soft:mi25 $causes kernel=sum,transpose,columns,steps,loop a=0,1 b=0,1 --no-verify >"$tmp/sources"
check 'the five kernels run' "$([ "$(wc -l <"$tmp/sources")" -eq 21 ] || cat "$tmp/error")"
for part in coalescing channels lds_banks occupancy branches; do
	run soft:mi25,ideal=$part $causes kernel=sum,transpose,columns,steps,loop a=0 b=0 --no-verify | sed "s/^/$part,/"
done >"$tmp/ideal"

# "saved by the ideal part, saved by the corrected source", in % of the launch.
costs() { # KERNEL PART a|b
	awk -F, -v kernel="$1" -v part="$2" -v which="$3" '
		NR == FNR { if ($1 == part && $2 == kernel) ideal = $NF; next }
		$1 == kernel && $2 == 0 && $3 == 0 { plain = $NF }
		$1 == kernel && $2 == (which == "a") && $3 == (which == "b") { corrected = $NF }
		END { printf "%.1f %.1f\n", 100 * (1 - ideal / plain), 100 * (1 - corrected / plain) }' "$tmp/ideal" "$tmp/sources"
}
while read -r kernel first second; do
	read -r a a_source < <(costs "$kernel" "$first" a)
	read -r b b_source < <(costs "$kernel" "$second" b)
	awk -v a="$a" -v s="$a_source" 'BEGIN { exit !(a - s < 10 && s - a < 10) }'
	result $? "$kernel: without $first, $a % less; with the source corrected, $a_source %"
	awk -v b="$b" -v s="$b_source" 'BEGIN { exit !(b - s < 10 && s - b < 10) }'
	result $? "$kernel: without $second, $b % less; with the source corrected, $b_source %"
	awk -v a="$a" -v b="$b" -v s="$a_source" -v t="$b_source" 'BEGIN { exit !((a > b) == (s > t)) }'
	result $? "$kernel: the larger cost is that of the larger correction"
done <<END
sum coalescing lds_banks
transpose coalescing channels
columns channels lds_banks
steps occupancy lds_banks
loop branches lds_banks
END

# --- each part ---
# Points in which the part matters, whatever the compiler makes of their code: the launch is shorter, its results are the
# same, and a profile does not change it.
declare -A plain # cycles, by point: several parts share one
while read -r part least point; do
	[ "${plain[$point]:-}" ] || plain[$point]=$(run soft:mi25 $point | tail -n 1 | awk -F, '{ print $NF }')
	cycles=${plain[$point]}
	ideal=$(run "soft:mi25,ideal=$part" $point | tail -n 1)
	profiled=$(run "soft:mi25,ideal=$part" $point --profile | awk -F, '
		NR == 1 { for (k = 1; k <= NF; k++) if ($k == "GRBM_GUI_ACTIVE") column = k }
		END { print $column }')
	awk -v plain="$cycles" -v ideal="${ideal##*,}" -v least="$least" 'BEGIN { exit !(ideal <= plain * (1 - least / 100)) }'
	result $? "ideal $part: $cycles cycles become ${ideal##*,}: $point"
	[[ $ideal == *,ok,* ]] && [ "$profiled" = "${ideal##*,}" ]
	result $? "ideal $part: the results are verified, and a profiled launch has the same cycles"
done <<END
lds_banks 20 transpose form=coalesced width=256 height=256 tile=32
coalescing 50 transpose form=naive width=1024 height=1024 tile=32
l1 20 transpose form=padded width=1024 height=1024 tile=32
scalar_cache 1 transpose form=padded width=1024 height=1024 tile=32
l2 20 transpose form=padded width=1024 height=1024 tile=32
channels 50 transpose form=naive width=1024 height=1024 tile=32
dram 5 transpose form=padded width=1024 height=1024 tile=32
branches 10 fma-loop
fetch 15 fma-loop offset=0
dispatch 20 dispatch-1d block=64
barriers 0 reduction
occupancy 20 occupancy-cliff
issue 20 fma-waves
END

for model in mi60 mi100 mi210 rx7900xtx; do
	whole=$(run soft:$model transpose form=naive width=512 height=512 | tail -n 1)
	for part in all channels; do
		ideal=$(run soft:$model,ideal=$part transpose form=naive width=512 height=512 | tail -n 1)
		[[ $ideal == *,ok,* ]] && [ "${ideal##*,}" -le "${whole##*,}" ]
		result $? "ideal $part: ${whole##*,} cycles become ${ideal##*,} on $model"
	done
done

# --- the table in docs/what-if.md ---
sed -n '/^IDEAL_PART(/,/)$/p' softgpu/ideal_parts.def | tr -d '\n\t' | sed 's/)IDEAL_PART(/)\nIDEAL_PART(/g' |
	sed -E 's/^IDEAL_PART\((\w+), \w+, "([^"]*)", *"([^"]*)"\)$/| `\1` | \2 | \3 |/; $a\' >"$tmp/parts"
check "docs/what-if.md has the $(wc -l <"$tmp/parts") parts" "$(grep '^| `.*` | [a-zA-Z]' docs/what-if.md | grep -v '%' | diff - "$tmp/parts")"

# --- the report ---
report() { # ARGUMENTS...
	timeout -k 5 $patience "$wavedeck" run "$@" --what-if >"$tmp/report" 2>"$tmp/error" </dev/null
}
report transpose form=naive,padded width=512 height=512 tile=32 --record "$tmp/costs.wbs"
result $? 'run --what-if ends with status 0'
check 'it has both points' "$([ "$(grep -c '^what if, form=' "$tmp/report")" -eq 2 ] || cat "$tmp/report")"
check 'the largest cost is the first' "$(awk '/^what if/ { last = 101; next }
	/ % / && !/all of these/ { for (k = 1; k <= NF; k++) if ($(k + 1) == "%") { if ($k > last) print; last = $k } }' "$tmp/report")"
check 'all together are the last line with a bar' "$([ "$(grep -c 'all of these' "$tmp/report")" -eq 2 ] || cat "$tmp/report")"
check 'no result changes' "$(grep 'changes results' "$tmp/report")"
# The session has the costs, and its report a bar for each line that was printed.
"$wavedeck" export "$tmp/costs.wbs" -o "$tmp/costs.html" 2>"$tmp/error"
grep -oE '<td>[^<]*</td><td>[-0-9.]+&nbsp;%' "$tmp/costs.html" | sed -E 's/<td>([^<]*)<.*>([-0-9.]+)&nbsp;%/\1 \2/' >"$tmp/bars"
sed -nE '/^  below/d; s/^  ([a-zA-Z0-9 ]*[a-z]) +([-0-9.]+) %.*/\1 \2/p' "$tmp/report" >"$tmp/lines"
check 'the report of the session has the same lines' "$([ -s "$tmp/lines" ] && diff "$tmp/lines" "$tmp/bars")"
check 'the session is complete' "$("$wavedeck" open "$tmp/costs.wbs" --format csv 2>&1 >"$tmp/csv" </dev/null)"
timeout -k 5 $patience "$wavedeck" --device soft:mi25 --script - >"$tmp/error" 2>&1 <<END
experiment fma-waves
wait sweep $patience
action what-if
wait background $patience
action back
action export $tmp/screen.html
END
grep -q 'class="cost"' "$tmp/screen.html"
result $? 'a report of the workbench has the costs of its point' "$tmp/error"
timeout -k 5 $patience "$wavedeck" run block-sum order=no_barrier block=256 --what-if >"$tmp/report" 2>&1 </dev/null
grep -q 'changes results' "$tmp/report"
result $? 'a kernel with a race leaves other results'

# --- what cannot be asked ---
refuses() { # TEXT ARGUMENTS...
	local text=$1
	shift
	"$wavedeck" run "$@" >"$tmp/report" 2>"$tmp/error" </dev/null
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/error")" -eq 1 ] && grep -qF -- "$text" "$tmp/error"
	result $? "refused in one line: $text"
}
refuses "unknown ideal part 'l9'" transpose --device soft:mi25,ideal=l1.l9
refuses 'what-if compares one software GPU with ideal ones' transpose --device soft:mi25,ideal=l1 --what-if
refuses '--what-if prints a table; remove --format csv' transpose --what-if --format csv
refuses '--what-if measures at most 64 points' cacheline-stride stride=16..1600:+16 --what-if
"$wavedeck" validate fma-waves --device soft:mi25,ideal=issue >"$tmp/report" 2>"$tmp/error" </dev/null
[ $? -eq 2 ] && [ ! -s "$tmp/report" ] && grep -q 'has ideal parts, and no GPU was measured without limits; remove ideal=$' "$tmp/error"
result $? 'validate refuses ideal parts'
finish
