#!/usr/bin/env bash
# The roofline view compared with golden screens: points of three experiments, in FLOPs and in instructions. Exported.
# Kernels of profilers' files next to them.
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

# --- files of profilers ---
profiles=tests/experiments/profiles
import() { # file
	printf 'key i\nexpect CSV files of a profiler\ntype %s\nkey Enter\n' "$1"
}
{
	echo 'size 80x24'
	echo 'wait device'
	echo 'action experiment fma-blocks'
	echo 'action param blocks=1,64'
	echo "wait sweep $patience"
	echo 'action cursor-right'
	echo 'key F'
	echo "wait background $patience"
	import "$profiles/ncu-h200.csv"
	echo 'expect 2 kernels of NVIDIA H200, from ncu'
	echo 'expect 3 points'
	dumps roofline-imported
	echo 'key Enter'
	echo 'expect this kernel is from a file'
	import "$profiles/ncu-h200.csv"
	echo 'expect 3 points'
	echo "action roofline-import $profiles/rocprof-mi210.csv"
	echo 'expect would move 1.12 TB/s'
	echo "action roofline-import $tmp/none.csv"
	echo 'expect cannot read'
	echo 'expect 3 points'
	echo "action roofline-export $tmp/imported.csv"
} >"$tmp/script"
play --device soft:mi25
same_screens roofline-imported
grep -q '^ncu-h200: fmas(float \*),NVIDIA H200,4.8608e-05,' "$tmp/imported.csv"
result $? 'kernels of a file are exported with their device' "$tmp/imported.csv"
# Kernel 1 takes 1 us, kernel 20 takes 20: each as long as its number.
{
	echo '"KernelName","FETCH_SIZE","WRITE_SIZE","SQ_INSTS_VALU","SQ_INSTS_SALU","DurationNs"'
	for n in $(seq 20); do echo "\"kernel$n\",10,10,1000,100,${n}000"; done
} >"$tmp/many.csv"
try 'of a file with many kernels, those that took most time' \
	"wait device\naction roofline\naction roofline-import $tmp/many.csv\nexpect 16 longest kernels of\nexpect 16 points\nexpect many: kernel20\naction roofline-up 20\nexpect A many: kernel5\n" \
	--device soft:mi25
long=$(printf 'x%.0s' {1..150})
sed -n '1p; 2,3s/kernel/'"$long"'/p' "$tmp/many.csv" >"$tmp/long.csv"
try 'kernels whose long names begin alike are two points' \
	"wait device\naction roofline\naction roofline-import $tmp/long.csv\nexpect 2 points\naction roofline-import $tmp/long.csv\nexpect 2 points\n" \
	--device soft:mi25
try 'a file without limits needs a model' \
	"wait sweep\naction roofline\nwait background\naction roofline-import $profiles/rocprof-mi210.csv\nexpect has no limits of its GPU\n" \
	--device replay:share/sessions/range-latency-mi25.wbs
finish
