#!/usr/bin/env bash
# Tests of the core whose launches have many workgroups, or several kernels, under the thread sanitizer and on two
# threads: with compiled code (core/jit), and on the variant for any x86-64 host, which has none. TAP.
#   PROGRAMS='test_windows ...' tests/long/sanitizers/core_threads.sh
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
build=build/tsan # as make names the targets
folder=tests/softgpu/core
details() { tail -n 60 "$1"; }
all="test_windows test_core_shares test_pauses test_resident_launches test_resident_order test_run_ahead test_thread_changes"
read -ra programs <<<"${PROGRAMS:-$all}"
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
