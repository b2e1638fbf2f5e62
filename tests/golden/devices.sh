#!/usr/bin/env bash
# The device view compared with golden screens: the list, the constants of a software GPU, its self-test. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"

# Without a GPU the list reports what is missing; with a GPU the list would differ.
if [ -e /dev/kfd ]; then
	skip 'the device view' 'this machine has a GPU'
	finish
fi
{
	echo "wait sweep $patience"
	echo 'action devices'
	echo "wait background $patience"
	echo 'action device-down hip:0'
	dumps list
	echo 'expect 48 WGP (96 CU)'
	echo 'action device-down soft:mi60'
	echo 'action device-down l1_bytes'
	dumps constants
	echo 'action back'
	echo 'action device-test'
	echo "wait background $patience"
	dumps test
} >"$tmp/script"
play --device soft:mi25
# Removes the row of the wall clock, the versions of the libraries, and the rate of HIP's copy kernel.
steady() {
	sed -E -e 's/(copy on the device +)[0-9]+\.[0-9]( GB)/\1 (rate)\2/' -e '/wall clock/d' -e '/ (hip|hip_library|rocm_smi|driver|kernel) +.*(version|~|…)/d' \
		-e '/HIP finds no GPU|HIP runtime|invalid device/d' -e '/soft:rx7900xtx/d' "$1"
}
same_screens list constants test
finish
