#!/usr/bin/env bash
# Captured launches run again: list, show, isa and run of a capture, as captured and as a point. TAP.
# shellcheck source=kept_program.bash
. "$(dirname "$0")/kept_program.bash"
capture -- ./kept print
[ $status -eq 0 ] && mv kept.wbc app.wbc
result $? 'launches are kept'

# --- without running them ---
ask list app.wbc
[ $status -eq 0 ] && grep -Eq '^sum_rows +1 +[0-9.]+ us  sum_rows\(float const\*, float\*\)$' "$tmp/out" &&
	grep -q '^print_sum .*; cannot run again: it waits for its program: it has run for [0-9]* cycles' "$tmp/out" &&
	grep -q '^fill .*with_a_name_that_takes_many_characters' "$tmp/out"
result $? 'list: the kernels, and why one cannot run again' "$tmp/out"
ask list app.wbc --format json
cycles=$(sed -n 's/.*"experiment":"sum_rows".\{1,400\}"cycles":\([0-9]*\).*/\1/p' "$tmp/out")
[ $status -eq 0 ] && [ "${cycles:-0}" -gt 0 ] && grep -q '"experiment":"print_sum".*"reason":"it waits' "$tmp/out"
result $? 'list --format json' "$tmp/out"
ask show app.wbc:sum_rows
[ $status -eq 0 ] && grep -q '^source: captured from ./kept print on mi25, ' "$tmp/out" && grep -q ' compute_units ' "$tmp/out"
result $? 'show: where it is from, and the constants that can be changed' "$tmp/out"
ask isa app.wbc:transpose_tile
[ $status -eq 0 ] && grep -q '; kept_hip.cpp:[0-9]*  .*tile\[threadIdx.y + k\]\[threadIdx.x\] = in' "$tmp/out" && grep -q ' ds_write' "$tmp/out"
result $? 'isa: the code, with lines of the source in the file' "$tmp/out"

# --- running them ---
ask run app.wbc:sum_rows compute_units=64 --format json
grep -q "\"verify\":\"ok\",\"verify_text\":\"as captured: cycles, instructions and memory are those of the captured launch\".*\"GRBM_GUI_ACTIVE\":$cycles," "$tmp/out"
result $? 'as captured: the same cycles' "$tmp/out"
ask run app.wbc:add_all compute_units=64 --format json
grep -q '"verify_text":"as captured' "$tmp/out"
result $? 'a sum whose result depends on the order of waves, too' "$tmp/out"
ask run app.wbc:fill compute_units=64 --format json
grep -q '"verify_text":"as captured' "$tmp/out" && ask isa app.wbc:fill && grep -q s_endpgm "$tmp/out"
result $? 'a kernel whose symbol has more than 127 characters' "$tmp/out"
ask run app.wbc:sum_rows compute_units=64 caches=warm --format json
grep -q '"verify":"ok","verify_text":"as a point, with warm caches: memory after it is that of the captured launch"' "$tmp/out"
result $? 'as a point, after a launch of its own' "$tmp/out"
ask run app.wbc:sum_rows compute_units=64 l2_latency=313,626 caches=warm --format csv
slower=$(csv_column cycles "$tmp/out")
[ "${slower#* }" -gt "$((${slower% *} + 313))" ]
result $? 'with another constant: more cycles' "$tmp/out"
ask run app.wbc:transpose_tile compute_units=64 --format json
grep -q '"SQ_LDS_BANK_CONFLICT":[1-9]' "$tmp/out"
result $? 'counters: the conflict of LDS banks' "$tmp/out"
ask run app.wbc:sum_rows caches=warm --counters SQ_WAVES --format csv
equal 'counters that are asked for' 1 "$(csv_column SQ_WAVES "$tmp/out")"
ask run app.wbc:sum_rows compute_units=64 --profile --format json
grep -q '"CYCLES_MEMORY":[1-9]' "$tmp/out" && grep -q '"verify_text":"as captured' "$tmp/out"
result $? '--profile: the same cycles, with a breakdown' "$tmp/out"

ask run app.wbc:sum_rows --record sums.wbs
[ $status -eq 0 ] && grep -c '"type":"point"' sums.wbs >"$tmp/points" && ask run app.wbc:sum_rows --resume sums.wbs &&
	grep -q "already has all $(cat "$tmp/points") points" "$tmp/log"
result $? '--record, then --resume'
ask run --resume sums.wbs
equals_error 'and without its name: how to name it' 'sums.wbs was measured with a definition that is not in the catalog; name it: wavedeck run FILE.wbc:sum_rows --resume sums.wbs'
ask export sums.wbs --format csv
equal 'the session has the points' "$(cat "$tmp/points")" "$(grep -cE '^(captured|warm),' "$tmp/out")"
"$wavedeck" app.wbc:sum_rows --script - >"$tmp/log" 2>&1 <<END
wait sweep $patience
expect sum_rows
expect soft:mi25
END
result $? 'the workbench opens it'

for variant in base v3 v4; do
	SOFTGPU_HOST_VARIANT=$variant "$wavedeck" run app.wbc:transpose_tile --format csv 2>&1 | grep -v '^#' >"$tmp/$variant"
done
[ -s "$tmp/base" ] && cmp "$tmp/base" "$tmp/v3" && cmp "$tmp/base" "$tmp/v4"
result $? 'each host variant gives the same table' "$tmp/base"

# --- what does not work ---
refused() { # what, text, arguments
	local what=$1 text=$2
	shift 2
	ask "$@"
	equal "$what" "2 wavedeck: $text" "$status $(cat "$tmp/log")"
}
ask run app.wbc:nothing # the order of the kernels is that of their times, which depend on the compiler
[ $status -eq 2 ] && grep -qE "^wavedeck: app.wbc has no kernel 'nothing', or several with that in their names; write for example app.wbc:[a-z_]+ \(([a-z_]+, ){3}[a-z_]+\)$" "$tmp/log"
result $? 'a kernel that is not in it' "$tmp/log"
ask run app.wbc:print_sum
[ $status -eq 2 ] && grep -q '^wavedeck: print_sum cannot run again: it waits for its program: it has run for [0-9]* cycles, and took [0-9]* then$' "$tmp/log"
result $? 'a kernel that cannot run again'
ask run app.wbc:sum_rows compute_units=64 --device soft:mi60
[ $status -eq 1 ] && grep -q 'the launch is for gfx900, but this device is gfx906; use soft:mi25' "$tmp/log"
result $? 'a device with another instruction set'
refused 'a file that is missing' 'cannot open the capture missing.wbc: No such file or directory; check the name' run missing.wbc
cp sums.wbs session.wbc
refused 'a file that is no capture' 'session.wbc is not a capture of wavedeck; name another file' run session.wbc
# --- an experiment file of its own ---
ask new app.wbc sum_rows
[ $status -eq 0 ] && [ "$(ls sum_rows/*.lua)" = sum_rows/sum_rows.lua ]
result $? 'new: a folder with the launch and its experiment file' "$tmp/out"
ask run sum_rows/sum_rows.lua compute_units=64 caches=captured --format json
grep -q '"verify_text":"as captured' "$tmp/out"
result $? 'it runs with the same cycles' "$tmp/out"
ask new app.wbc sum_rows
[ $status -eq 2 ] && grep -q 'sum_rows exists, and is not replaced; name another folder: -o FOLDER' "$tmp/log"
result $? 'new replaces no folder' "$tmp/log"
ask new app.wbc print_sum
[ $status -eq 2 ] && grep -q 'print_sum cannot run again: it waits for its program' "$tmp/log" && [ ! -e print_sum ]
result $? 'new refuses what cannot run again' "$tmp/log"

# --- what causes cost ---
ask run app.wbc:transpose_tile compute_units=64 caches=captured --what-if
[ $status -eq 0 ] && grep -q 'LDS bank conflicts' "$tmp/out" && ! grep -q 'changes results\|not measured' "$tmp/out"
result $? 'what-if of a captured launch, with its caches' "$tmp/out"
finish
