#!/usr/bin/env bash
# The tests of the core under the thread sanitizer, with their launches on two threads: with compiled code (core/jit), and
# on the variant for any x86-64 host, which has none. TAP.
#   PROGRAMS='test_windows ...' tests/long/sanitizers/core_threads.sh
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
build=build/tsan # as make names the targets
folder=tests/softgpu/core
details() { tail -n 60 "$1"; }
read -ra programs <<<"${PROGRAMS:-$(cd $folder && echo test_*.c | sed 's/\.c\b//g')}"
make --no-print-directory MODE=tsan "BUILD=$build" "${programs[@]/#/$build/$folder/}" >"$tmp/log" 2>&1
result $? 'they build with the sanitizer'
export BUILD=$PWD/$build DEVICE_THREADS=2 TSAN_OPTIONS=exitcode=66
for variant in '' base; do
	for program in "${programs[@]}"; do
		env ${variant:+SOFTGPU_HOST_VARIANT=$variant} "$BUILD/$folder/$program" >"$tmp/log" 2>&1
		result $? "$program, variant ${variant:-of this host}" "$tmp/log"
	done
done
finish
