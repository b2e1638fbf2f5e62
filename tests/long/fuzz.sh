#!/usr/bin/env bash
# Sends random keys, clicks, sizes, garbage, stops and worker crashes to the program, which is built with the address
# and undefined-behavior sanitizers (fuzz_screen.c). TAP.
#   FUZZ_SECONDS=600 FUZZ_SEED=1 DEVICE=soft:mi25 tests/long/fuzz.sh
# Without DEVICE it uses the fake worker, with DEVICE the real one.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
seconds=${FUZZ_SECONDS:-600} seed=${FUZZ_SEED:-0} device=${DEVICE:-}
build=$PWD/build/asan

details() { grep -vE '^ *$' "$1" | head -n 60; }
# Ends the script with a failed test if the status is not 0.
require() { # status, what
	[ "$1" -eq 0 ] && return
	result "$1" "$2"
	finish
}
if [ -n "${WAVEDECK:-}" ]; then
	program=$(realpath "$WAVEDECK")
else
	program=$build/wavedeck
	make --no-print-directory MODE=asan "BUILD=$build" "$program" >"$tmp/log" 2>&1
	require $? 'the program builds with sanitizers'
fi
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -o "$tmp/fuzz" tests/long/fuzz_screen.c 2>"$tmp/log"
require $? 'the fuzzer compiles'
if [ -z "$device" ]; then
	${CC:-cc} -std=gnu11 -o "$tmp/worker" tests/e2e/worker_double.c -ljansson -lm 2>"$tmp/log"
	require $? 'the fake worker compiles'
	export WAVEDECK_WORKER=$tmp/worker WORKER_DELAY_MS=${WORKER_DELAY_MS:-5}
	device=soft:mi25
fi
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config
export EDITOR=true VISUAL=true FUZZ_STDERR=$tmp/stderr
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:handle_abort=1:exitcode=99
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99
cd "$tmp" || exit 1 # random keys may export files, which are written here
"$tmp/fuzz" "$program" "$seconds" "$seed" --device "$device" >"$tmp/out" 2>&1
status=$?
grep -vE '^(not )?ok - ' "$tmp/out"
what=$(sed -nE 's/^(not )?ok - //p' "$tmp/out" | tail -n 1)
[ $status -eq 0 ] && ! grep -q '^not ok' "$tmp/out"
result $? "${what:-the fuzzer runs to its end}" "$tmp/stderr"
! grep -qE 'ERROR: (Address|Leak|Undefined).*|runtime error:' "$tmp/stderr" 2>/dev/null
result $? 'no sanitizer report' "$tmp/stderr"
finish
