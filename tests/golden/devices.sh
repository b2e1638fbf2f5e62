#!/usr/bin/env bash
# The device view as text at three sizes, in Unicode and in ASCII: the list, the constants of a software GPU, its self-test. What depends on the machine
# (versions, the wall clock) is not in it. UPDATE=1 writes the golden files anew: look at the difference before you keep it.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build} n=0 status=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
golden=tests/golden
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$tmp/data
patience=60
[ "${MODE:-}" = asan ] && patience=250
# Without a GPU the list says what is missing; with one it would be another list.
if [ -e /dev/kfd ]; then echo "1..0 # SKIP there is a GPU here"; exit 0; fi
dumps() {
	for size in 80x24 120x36 200x60; do
		printf 'size %s\nglyphs unicode\ndump %s\nglyphs ascii\ndump %s\n' $size "$tmp/devices-$1-$size-unicode.txt" "$tmp/devices-$1-$size-ascii.txt"
	done
}
{
	echo "wait sweep $patience"
	echo 'action devices'
	echo "wait beside $patience"
	echo 'action device-down hip:0'
	dumps list
	echo 'action device-down soft:mi60'
	echo 'action device-down l1_bytes'
	dumps constants
	echo 'action back'
	echo 'action device-test'
	echo "wait beside $patience"
	dumps test
} >"$tmp/script"
"$BUILD/wavedeck" --device soft:mi25 --script "$tmp/script" >"$tmp/out" 2>&1 </dev/null
result=$?
n=$((n + 1))
if [ $result -eq 0 ] && [ ! -s "$tmp/out" ]; then echo "ok $n - the script runs"; else
	echo "not ok $n - the script runs (status $result)"
	sed 's/^/# /' "$tmp/out"
	status=1
fi
# The wall clock's row and the versions of this machine's libraries say nothing about the view.
machine() { sed -E -e '/wall clock/d' -e '/ (hip|hip_library|rocm_smi|driver|kernel) +.*(version|~|…)/d' -e '/HIP finds no GPU|HIP runtime|invalid device/d' "$1"; }
for state in list constants test; do
	for size in 80x24 120x36 200x60; do
		for glyphs in unicode ascii; do
			name=devices-$state-$size-$glyphs.txt
			n=$((n + 1))
			machine "$tmp/$name" >"$tmp/told"
			[ -n "${UPDATE:-}" ] && cp "$tmp/told" "$golden/$name"
			if diff -u "$golden/$name" "$tmp/told" >"$tmp/diff" 2>&1; then echo "ok $n - $state at $size, $glyphs"; else
				echo "not ok $n - $state at $size, $glyphs"
				sed 's/^/# /' "$tmp/diff" | head -n 40
				status=1
			fi
		done
	done
done
echo "1..$n"
exit $status
