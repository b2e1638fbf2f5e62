#!/usr/bin/env bash
# Reads mutated sessions with the address and undefined-behavior sanitizers (mutate_sessions.c): a sweep, one with two
# axes, one with steps, one that was recorded out of order. TAP.
#   COUNT=20000 SEED=1 tests/long/sanitizers/mutate_sessions.sh
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck build=build/asan # as make names the targets
details() { tail -n 60 "$1"; }
make --no-print-directory MODE=asan "BUILD=$build" "$build/libwavedeck.a" >"$tmp/log" 2>&1 &&
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=address,undefined -I. -o "$build/mutate_sessions" tests/long/sanitizers/mutate_sessions.c \
		"$build/libwavedeck.a" -llua5.4 -ljansson -lmd4c -ldw -lelf -lffi -larchive -lz -lzstd -liberty -lncursesw -ltinfo -ldl -lpthread -lm >>"$tmp/log" 2>&1
result $? 'the readers build with sanitizers'
"$wavedeck" run lds-bank-conflict stride=1..4 variant=published,compiled --record "$tmp/axes.wbs" >/dev/null 2>"$tmp/log" &&
	"$wavedeck" run copy-compute-overlap @small --record "$tmp/steps.wbs" >/dev/null 2>"$tmp/log" &&
	"$wavedeck" run shared-bank-stride --counters SQ_WAVES --record "$tmp/sweep.wbs" >/dev/null 2>"$tmp/log" &&
	{ head -n 1 "$tmp/sweep.wbs"; tail -n +2 "$tmp/sweep.wbs" | shuf --random-source=<(yes); } >"$tmp/mixed.wbs"
result $? 'sessions are recorded'
ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99 \
	"$build/mutate_sessions" "${COUNT:-20000}" "${SEED:-1}" "$tmp"/{axes,steps,mixed}.wbs share/sessions/*.wbs >"$tmp/log" 2>&1
result $? "mutated sessions: $(tail -n 1 "$tmp/log")"
finish
