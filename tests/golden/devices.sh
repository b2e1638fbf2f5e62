#!/usr/bin/env bash
# The device view as text at three sizes, in Unicode and in ASCII: the list, the constants of a software GPU, its self-test. What depends on the machine
# (versions, the wall clock) is not in it.
. "$(dirname "$0")/golden.bash"

# Without a GPU the list reports what is missing; with one the list would differ.
if [ -e /dev/kfd ]; then echo "1..0 # SKIP there is a GPU here"; exit 0; fi
{
	echo "wait sweep $patience"
	echo 'action devices'
	echo "wait background $patience"
	echo 'action device-down hip:0'
	dumps list
	echo 'action device-down soft:mi60'
	echo 'action device-down l1_bytes'
	dumps constants
	echo 'action back'
	echo 'action device-test'
	echo "wait background $patience"
	dumps test
} >"$tmp/script"
play --device soft:mi25
# The wall clock's row and the versions of this machine's libraries are left out.
steady() { sed -E -e '/wall clock/d' -e '/ (hip|hip_library|rocm_smi|driver|kernel) +.*(version|~|…)/d' -e '/HIP finds no GPU|HIP runtime|invalid device/d' "$1"; }
same list constants test
finish
