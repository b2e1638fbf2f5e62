#!/usr/bin/env bash
# The palette over the workbench, and what each cell of both means (roles, as letters), at three sizes, in Unicode and ASCII. UPDATE=1 writes the golden
# files anew.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build} n=0 status=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
golden=tests/golden
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$tmp XDG_CONFIG_HOME=$tmp
replay=share/sessions/range-latency-mi25.wbs # nothing to wait for

dumps() { # name, command
	for size in 80x24 120x36 200x60; do
		for glyphs in unicode ascii; do
			printf 'size %s\nglyphs %s\n%s %s\n' $size $glyphs "$2" "$tmp/$1-$size-$glyphs.txt"
		done
	done
}
{
	echo 'wait sweep'
	dumps colours-main colours
	echo 'action palette'
	echo 'type param'
	dumps palette dump
	dumps colours-palette colours
} >"$tmp/script"
"$BUILD/wavedeck" --device replay:$replay --script "$tmp/script" >"$tmp/out" 2>&1 </dev/null
result=$?
n=$((n + 1))
if [ $result -eq 0 ] && [ ! -s "$tmp/out" ]; then echo "ok $n - the script runs"; else echo "not ok $n - the script runs"; status=1; sed 's/^/# /' "$tmp/out"; fi
for file in "$tmp"/*-*x*.txt; do
	name=${file##*/}
	n=$((n + 1))
	[ -n "${UPDATE:-}" ] && cp "$file" "$golden/$name"
	if diff -u "$golden/$name" "$file" >"$tmp/diff" 2>&1; then echo "ok $n - $name"; else echo "not ok $n - $name"; status=1; head -n 40 "$tmp/diff" | sed 's/^/# /'; fi
done
echo "1..$n"
exit $status
