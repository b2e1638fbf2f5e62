#!/usr/bin/env bash
# `exec --check` of memory: where it ends, where it was allocated and freed, variables of the code object, arguments,
# textures, what was never written, what leaks. TAP.
here=tests/e2e/check
# shellcheck source=../../softgpu/driver/hip_program.bash
. "$(dirname "$0")/../../softgpu/driver/hip_program.bash"
export TMPDIR=$tmp
build_hip_program memory -g -O1
source=$here/memory_hip.cpp
checked() { # LIST CASE...
	timeout -k 5 $patience "$wavedeck" exec --check="$1" -- "$program" "${@:2}" >"$tmp/out" 2>"$tmp/log" </dev/null
	status=$?
}
line_of() { grep -n "// line: $1\$" "$source" | cut -d: -f1; } # NAME
reports() { grep -qxF -- "$1" "$tmp/log"; }                    # text
at() { echo "$source:$(line_of "$1")"; }                       # NAME
default=memory,init,race,barrier

checked $default end
reports 'wavedeck: access outside of an allocation, once: fill(float*, int)' &&
	reports "  $(at fill): writes 4 bytes right past the end of the 400 bytes from hipMalloc" &&
	reports '    work-item 100 of workgroup 0 (wave 1, lane 36)' && reports "      allocate at $(at allocate)" &&
	[ "$status $(cat "$tmp/out")" = '0 hipSuccess' ]
result $? 'an access behind an allocation, with the call that allocated it'
checked $default freed
reports 'wavedeck: access to freed memory, 64 times: use(float*)' &&
	reports "  $(at use): writes 4 bytes at byte 0 of 256 bytes that were freed" &&
	reports "      allocate at $(at allocate)" && reports "      main at $(at free)"
result $? 'an access to freed memory, with both calls'
checked $default unmapped
reports 'wavedeck: access to an address without memory, 64 times: use(float*)' &&
	reports "  $(at use): writes 4 bytes at 0x0, where no memory is" && [ "$status $(cat "$tmp/out")" = '0 hipSuccess' ]
result $? 'accesses to an address without memory, which are left out'
checked $default undefined
reports 'wavedeck: condition of a work-item that depends on an uninitialized value, once: branch(int const*, int, int*)' &&
	reports "  $(at branch): decides by an uninitialized value whether this work-item goes on here"
result $? 'a condition on memory that was never written'
checked $default variable
reports "  $(at table): writes 4 bytes right past the end of variable table (256 bytes)" &&
	reports "  $(at weights): reads 4 bytes, 4 bytes before the start of variable weights (16 bytes)" &&
	grep -q '^  variable of 256 bytes at 0x[0-9a-f]*, table$' "$tmp/log"
result $? 'accesses outside of variables of the code object, with their names'
checked $default settings
reports 'wavedeck: access outside of an allocation, once: read_settings(settings, int, int*)' &&
	grep -qE "^  $(at settings): reads 4 bytes, [0-9]+ bytes past the end of the kernel's [0-9]+ bytes of arguments" "$tmp/log"
result $? 'an access behind the arguments of the kernel'
timeout -k 5 $patience "$wavedeck" exec --check --check-json "$tmp/json" -- "$program" variable settings \
	>"$tmp/out" 2>"$tmp/log" </dev/null
grep -q '"variable": "table"' "$tmp/json" && grep -q '"memory": "arguments"' "$tmp/json"
result $? 'the JSON document names variables and arguments'
checked $default array
reports 'wavedeck: access to freed memory, 64 times: fetch(__hip_texture*, float*)' &&
	grep -q "^  $(at fetch): reads 4 bytes at byte 0 of [0-9,]* bytes that were freed" "$tmp/log" &&
	reports "      fetch_from_array at $(at 'free array')"
result $? 'a texture whose array was freed'
checked $default end-ok freed-ok variable-ok settings-ok array-ok undefined-ok
equal 'the same without the faults, and each way to write memory' \
	'wavedeck: no faults found (memory, init, race, barrier; 46 launches)' "$(cat "$tmp/log")"
checked loads undefined
reports 'wavedeck: load of an uninitialized value, 64 times: branch(int const*, int, int*)' &&
	reports "  $(at branch): reads 4 bytes at byte 0 of 256 bytes" && reports "      allocate at $(at allocate)"
result $? 'loads of memory that was never written, with the call that allocated it'
checked loads undefined-ok
equal 'none of memory that was written' 'wavedeck: no faults found (loads; 40 launches)' "$(cat "$tmp/log")"
memory=$program
build_hip_program modules
checked memory 12 12 12 9 70
grep -q 'writes 4 bytes, 8 bytes past the end of variable small (40 bytes)$' "$tmp/log" &&
	grep -q 'writes 4 bytes, 24 bytes past the end of variable large (256 bytes)$' "$tmp/log" &&
	reports 'wavedeck: 2 places, 2 accesses; checked memory in 5 launches' && [ $status = 0 ]
result $? 'variables of modules that are loaded at the same addresses'
program=$memory
checked leak end-ok
reports 'wavedeck: memory that the program does not free, 400 bytes in 1 allocation' &&
	reports "      allocate at $(at allocate)" && reports 'wavedeck: 2 places, 0 accesses; checked leak in 0 launches'
result $? 'what the program does not free'
finish
