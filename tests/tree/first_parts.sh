#!/usr/bin/env bash
# `make run` builds first what the default device needs on this host, and the rest in the background: what such a build
# can do, what it says, and that it counts as the same software GPU. In a copy of the tree, from the objects there are. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=tree_copy.bash
. tests/tree/tree_copy.bash
copy_tree
wavedeck=$tree/build/wavedeck
library=$tree/build/libsoftgpu.so

find_build_id() { readelf -n "$library" 2>/dev/null | sed -n 's/.*Build ID: //p'; }
run() { "$wavedeck" run lds-latency lanes=1 outer=100 --device "$1" --format csv --no-header-comments; }

all=$(find_build_id)
run soft:mi25 >"$tmp/expected" 2>&1 && grep -q , "$tmp/expected" || exit 1

build_copy 0 PARTS=first build/libsoftgpu.so && [ "$(stat -c %s "$library")" -lt "$(stat -c %s "$BUILD/libsoftgpu.so")" ]
result $? 'a first build links fewer parts'
run soft:mi25 >"$tmp/log" 2>&1 && cmp "$tmp/expected" "$tmp/log"
result $? 'the default device gives the same'
SOFTGPU_HOST_VARIANT=base run soft:mi25 >"$tmp/log" 2>&1 && cmp "$tmp/expected" "$tmp/log"
result $? 'a variant that is not there yet is not used'
equal 'it counts as the same software GPU' "$all" "$(find_build_id)"
run soft:rx7900xtx >"$tmp/log" 2>&1
[ $? -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -q 'cannot run gfx1100 code yet.*or run: make' "$tmp/log"
result $? 'a device whose part is missing is refused in one line, with what to do'
"$wavedeck" exec --model 'mi25+rx7900xtx' -- true >"$tmp/log" 2>&1
[ $? -eq 2 ] && grep -q 'cannot run gfx1100 code yet' "$tmp/log"
result $? 'so is a machine that has such a device'

# While a make builds here, what there is runs. The lock is held until the named pipe is written.
touch "$tree/build/lock"
mkfifo "$tmp/release"
(flock 9 && echo locked && read -r _ <"$tmp/release") 9<"$tree/build/lock" >"$tmp/locked" &
wait_until grep -q locked "$tmp/locked"
build_copy 0 run-meanwhile && grep -q 'another make builds here' "$tmp/log" && [ "$(cat "$tree/build/parts")" = first ]
result $? 'while another make builds, make run waits for nothing'
echo >"$tmp/release"
wait

build_copy 0 PARTS=missing run-built && [ "$(cat "$tree/build/parts")" = all ]
result $? 'once all parts are there, make run keeps them'
equal 'still the same software GPU' "$all" "$(find_build_id)"
run soft:rx7900xtx >"$tmp/log" 2>&1
result $? 'the other device works'
sed -i 's/^#include "softgpu\/core\/model_config.h"/&\n/' "$tree/softgpu/driver/probe/model_check.c"
build_copy 1 build/libsoftgpu.so && [ "$(find_build_id)" != "$all" ]
result $? 'a changed source is another software GPU'
finish
