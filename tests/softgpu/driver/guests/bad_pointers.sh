#!/usr/bin/env bash
# Bad pointers in requests to the device: EFAULT, as from the kernel. TAP.
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
guest=$tmp/bad-pointers
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -I. -o "$guest" "$here/guests/bad_pointers.c" >"$log" 2>&1
result $? "the program compiles"
soft "$guest"
equal "it ends with status 0" 0 $?
grep -E '^(not )?ok' "$log" >"$tmp/lines"
while read -r line; do
	case $line in ok*) result 0 "${line#ok - }" ;; *) result 1 "${line#not ok - }" ;; esac
done <"$tmp/lines"
finish
