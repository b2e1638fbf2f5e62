#!/usr/bin/env bash
# The table view compared with golden screens: a recording of real hardware with samples that differ, sorted by a
# column; a curve of the software GPU. The recording is written by this script. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"

awk 'BEGIN {
	print "{\"type\":\"session\",\"schema\":1,\"time\":\"2027-03-01T10:14:00Z\",\"experiment\":\"range-latency\"," \
		"\"title\":\"Latency, by range\",\"device\":{\"type\":\"device\",\"device\":\"hip:0\",\"name\":\"Radeon Instinct MI25\"," \
		"\"arch\":\"gfx900\",\"deterministic\":false},\"params\":{\"reads\":65536,\"laps\":1,\"stride\":128,\"variant\":\"published\"}," \
		"\"sweep\":{\"param\":\"rangesize\",\"values\":[1024,2048,4096,8192,16384,32768,65536,131072]}}"
	for (i = 0; i < 8; i++) {
		printf "{\"type\":\"point\",\"point\":%d,\"experiment\":\"range-latency\",\"params\":{\"rangesize\":%d,", i, 1024 * 2 ^ i
		printf "\"reads\":65536,\"laps\":1,\"stride\":128,\"variant\":\"published\"},\"status\":\"ok\",\"seconds\":["
		for (k = 0; k < 40; k++) {
			noise = ((i * 40 + k) * 7919 % 101) / 101
			printf "%s%.9f", k ? "," : "", (i < 5 ? 0.0102 : 0.016) * (1 + 0.02 * noise * noise * noise)
		}
		printf "],\"sclk_mhz\":%d,\"mclk_mhz\":945,\"temp_c\":41,\"power_w\":%d,", 1530 + i, 80 + i
		printf "\"clocks_moved\":%s,\"verify\":\"ok\",\"contract\":\"ok\"}\n", i == 3 ? "true" : "false"
	}
}' >"$tmp/hip.wbs"

{
	echo 'size 80x24'
	echo 'wait sweep'
	echo 'key T'
	echo 'key Down'
	dumps table-samples
	echo 'action table-sort latency'
	echo 'key s'
	echo 'key Home'
	dumps table-sorted
	echo 'key y'
	echo 'expect copied 9 lines'
	echo "clipboard $tmp/copied"
	echo "action table-export $tmp/table.csv"
	echo 'expect written to'
	echo 'key Esc'
	echo 'expect Parameters'
} >"$tmp/script"
steady() { cat "$1"; }
play --device "replay:$tmp/hip.wbs"
same_screens table-samples table-sorted
head -n 1 "$tmp/copied" | grep -q "^rangesize (B)	latency (cycles)	" && [ "$(sed -n '2s/	.*//p' "$tmp/copied")" = 131072 ]
result $? 'the copied table has plain numbers in the order of the rows' "$tmp/copied"
grep -v '^#' "$tmp/table.csv" >"$tmp/rows"
head -n 1 "$tmp/rows" | grep -q '^rangesize,latency,bandwidth,read_time,time_s,min_s,q1_s,q3_s,max_s,spread_%,n,' &&
	[ "$(wc -l <"$tmp/rows")" -eq 9 ]
result $? 'the exported table has the statistics' "$tmp/table.csv"
try 'a curve of the software GPU has one sample for each point' \
	'size 120x36\nwait sweep\nkey T\nexpect One sample\nexpect by\n' --device replay:share/sessions/range-latency-mi25.wbs
finish
