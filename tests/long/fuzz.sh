#!/usr/bin/env bash
# Sends random keys, clicks, sizes, garbage, stops and worker deaths to the real program, built with the address and
# undefined-behavior sanitizers (fuzz_screen.c).
#   FUZZ_SECONDS=600 FUZZ_SEED=1 DEVICE=soft:mi25 tests/long/fuzz.sh
# By default it uses the fake worker; with DEVICE the real one.
set -u
cd "$(dirname "$0")/../.." || exit 1
seconds=${FUZZ_SECONDS:-600} seed=${FUZZ_SEED:-0} device=${DEVICE:-}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
build=$PWD/build/asan
if [ -n "${WAVEDECK:-}" ]; then program=$(realpath "$WAVEDECK"); else
	make --no-print-directory MODE=asan "BUILD=$build" "$build/wavedeck" >"$tmp/log" 2>&1 || {
		echo 'not ok 1 - the program builds with sanitizers'
		tail -n 20 "$tmp/log" | sed 's/^/# /'
		exit 1
	}
	program=$build/wavedeck
fi
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -o "$tmp/fuzz" tests/long/fuzz_screen.c || {
	echo 'not ok 1 - the fuzzer compiles'
	exit 1
}
if [ -z "$device" ]; then
	${CC:-cc} -std=gnu11 -o "$tmp/worker" tests/e2e/worker_double.c -ljansson -lm || {
		echo 'not ok 1 - the fake worker compiles'
		exit 1
	}
	export WAVEDECK_WORKER=$tmp/worker WORKER_DELAY_MS=${WORKER_DELAY_MS:-5}
	device=soft:mi25
fi
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache} LC_ALL=C.UTF-8
export EDITOR=true VISUAL=true FUZZ_STDERR=$tmp/stderr
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:handle_abort=1:exitcode=99
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99
cd "$tmp" || exit 1 # random keys may export files, which go here
"$tmp/fuzz" "$program" "$seconds" "$seed" --device "$device" >"$tmp/out" 2>&1
status=$?
sed 's/^ok - /ok 1 - /; s/^not ok - /not ok 1 - /' "$tmp/out"
if grep -qE 'ERROR: (Address|Leak|Undefined).*|runtime error:' "$tmp/stderr" 2>/dev/null; then
	echo 'not ok 2 - no sanitizer report'
	grep -vE '^ *$' "$tmp/stderr" | head -n 60 | sed 's/^/# /'
	status=1
else
	echo 'ok 2 - no sanitizer report'
	[ $status -eq 0 ] || tail -n 20 "$tmp/stderr" | sed 's/^/# /'
fi
echo 1..2
exit $status
