#!/usr/bin/env bash
# The roofs and formulas of the instruction roofline guide next to the corrected ones: each figure of docs/accuracy.md follows
# from the facts of the models, the counters of one kernel, and what the program computes. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export LC_ALL=C.UTF-8
# model, SQ_INSTS_VALU, SQ_INSTS_SALU, FETCH_SIZE, WRITE_SIZE in KB, ns, GB/s of BabelStream's copy: the authors' tables
mi60='mi60 113796480 47255040 1125436 432711 12661761 808.975476'
mi100='mi100 104751360 30791040 1124711 408483 2461174 933.355781'

quoted() { # row, column from 2 on: a figure of the document
	sed -n '/^## Roofs of the guide/,/^## Known/p' docs/accuracy.md | awk -F ' *[|] *' -v row="$1" -v column="$2" '$2 == row { print $(column + 1) }'
}
near() { # figure, what it is: the same but for the digits that are not printed
	python3 -c 'import sys, math; sys.exit(not math.isclose(float(sys.argv[1]), float(sys.argv[2]), rel_tol=5e-4))' "${1:-0}" "${2:-1}"
}
# The last line of a sweep, by names
metric() { # name
	awk -F , -v name="$1" '/^#/ { next } !column { for (i = 1; i <= NF; i++) if ($i == name) column = i; next } { print $column }' "$tmp/log"
}
constant() { # model, name
	"$BUILD/wavedeck" devices --model "$1" | awk -v name="$2" '$1 == name { print $2 }'
}
printed() { # facts of a kernel: its GIPS and instructions per byte by the printed formulas
	awk '{ i = (4 * $2 + $3) / 64; t = $6 * 1e-9; printf "%.9g %.9g\n", i / 1e9 / t, i / (1000 * ($4 + $5) * t) }' <<<"$1"
}
check_board() { # name, facts, column of the printed figures
	local model=${2%% *} printed_column=$3 column=$(($3 + 1)) roof gips intensity slope
	"$BUILD/wavedeck" run instruction-roofline kernel=stride-16 formulas=printed valu_factor=4 --device "soft:$model" --format csv >"$tmp/log" 2>&1
	roof=$(metric peak)
	near "$(quoted 'flat roof, GIPS' "$printed_column")" "$roof"
	result $? "$1: the printed flat roof, $roof" "$tmp/log"
	near "$roof" "$(awk -v cus="$(constant "$model" compute_units)" -v khz="$(constant "$model" sclk_khz)" 'BEGIN { print cus * 64 * khz / 1e6 }')"
	result $? "$1: CUs, 64 lanes and clock of the model"
	read -r gips intensity < <(printed "$2")
	slope=$(cut -d ' ' -f 7 <<<"$2")
	near "$(quoted 'slope, GB/s: BabelStream, peak' "$printed_column")" "$slope" &&
		near "$(quoted 'ComputeCurrent, GIPS' "$printed_column")" "$gips" &&
		near "$(quoted 'ComputeCurrent, instructions per byte' "$printed_column")" "$intensity" &&
		near "$(quoted 'ComputeCurrent, share of the lower roof, %' "$printed_column")" \
			"$(awk -v g="$gips" -v x="$intensity" -v s="$slope" -v r="$roof" 'BEGIN { l = s * x; print 100 * g / (l < r ? l : r) }')"
	result $? "$1: the kernel by the printed formulas"
	{
		echo 'Index,KernelName,SQ_INSTS_VALU,SQ_INSTS_SALU,FETCH_SIZE,WRITE_SIZE,DurationNs'
		awk -v OFS=, '{ print 0, "ComputeCurrent", $2, $3, $4, $5, $6 }' <<<"$2"
	} >"$tmp/kernel.csv"
	"$BUILD/wavedeck" roofline --import "$tmp/kernel.csv" --device "soft:$model" --json >"$tmp/log" 2>&1
	read -r gips intensity roof slope share < <(python3 -c '
import json, sys
k = json.load(open(sys.argv[1]))["kernels"][0]
print(k["per_second"] / 1e9, k["intensity"], k["limits"]["peak"] / 1e9, k["limits"]["memory_bytes_per_s"] / 1e9,
	100 * k["per_second"] / k["limits"]["at_intensity"])' "$tmp/log")
	near "$(quoted 'flat roof, GIPS' "$column")" "$roof" && near "$(quoted 'slope, GB/s: BabelStream, peak' "$column")" "$slope"
	result $? "$1: the corrected roofs, $roof GIPS and $slope GB/s" "$tmp/log"
	near "$(quoted 'ComputeCurrent, GIPS' "$column")" "$gips" &&
		near "$(quoted 'ComputeCurrent, instructions per byte' "$column")" "$intensity" &&
		near "$(quoted 'ComputeCurrent, share of the lower roof, %' "$column")" "$share"
	result $? "$1: the kernel by the corrected formulas" "$tmp/log"
}
check_board MI60 "$mi60" 2
grep -q '"verdict":"latency-bound: 12 % of the memory bandwidth"' "$tmp/log"
result $? 'MI60: limited by neither roof' "$tmp/log"
check_board MI100 "$mi100" 4
grep -q '"verdict":"memory-bound: 52 % of the memory bandwidth"' "$tmp/log"
result $? 'MI100: memory-bound at half of the peak' "$tmp/log"
finish
