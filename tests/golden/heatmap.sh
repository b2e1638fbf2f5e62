#!/usr/bin/env bash
# The heat map view compared with golden screens: the offer, the map of a recording of two parameters, with a failed and
# a suspect point. Exported and copied. The recording is written by this script. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"

awk 'BEGIN {
	print "{\"type\":\"session\",\"schema\":1,\"time\":\"2027-03-01T10:14:00Z\",\"experiment\":\"lds-bank-conflict\"," \
		"\"title\":\"LDS bank conflicts, by stride\",\"device\":{\"type\":\"device\",\"device\":\"hip:0\"," \
		"\"name\":\"Radeon Instinct MI25\",\"arch\":\"gfx900\",\"deterministic\":false},\"params\":{\"variant\":\"published\"}," \
		"\"sweep\":[{\"param\":\"outer\",\"values\":[100,200,400,800,1600]}," \
		"{\"param\":\"stride\",\"values\":[1,2,4,8,16,32,64]}]}"
	for (i = 0; i < 35; i++) {
		outer = 100 * 2 ^ int(i / 7); stride = 2 ^ (i % 7)
		cycles = stride < 8 ? 64 : 64 * stride / 4
		printf "{\"type\":\"point\",\"point\":%d,\"experiment\":\"lds-bank-conflict\",", i
		printf "\"params\":{\"outer\":%d,\"stride\":%d,\"variant\":\"published\"},", outer, stride
		if (i == 9) { print "\"status\":\"failed\",\"error\":\"GPU memory fault\",\"seconds\":[]}"; continue }
		printf "\"status\":\"ok\",\"seconds\":[%.12f],\"sclk_mhz\":1500,", cycles * outer * 100 / 1.5e9
		printf "\"clocks_moved\":%s,\"verify\":\"ok\",\"contract\":\"ok\"}\n", i == 17 ? "true" : "false"
	}
}' >"$tmp/product.wbs"

{
	echo 'size 80x24'
	echo 'wait sweep'
	echo 'key H'
	dumps heatmap-offer
	echo 'key Space'
	echo 'expect heat map: opening the device'
	echo 'wait background'
	echo 'expect 35 points measured'
	echo 'key Right'
	echo 'key Up'
	dumps heatmap-product
	dumps colors-heatmap colors
	echo 'key Y'
	echo 'expect copied 6 lines'
	echo "clipboard $tmp/copied"
	echo "action heatmap-export $tmp/map.svg"
	echo "action heatmap-export $tmp/map.html"
	echo "action heatmap-export $tmp/map.csv"
	echo 'expect written to'
	echo 'action heatmap-metric bandwidth'
	echo 'expect bandwidth, GB/s'
	echo 'action heatmap-x variant'
	echo 'expect Space measures all combinations'
	echo 'action heatmap-x stride'
	echo 'action heatmap-right 3'
	echo 'key Enter'
	echo 'wait sweep'
	echo 'expect 7 points measured'
	echo 'expect 200 trips'
} >"$tmp/script"
steady() { sed -E 's/, ~[0-9]+ (s|min|h)\.|, less than 1 s\.|, time unknown\./, (time)/; s/\(time\) +/(time) /; s/ *$//' "$1"; }
play --device "replay:$tmp/product.wbs"
same_screens heatmap-offer heatmap-product colors-heatmap
head -n 1 "$tmp/copied" | grep -q "stride	1	2	4	8	16	32	64$" && [ "$(sed -n '2s/	.*//p' "$tmp/copied")" = 100 ]
result $? 'the copied map has a row for each value of y' "$tmp/copied"
[ "$(grep -c 'class="cell"' "$tmp/map.svg")" -eq 35 ] && grep -q '<title>stride 16, outer 400: 256 cycles</title>' "$tmp/map.svg"
result $? 'the picture has the map' "$tmp/map.svg"
[ "$(grep -c 'class="cell"' "$tmp/map.html")" -eq 70 ] && [ "$(grep -vc '^#' "$tmp/map.csv")" -eq 36 ]
result $? 'the report has a map of each metric, and the CSV all points'
if command -v xmllint >/dev/null 2>&1; then
	xmllint --noout "$tmp/map.svg" 2>"$tmp/log"
	result $? 'the picture is well-formed' "$tmp/log"
else
	skip 'the picture is well-formed' 'xmllint is not installed'
fi
try 'Esc cancels, and an experiment with one parameter is refused' \
	'wait device\naction experiment lds-bank-conflict\nwait sweep\nkey H\nkey Space\nkey Esc\nexpect canceled\n'
finish
