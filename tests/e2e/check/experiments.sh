#!/usr/bin/env bash
# `run --check`: experiments of the user, of the catalog, captured launches; reports, files, exit statuses, what is
# suppressed, wrong requests. TAP.
# shellcheck source=../../softgpu/driver/hip_program.bash
. "$(dirname "$0")/../../softgpu/driver/hip_program.bash"
own=tests/e2e/check/own
mkdir "$tmp/own"
cp $own/sums.hip $own/sums.lua "$tmp/own"
line_of() { grep -n "// line: $1\$" $own/sums.hip | cut -d: -f1; } # NAME
check() { # ARGUMENT...
	timeout -k 5 $patience "$wavedeck" run "$@" >"$tmp/out" 2>"$tmp/log" </dev/null
	status=$?
}
reports() { grep -qxF -- "$1" "$tmp/log"; } # text
summary() { tail -n 1 "$tmp/log"; }

# --- the user's own experiment ---
check "$tmp/own/sums.lua" --check
equal 'the status is that of the run' 0 $status
equal 'the summary counts places, accesses, and the launches of all points' \
	'wavedeck: 2 places, 2,688 accesses; checked memory, init, race, barrier in 3 launches' "$(summary)"
reports "  $tmp/own/sums.hip:$(line_of add): reads 4 bytes at byte 512 of 1,024 bytes of LDS" &&
	reports "    part[t] += part[t + k]; // line: add" && reports '    at blocks=2 blocks' &&
	reports "  $tmp/own/sums.hip:$(line_of first): wrote there before"
result $? 'a race has both lines, their text, and the point' "$tmp/log"
reports "wavedeck: \`wavedeck $tmp/own/sums.lua\`, then !, show the steps"
result $? 'and the command that shows the steps' "$tmp/log"
check "$tmp/own/sums.lua" shift=1 blocks=4 --check --error-exitcode 9
equal '--error-exitcode is the status' 9 $status
reports "  $tmp/own/sums.hip:$(line_of store): writes 4 bytes right past the end of the 16 bytes of buffer out"
result $? 'an access outside of a buffer has its name, and the launch goes on' "$tmp/log"
[ "$(sed -n '/^blocks  *time/,$p' "$tmp/out" | grep -c failed)" = 0 ] && grep -q '^ *1\.[0-9]* ' "$tmp/out"
result $? 'so the point is measured' "$tmp/out"
check "$tmp/own/sums.lua" shift=1 --check=memory
equal 'one check of several' 'wavedeck: 1 place, 3 accesses; checked memory in 3 launches' "$(summary)"
"$wavedeck" run "$tmp/own/sums.lua" --format csv >"$tmp/plain" 2>/dev/null
check "$tmp/own/sums.lua" --format csv --check
grep -v '^#' "$tmp/plain" >"$tmp/plain.rows"
grep -v '^#' "$tmp/out" | diff "$tmp/plain.rows" - >"$log"
result $? 'a check changes no time' "$log"
check "$tmp/own/sums.lua" --check --check-json "$tmp/out.json" --check-junit "$tmp/out.xml" --workers 2
field() { python3 -c 'import json,sys; v=json.load(open(sys.argv[2])); print(eval(sys.argv[1]))' "$1" "$tmp/out.json"; } # expression
equal 'JSON has the point and the wave of the launch' "blocks=2 blocks None 2 3" \
	"$(field '"%s %s %d %d" % (v["places"][0]["point"], v["places"][0]["buffer"], len(v["places"]), v["launches"])')"
grep -q '<testcase classname="wavedeck.check" name="sums">' "$tmp/out.xml"
result $? 'JUnit has the kernel' "$tmp/out.xml"
sed -i 's|// line: add|// wavedeck: ignore lds_race|' "$tmp/own/sums.hip"
check "$tmp/own/sums.lua" --check --error-exitcode 9
equal 'a comment in the source suppresses, and the status is 0' "0 wavedeck: no faults found (memory, init, race, barrier; 3 launches); 2 suppressed" \
	"$status $(summary)"

# --- sessions, the catalog ---
check $own/sums.lua --check=race --record "$tmp/checked.wbs"
check --resume "$tmp/checked.wbs" $own/sums.lua --check=race
equal 'a session keeps what was found' 'wavedeck: 2 places, 2,688 accesses; checked race in 3 launches' "$(summary)"
check lds-latency lanes=1,64 --check
equal 'a kernel of the catalog has no faults' "0 wavedeck: no faults found (memory, init, race, barrier; 2 launches)" \
	"$status $(summary)"

check block-sum order=one_barrier --check
at=$(grep -n 'part\[t\] += part\[t + half\]' kernels/block_sum.hip | head -n 1 | cut -d: -f1)
reports "  kernels/block_sum.hip:$at: reads 4 bytes at byte 256 of 4,096 bytes of LDS" &&
	reports '    part[t] += part[t + half];'
result $? 'a prebuilt kernel has the text of its lines' "$tmp/log"

# --- captured launches ---
here=tests/e2e/check
build_hip_program faults -g
"$wavedeck" capture -o "$tmp/race.wbc" -- "$program" race >"$log" 2>&1
check "$tmp/race.wbc:race" caches=captured --check
grep -q '^wavedeck: data race in LDS, 256 times: ' "$tmp/log" && grep -qE '(read|wrote) there before' "$tmp/log"
result $? 'a captured launch is checked' "$tmp/log"

build_hip_program memory -g -O1
allocation_line=$(grep -n '// line: fill$' $here/memory_hip.cpp | cut -d: -f1)
"$wavedeck" capture -o "$tmp/end.wbc" -- "$program" short >"$log" 2>&1
check "$tmp/end.wbc:fill" caches=captured --check
[ "$(grep '^wavedeck: access' "$tmp/log")" = 'wavedeck: access outside of an allocation, once: fill(float*, int)' ] &&
	grep -q "memory_hip.cpp:$allocation_line: writes 4 bytes right past the end of the 64 bytes from hipMalloc$" "$tmp/log" &&
	reports '    work-item 16 of workgroup 0 (wave 0, lane 16)' &&
	grep -q '^  buffer of 64 bytes at 0x[0-9a-f]*, from hipMalloc$' "$tmp/log"
result $? 'a captured launch knows where a buffer ends' "$tmp/log"
check "$tmp/end.wbc:use" caches=captured --check
equal 'and its neighbors, which are within bounds' 'wavedeck: no faults found (memory, init, race, barrier; 1 launch)' "$(summary)"
"$wavedeck" capture -o "$tmp/end-ok.wbc" -- "$program" short-ok >"$log" 2>&1
check "$tmp/end-ok.wbc:fill" caches=captured --check
equal 'one that ends there has no faults' 'wavedeck: no faults found (memory, init, race, barrier; 1 launch)' "$(summary)"

# --- wrong requests ---
refused() { # what, text, ARGUMENT...
	local what=$1 text=$2
	shift 2
	check "$@"
	[ $status -eq 2 ] && grep -qF -- "$text" "$tmp/log"
	result $? "$what" "$tmp/log"
}
refused 'a recording cannot be checked' '--check needs a software GPU' range-latency --check --device replay:share/sessions/range-latency-mi25.wbs
refused 'leaks are of programs' '--check=leak is for `exec`' lds-latency --check=leak
refused 'an unknown check' "'rase' is not a check" lds-latency --check=rase
refused 'options need --check' '--check-json needs --check' lds-latency --check-json x
finish
