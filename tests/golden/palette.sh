#!/usr/bin/env bash
# The command palette over the workbench, and the role of each cell (roles, as letters), at three sizes, in Unicode and ASCII.
. "$(dirname "$0")/golden.bash"

replay=share/sessions/range-latency-mi25.wbs # nothing to wait for

{
	echo 'wait sweep'
	dumps colors-main colors
	echo 'action palette'
	echo 'type param'
	dumps palette dump
	dumps colors-palette colors
} >"$tmp/script"
play --device replay:$replay
for file in "$tmp"/*-*x*.txt; do
	same_file "${file##*/}"
done
finish
