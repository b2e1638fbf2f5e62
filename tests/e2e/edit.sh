#!/usr/bin/env bash
# Edited kernels and their originals, published values with curves, presets: on the command line and in the workbench,
# on the software GPU. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data
unset VISUAL
has() { # what, extended regular expressions that the log shows
	local what=$1 found=0
	shift
	for p in "$@"; do grep -qE -- "$p" "$tmp/log" || { found=1; echo "# missing: $p"; }; done
	result $found "$what"
}
cat >"$tmp/editor" <<'EOS'
#!/bin/sh
sed -i "$CHANGE" "$1"
EOS
chmod +x "$tmp/editor"
export EDITOR=$tmp/editor
copy=$XDG_DATA_HOME/wavedeck/edited/fma-waves/fma.hip
edit() {
	"$wavedeck" edit fma-waves variant=compiled fma_per_thread=10000 threads=256,512 --device soft:mi25 \
		>"$tmp/log" 2>&1
}

# --- the command line ---
# An addition after every multiply-add makes the loop about twice as long; adding zero does not change the result.
export CHANGE='17,33s/__builtin_fmaf(a, s, b)/__builtin_fmaf(a, s, b) + 0.0f/'
edit
result $? 'an edited kernel and the original are measured'
awk '$1 == 256 && $3 == "compiled" && $6 > 1.2 && $6 < 2.5 { ok = 1 } END { exit !ok }' "$tmp/log"
result $? 'the ratio shows that it takes longer'
! grep -q '+ 0.0f' kernels/fma.hip && grep -q '+ 0.0f' "$copy"
result $? 'the edit is in the copy, the original is unchanged'
CHANGE='30s/$/ bug/' edit
[ $? -eq 2 ] && [ "$(grep -c error "$tmp/log")" -eq 1 ] && grep -q 'fma.hip:30:.*error:' "$tmp/log" &&
	grep -q 'the edited copy is' "$tmp/log" && grep -q bug "$copy"
result $? 'a compiler error is one line, and the edited copy is kept'
CHANGE='30s/ bug//' edit && grep -q '+ 0.0f' "$copy"
result $? 'the next edit opens the copy again'
CHANGE='s/ + 0\.0f/ + 1.0f/' edit
[ $? -eq 1 ] && grep -q 'wrong result' "$tmp/log"
result $? 'a wrong result is reported'
EDITOR=/no/such/editor edit
[ $? -eq 2 ] && grep -q 'set EDITOR' "$tmp/log"
result $? 'a missing editor is reported'
EDITOR=false edit
[ $? -eq 1 ] && grep -q 'nothing was measured' "$tmp/log"
result $? 'an editor that fails measures nothing'
"$wavedeck" edit fma-waves --device replay:share/sessions/range-latency-mi25.wbs >"$tmp/log" 2>&1
[ $? -eq 2 ] && grep -q 'a recording cannot run' "$tmp/log"
result $? 'a recording cannot run an edited kernel'
"$wavedeck" edit fma-waves --reset >"$tmp/log" 2>&1 && [ ! -e "$copy" ] &&
	"$wavedeck" edit fma-waves --reset >"$tmp/log" 2>&1
has '--reset deletes the copy' 'has no edited kernel'

CHANGE='' "$wavedeck" edit fma-waves variant=compiled --device soft:mi25 >"$tmp/log" 2>&1
has 'an unchanged kernel is not measured' 'fma.hip is unchanged; nothing was measured'
"$wavedeck" edit fma-waves --device soft:mi25 >"$tmp/log" 2>&1 <<<'' &&
	grep -q 'editing fma.hip (variant=compiled); variant=published edits' "$tmp/log"
result $? 'without a variant, the HIP source is edited'

# --- the workbench ---
script() { "$wavedeck" --device soft:mi25 --script - >"$tmp/log" 2>&1; }
CHANGE='17,33s/__builtin_fmaf(a, s, b)/__builtin_fmaf(a, s, b) + 0.0f/' script <<'EOS'
size 100x30
experiment fma-waves
action param-down fma_per_thread
key Enter
type 10000
key Enter
action param-more variant
wait idle
action edit
wait idle
expect Multiply-add loop, by waves, edited
expect 1 original
expect 4/4 points verified
action original
wait idle
expect Multiply-add loop, by waves
EOS
result $? 'e edits, measures, and keeps the original as the pinned curve'
CHANGE='30s/$/ bug/' script <<'EOS'
size 100x30
experiment fma-waves
wait device
action param-more variant
action edit
wait sweep
expect unknown type name 'bug'
expect press e to continue editing
EOS
result $? 'the screen shows a compile error'
script <<'EOS'
size 120x36
experiment lds-bank-conflict
action preset quick
wait idle
expect 5/5 points verified
expect publ
expect published: latency 87 cycles, Vega64 notes 2.9.2, measured
action overlay
expect How many cycles do bank conflicts add
action preset nonsense
expect presets: @small, @published, @quick
EOS
result $? 'the screen shows the published value at the cursor and its source; presets by name'
# Assembly: HIP is offered first, and an unchanged file changes nothing.
CHANGE='' script <<'EOS'
size 120x36
experiment lds-bank-conflict
action preset quick
wait idle
action edit
expect Enter: lds.hip (variant=compiled), a: assembly lds_published.s
key Enter
expect lds.hip is unchanged; nothing is measured
expect published
expect 5/5 points verified
key e
type b
key Enter
expect press Enter for HIP
key Esc
EOS
result $? 'e offers HIP before assembly; an unchanged file changes nothing'
CHANGE='1s/^/\n/' script <<'EOS'
size 120x36
experiment lds-bank-conflict
action preset quick
wait idle
action edit hip
wait idle
expect compiled
expect 1 original
expect 5/5 points verified
key u
expect published
EOS
result $? 'the HIP source is measured next to its original'
# A sweep that would take more than 10 s waits for a Space.
script <<'EOS'
size 120x36
experiment lds-bank-conflict
wait idle
action preset published
expect preset published: 64 points, ~
EOS
result $? 'a preset shows an estimate'

# A definition that uses a shared file is edited together with it.
CHANGE='1s/^/\n/' "$wavedeck" edit sgemm-k2-lds-tile tile=16 n=64 --device soft:mi25 >"$tmp/log" 2>&1
result $? 'an edited kernel of a definition that uses a shared file is measured'

# --- plot, show ---
"$wavedeck" run dispatch-1d block=1..64 --device soft:mi25 --format plot >"$tmp/log" 2>&1
has 'a plot shows published values, but no times at another size' \
	'◆ threads_per_cycle, threads/cycle \(published\), right axis' \
	'published: 7 of 22 values, from Vega64 notes 2\.1\.2'
"$wavedeck" run lds-bank-conflict variant=compiled stride=1..4 --device soft:mi25 --format plot >"$tmp/log" 2>&1
! grep -q published "$tmp/log"
result $? 'published values of another variant are not shown'
"$wavedeck" show lds-bank-conflict >"$tmp/log" 2>&1
has 'show lists published values and presets' '^published values, Radeon Instinct MI25' 'Vega64 notes 2\.9\.2' '@quick'
"$wavedeck" run lds-bank-conflict @quick --device soft:mi25 --format csv >"$tmp/log" 2>&1
[ "$(grep -cE '^[0-9]' "$tmp/log")" -eq 5 ] && grep -q '^1,' "$tmp/log" && grep -q '^64,' "$tmp/log"
result $? '@quick measures five points over the whole range'
time_text='(~[0-9]+ (s|min)|less than 1 s)'
"$wavedeck" run lds-bank-conflict @published --estimate --device soft:mi25 --workers 1 >"$tmp/log" 2>&1
has '--estimate prints the expected time of a run' \
	"^lds-bank-conflict: 64 points, $time_text \\(estimated from [0-9]+ points"
"$wavedeck" run lds-bank-conflict @published --estimate --device soft:mi25 --workers 3 >"$tmp/log" 2>&1
has '--estimate prints the time with several workers, too' \
	"^lds-bank-conflict: 64 points, (less than 1 s|$time_text, $time_text with 3 workers) \\(estimated from [0-9]+ points"
"$wavedeck" run lds-bank-conflict --estimate --device soft:mi25 --workers 0 >"$tmp/log" 2>&1
[ $? -eq 2 ] && grep -qx "wavedeck: the number of workers must be auto or 1 to 64, not '0'" "$tmp/log"
result $? '--estimate takes the workers that run takes'
finish
