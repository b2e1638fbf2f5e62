#!/usr/bin/env bash
# Memory that was freed is free for the next allocation, also while a kernel runs: cycles depend on places. TAP.
here=tests/softgpu/driver/kfd
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
build_hip_program places -lhsa-runtime64

soft env SOFTGPU_TRACE=1 "$program"
result $? "a program frees memory while a kernel runs"
grep -o 'size 0x3000000 .*mmap offset [^:]*' "$log" | sort | uniq -c >"$tmp/places"
[ "$(awk '{ print $1 }' "$tmp/places")" = 40 ]
result $? "all of its 40 allocations have the same place" "$tmp/places"
finish
