#!/usr/bin/env bash
# The command palette over the workbench, and the color role of each cell as a letter, compared with golden screens.
# TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"

# A recording needs no waiting.
recording=replay:share/sessions/range-latency-mi25.wbs
{
	echo 'wait sweep'
	dumps colors-main colors
	echo 'action palette'
	echo 'type param'
	dumps palette dump
	dumps colors-palette colors
} >"$tmp/script"
play --device "$recording"
for file in "$tmp"/*-*x*.txt; do
	same_screen "${file##*/}"
done
finish
