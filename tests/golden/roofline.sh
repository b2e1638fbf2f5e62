#!/usr/bin/env bash
# The roofline view compared with golden screens: points of three experiments, in FLOPs and in instructions. Exported.
# The kernels are assembly, so that the counts do not depend on the compiler. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"

{
	echo 'size 80x24'
	echo 'wait device'
	for setup in 'fma-blocks blocks=1,64' 'channel-conflict window=128,8192' 'lds-bank-conflict stride=16,32'; do
		echo "action experiment ${setup% *}"
		echo "action param ${setup#* }"
		echo "wait sweep $patience"
		echo 'action cursor-right'
		echo 'key F'
		echo "wait background $patience"
		[ "${setup% *}" != lds-bank-conflict ] || break
		echo 'key Esc'
	done
	echo 'expect 3 points'
	dumps roofline-instructions
	echo 'action roofline-up 2'
	echo 'key u'
	dumps roofline-flops
	echo "action roofline-export $tmp/roofline.svg"
	echo "action roofline-export $tmp/roofline.csv"
	echo 'expect written to'
	echo "action roofline-export $tmp/roofline.json"
	echo 'expect as .svg or .csv'
	echo 'key Y'
	echo 'expect copied 4 lines'
	echo 'key Delete'
	echo 'expect 2 points'
	echo 'key Space'
	echo 'expect 2 points'
	echo 'action roofline-up 2'
	echo 'key Enter'
	echo 'expect Parameters'
	echo 'expect Memory channels'
} >"$tmp/script"
play --device soft:mi25
same_screens roofline-instructions roofline-flops
[ "$(wc -l <"$tmp/roofline.csv")" -eq 4 ] && grep -q '^"fma-blocks, blocks 64 blocks",soft:mi25,' "$tmp/roofline.csv" &&
	grep -q '<svg' "$tmp/roofline.svg" && [ ! -e "$tmp/roofline.json" ]
result $? 'the roofline is exported as a picture and as CSV'
try 'a recording has no counters' \
	'wait sweep\nkey F\nwait background\nexpect does not count instructions and bytes\n' \
	--device replay:share/sessions/range-latency-mi25.wbs
finish
