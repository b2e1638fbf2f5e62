#!/usr/bin/env bash
# Reads mutated captures and runs their launches again, with the address and undefined-behavior sanitizers
# (mutate_captures.c). TAP. The program of the tests of `capture` gives the captures; without `print`, whose replay waits.
#   COUNT=20000 SEED=1 tests/long/sanitizers/mutate_captures.sh
cd "$(dirname "$0")/../../.." || exit 1
here=tests/e2e/capture
# shellcheck source=../../softgpu/driver/hip_program.bash
. tests/softgpu/driver/hip_program.bash
build=build/asan # as make names the targets
details() { tail -n 60 "$1"; }
make --no-print-directory MODE=asan PARTS=first "BUILD=$build" "$build/libwavedeck.a" "$build/softgpu-run" >"$tmp/log" 2>&1 &&
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=address,undefined -I. -o "$build/mutate_captures" tests/long/sanitizers/mutate_captures.c \
		"$build/libwavedeck.a" -llua5.4 -ljansson -lmd4c -ldw -lelf -lffi -larchive -lz -lzstd -liberty -lncursesw -ltinfo -ldl -lpthread -lm >>"$tmp/log" 2>&1
result $? 'the readers build with sanitizers'
build_hip_program kept -g
export XDG_CACHE_HOME=$tmp/cache
(cd "$tmp" && TMPDIR=$tmp "$wavedeck" capture -o each.wbc -- "$program" && TMPDIR=$tmp "$wavedeck" capture --slowest 3 --no-sources -o slowest.wbc -- "$program") >"$tmp/log" 2>&1 </dev/null
result $? 'launches are kept'
# Memory that was not captured is protected, so softgpu-run has a handler of its own. One process reads a thousand: with a
# sanitizer, memory that is freed stays with the process.
export ASAN_OPTIONS=exitcode=99:handle_segv=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99
status=0 count=${COUNT:-20000} seed=${SEED:-1}
for ((left = count; left > 0 && status == 0; left -= 1000, seed++)); do
	mkdir "$tmp/$seed"
	"$build/mutate_captures" $((left < 1000 ? left : 1000)) "$seed" "$tmp/$seed" "$build/softgpu-run" "$tmp"/{each,slowest}.wbc >"$tmp/log" 2>&1
	status=$?
	cat "$tmp/log" >>"$tmp/all"
	[ $status -ne 0 ] || rm -rf "${tmp:?}/$seed" "$XDG_CACHE_HOME"
done
sums=$(awk '/mutated captures:/ { n += $1; a += $4; l += $7; s += $13 } END { print n " mutated captures: " a " archives opened, " l " launches ran or were refused, " s " did the same" }' "$tmp/all")
result $status "seed $((seed - 1)): $sums" "$tmp/all"
[ -z "${KEEP:-}" ] || cp -r "$tmp" "$KEEP" # a folder for the files of a failure
finish
