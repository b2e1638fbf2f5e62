#!/usr/bin/env bash
# `exec --check` of what the host copies: undefined values that kernels stored, each way to copy, and the same programs
# without the fault, on three targets. TAP.
here=tests/e2e/check
# shellcheck source=../../softgpu/driver/hip_program.bash
. "$(dirname "$0")/../../softgpu/driver/hip_program.bash"
export TMPDIR=$tmp
source=$here/host_reads_hip.cpp
line_of() { grep -n "// line: $1\$" "$source" | cut -d: -f1; } # NAME
at() { echo "$source:$(line_of "$1")"; }                       # NAME
reports() { grep -qxF -- "$1" "$tmp/log"; }                    # text
checked() { # CASE...
	timeout -k 5 $patience "$wavedeck" exec --model "$model" --check --check-json "$tmp/json" -- "$program" "$@" \
		>"$tmp/out" 2>"$tmp/log" </dev/null
}
# The store: its line, bytes, place, and the work-item; and the line of the copy.
found() { # CASE KERNEL TIMES LINE BYTES PLACE ITEM COPY
	checked "$1"
	reports "wavedeck: uninitialized value that the host reads, $3: $2" &&
		reports "  $(at "$4"): writes $5 at byte $6 of 1,024 bytes: an uninitialized value, which the host reads later" &&
		reports "    work-item $7" && reports '    copied to the host in' && grep -qF " at $(at "$8")" "$tmp/log" &&
		reports "      main at $(at allocate)" && grep -q '"kind": "undefined_copy"' "$tmp/json"
	result $? "$model: $1"
}
moved='move(int const*, int*)'
check_target() { # MODEL TARGET
	model=$1 target=$2
	build_hip_program host_reads -g -O1 -Xarch_host -O0
	found all "$moved" '256 times' move '4 bytes' 0 '0 of workgroup 0 (wave 0, lane 0)' 'read back'
	grep -q '"read": \[' "$tmp/json"
	result $? "$model: the JSON document has the stack of the copy"
	found one "$moved" once move '4 bytes' 280 "6 of workgroup 1 (wave 0, lane 6)" 'read back'
	found default "$moved" '256 times' move '4 bytes' 0 '0 of workgroup 0 (wave 0, lane 0)' default
	found twice "$moved" '256 times' move '4 bytes' 0 '0 of workgroup 0 (wave 0, lane 0)' 'read back'
	found async "$moved" '256 times' move '4 bytes' 0 '0 of workgroup 0 (wave 0, lane 0)' async
	found later "$moved" '256 times' move '4 bytes' 0 '0 of workgroup 0 (wave 0, lane 0)' later
	found address "$moved" '256 times' move '4 bytes' 0 '0 of workgroup 0 (wave 0, lane 0)' address
	found address-async "$moved" '256 times' move '4 bytes' 0 '0 of workgroup 0 (wave 0, lane 0)' 'address async'
	found rows "$moved" '8 times' move '4 bytes' 64 '16 of workgroup 0 (wave 0, lane 16)' rows
	found rows-async "$moved" '8 times' move '4 bytes' 64 '16 of workgroup 0 (wave 0, lane 16)' 'rows async'
	found box "$moved" '16 times' move '4 bytes' 64 '16 of workgroup 0 (wave 0, lane 16)' box
	found box-async "$moved" '16 times' move '4 bytes' 64 '16 of workgroup 0 (wave 0, lane 16)' 'box async'
	found bytes 'move_bytes(char const*, char*)' once 'move bytes' '1 byte' 10 '10 of workgroup 0 (wave 0, lane 10)' 'read back'
	local last='63 of workgroup 0 (wave 0, lane 63)'
	[ "$target" != gfx1100 ] || last='63 of workgroup 0 (wave 1, lane 31)'
	found sum 'sum(int*)' once sum '4 bytes' 252 "$last" 'read back'
	checked async-ok rows-ok box-ok bytes-ok sum-ok members-ok whole-ok tail-ok memset-ok filled-ok unread-ok
	equal "$model: none where the host reads what is defined" \
		'hipSuccess wavedeck: no faults found (memory, init, race, barrier; 12 launches)' "$(cat "$tmp/out" "$tmp/log" | paste -sd' ')"
}
check_target mi25 gfx900
check_target mi60 gfx906
model=rx7900xtx soft rocminfo
if says 'Name: *gfx1100'; then
	check_target rx7900xtx gfx1100
else
	skip 'what the host reads on gfx1100' 'the ROCm runtime here does not know gfx1100'
fi
finish
