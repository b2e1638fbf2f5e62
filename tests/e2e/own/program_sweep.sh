#!/usr/bin/env bash
# `run ./app --args`: a sweep over the arguments of a program. What is measured, sessions, bad input, cancellation. TAP.
here=tests/e2e/own
# shellcheck source=../../softgpu/driver/hip_program.bash
. "$(dirname "$0")/../../softgpu/driver/hip_program.bash"
export XDG_DATA_HOME=$tmp/data TMPDIR=$tmp
build_hip_program swept
ln -s "$program" "$tmp/app" && cd "$tmp" || exit 1
ask() { # arguments; $status, out, log
	timeout -k 5 $patience "$wavedeck" "$@" >out 2>log </dev/null
	status=$?
}
values() { # column; of out in CSV
	csv_column "$1" out
}
left_folders() { find "$tmp" -maxdepth 1 -name 'wavedeck*'; }

# --- what is measured ---
ask run ./app --args 'n={n} "text=two words" \ \"' n=1Ki..16Ki:x4 --format csv
equal 'the range of values' '0 1024 4096 16384' "$status $(values n)"
equal 'waves follow n' '16 64 256' "$(values waves)"
equal 'one launch in a run' '1 1 1' "$(values launches)"
check 'cycles grow with n' "$(values cycles | tr ' ' '\n' | sort -nc 2>&1)"
equal 'it says which kernel' 1 "$(grep -c '^wavedeck: kernel scale(float\*, float const\*, int): [0-9]* % of the cycles of 2 kernels; --kernel chooses another$' log)"
grep -q '^# title: scale(float\*, float const\*, int) in app$' out
result $? 'the title has the kernel and the program' out
one=$(values cycles | cut -d' ' -f1)

ask run ./app --args 'n=1024 block={block} times={times}' times=1..4 block=64,128 --kernel scale --format csv
equal 'the product of ranges, the last one fastest' '64 128 64 128 64 128' "$(values block)"
equal 'the launches of a run are counted' '1 1 2 2 4 4' "$(values launches)"
equal 'the program does the same as elsewhere' "$one" "$(values cycles | cut -d' ' -f1)"
equal 'launches are added up' '16 16 32 32 64 64' "$(values waves)"

ask run ./app --args 'times={times}' times=3 --kernel scale --profile --format csv
reasons=$(awk -F, '/^#/ { next } !n++ { for (k = 1; k <= NF; k++) is[k] = $k ~ /^CYCLES_/; next }
	{ for (k = 1; k <= NF; k++) if (is[k]) sum += $k; print sum }' out)
equal 'the stall reasons have all cycles' "$(values cycles)" "$reasons"
ask run ./app --args 'n={n}' n=1024 --kernel prepare --format csv
equal 'another kernel' '0 16' "$status $(values waves)"
ask run ./app --format json
grep -q '"launched":"scale(float\*, float const\*, int)"' out
result $? 'without arguments; the record has the kernel' out
check 'no folder is left' "$(left_folders)"

# --- sessions ---
ask run ./app --args 'n={n} block={block}' n=1024,4096 block=64,128 --record a.wbs
ask open a.wbs --format csv
equal 'a session has the points' '1024 1024 4096 4096' "$(values n)"
ask run ./app --args 'n={n} block={block}' n=1024,4096,2048 block=64,128 --resume a.wbs --format csv
equal 'it is not continued with another definition of its arguments' 2 $status
ask run --resume a.wbs
grep -q 'name it: wavedeck run ./app --args ... --resume a.wbs' log
result $? 'what names its definition'
ask compare a.wbs a.wbs && grep -q '^B / A: median 1, .* 4 of 4 exactly equal' out
result $? 'sessions are compared' out
ask export a.wbs -o a.html
equal 'and exported' 0 "$status"

printf 'wait idle\nexpect 3/3 points\ndump\n' >script
ask --script script --args 'n={n} block={block}' ./app n=1024..16Ki:x4 block=64,128
equal 'the workbench measures it' 0 $status

# --- points that fail ---
ask run ./app --args 'mode={mode}' mode=bad,ok,crash,idle --kernel scale --format csv
equal 'a point that fails is an error, and the sweep goes on' '1 failed ok failed failed' "$status $(values status)"
ask run ./app --args 'mode={mode}' mode=bad,ok --kernel scale
grep -q 'failed: app ended with status 3: this mode is bad$' out
result $? 'with the last line of its standard error' out
ask run ./app --args 'mode={mode}' mode=crash,ok --kernel scale
grep -q 'failed: app was killed by SIGABRT' out
result $? 'and the signal' out
ask run ./app --args 'mode={mode}' mode=idle
grep -q 'app launched no kernel on the software GPU' log
result $? 'a program without launches'
ask run ./app --kernel nothing
equal 'a kernel that was not launched' '2 wavedeck: 1 of 1 points failed: no kernel '"'nothing'"' was launched; launched: scale(float*, float const*, int), prepare(float*, int)' "$status $(cat log)"
ask run ./app --kernel float
equal 'an ambiguous kernel' 1 "$(grep -c "several kernels match 'float': .*; give a longer part of the name" log)"

# --- bad input ---
refused() { # what, text, arguments
	local what=$1 text=$2
	shift 2
	ask "$@"
	equal "$what" "2 wavedeck: $text" "$status $(cat log)"
}
refused 'a placeholder without a range' '--args has {m}, which has no values; add m=VALUE, m=A..B or m=a,b,c' run ./app --args 'n={m}'
refused 'a range without a placeholder' "n=1..8: --args has no {n}; write, for example, --args 'n={n}'" run ./app --args 'm=1' n=1..8
refused 'a range without --args' "n=1..8: --args has no {n}; write, for example, --args 'n={n}'" run ./app n=1..8
refused 'a range that is there twice' 'n has values twice; keep one of them' run ./app --args '{n}' n=1 n=2
refused 'a quote' "--args: a quote is not closed in the arguments: 'x" run ./app --args "'x"
refused 'a name of a result' "'time' is the name of a result; use another name in --args" run ./app --args '{time}' time=1
refused 'a reversed range' 'n: the range 8..1 is reversed; write the lower end first' run ./app --args '{n}' n=8..1
refused 'a GPU' 'a program is measured on a software GPU, not on hip:0; use --device soft:mi25' run ./app --args '{n}' n=1 --device hip:0
refused 'another machine' '--via is for experiments: other machines do not have the program; remove it' run ./app --via local
refused 'an experiment' "--args is for a program, which this is not: fma-waves; write: wavedeck run ./app --args 'n={n}' n=1..64" run fma-waves --args 'x'
refused 'a program that is missing' 'cannot run ./missing: No such file or directory' run ./missing --args 'x'
printf 'return { title = "T", program = { file = "app" }, params = { { "n", min = 1, max = 2, default = 1 } },\n  metrics = { { "t", unit = "s", function(m) return m.seconds end } } }\n' >own.lua
ask run ./own.lua
grep -q "this experiment runs the program 'app', which the command line has to name" log
result $? 'a definition alone does not run a program'
ask run ./own.lua --device soft:mi100
equal 'on no device' 2 $status

# --- Ctrl-C ---
set -m
"$wavedeck" run ./app --args 'mode={mode} n={n}' mode=ok,long n=1024 --kernel scale --record half.wbs >out 2>log </dev/null &
job=$!
wait_until [ -e waits ]
kill -INT -- -$job
wait $job
equal 'Ctrl-C ends the sweep' '130 wavedeck: interrupted; kept 1 of 2 points' "$? $(cat log)"
ends() { ! kill -0 "$(cat waits)" 2>/dev/null; }
wait_until ends
result $? 'and the program'
check 'no folder is left' "$(left_folders)"
set +m
finish
