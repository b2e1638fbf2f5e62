#!/usr/bin/env bash
# The inspector compared with golden screens: each page, for launches with known results. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
recording=replay:share/sessions/range-latency-mi25.wbs

{
	echo 'size 80x24'
	# 4 KiB in L1: 64 lines miss once, all other accesses hit
	sweep_range 16KiB
	echo 'action cursor-right 2'
	echo 'expect 4 KiB'
	echo 'action inspector sets'
	echo 'wait background '$patience
	echo 'expect 65472 hits, 64 misses, 0 evictions'
	echo 'expect set 0: 102'
	dumps sets
	echo 'size 80x24'
	echo 'action inspector-steps'
	echo 'action inspector-next-load'
	echo 'action inspector-right'
	echo 'wait background '$patience
	echo 'action inspector-go 1000'
	echo 'wait background '$patience
	echo 'expect step 1000 of wave 0'
	dumps steps
	echo 'key f'
	echo 'expect registers: decimal'
	echo 'key f'
	echo 'expect registers: float'
	echo 'key f'
	echo 'size 80x24'
	echo 'action inspector-next-load'
	echo 'action inspector-right'
	echo 'expect L1 1 hit, 0 miss'
	echo 'action inspector-left 300'
	echo 'wait background '$patience
	echo 'action inspector-next-barrier'
	echo 'expect has no barrier'
	# 32 lanes of a half wave on one bank
	echo 'action back'
	echo 'experiment lds-bank-conflict'
	echo 'action param-enter stride'
	echo 'type 32..33'
	echo 'key Enter'
	echo "wait sweep $patience"
	echo 'action inspector lanes'
	echo 'wait background '$patience
	echo 'expect 64 cycles of the banks, 62 of them bank conflicts'
	echo 'expect lanes 0..31 access 32 dwords of it'
	echo 'expect LDS conflict 62'
	dumps lanes
	echo 'size 80x24'
	echo 'action back'
	# four waves per SIMD share its vector unit
	echo 'experiment fma-waves'
	echo "wait sweep $patience"
	echo 'action cursor-right 9'
	echo 'action inspector timeline'
	echo 'wait background '$patience
	echo 'expect CU 0 of 64: 16 waves'
	# it opens on two trips of the hot loop; a shows the whole launch, where a cell has what took longest
	echo 'expect issues until'
	echo 'expect v_mad_f32'
	dumps timeline
	echo 'size 80x24'
	echo 'action inspector-whole'
	echo 'wait background '$patience
	echo 'expect mostly VALU'
	dumps whole
	echo 'size 80x24'
	echo 'action inspector-first'
	echo 'action inspector-zoom-in 14'
	echo 'wait background '$patience
	echo 'action inspector-go 500'
	echo 'wait background '$patience
	echo 'expect cycles): host memory'
	echo 'action inspector-trips'
	echo 'wait background '$patience
	echo 'expect v_mad_f32'
	echo 'action inspector-go 1095'
	echo 'wait background '$patience
	echo 'action inspector-more'
	echo 'wait background '$patience
	echo 'expect no wave ran on this CU'
	echo 'action inspector-less'
	echo 'wait background '$patience
	echo 'action inspector-follow'
	echo 'wait background '$patience
	echo 'expect step 4 of wave 0, cycle 1095'
	# an invalid constant is reported in one line; a valid one changes the device
	echo 'action inspector-hardware'
	echo 'action inspector-set l1_bytes=3GiB'
	echo 'expect l1_bytes must be a whole number from 1 KiB to 1 MiB'
	echo 'action inspector-set l1_ways=3'
	echo 'expect l1_ways'
	echo 'action inspector-set no_such=3'
	echo "expect unknown constant 'no_such'"
	# what a filter hides cannot be changed
	echo 'action inspector-filter no_such'
	echo "expect no constant matches 'no_such'"
	for change in inspector-right inspector-left inspector-reset 'inspector-set 3' inspector-set; do
		echo "action $change"
		echo 'expect no constant is selected'
		echo 'expect soft:mi25 '
	done
	# undo: a constant that is not in use yet, then one that is; its earlier curve is known
	echo 'action inspector-filter valu_cycles'
	echo 'action inspector-right'
	echo 'action undo'
	echo 'expect undone; the device is soft:mi25'
	echo 'action inspector-right'
	echo 'wait background '$patience
	echo "wait sweep $patience"
	echo 'expect was 4 cycles'
	echo 'key u'
	echo 'expect undone; the device is soft:mi25; earlier curve restored'
	echo 'key U'
	echo 'expect redone; the device is soft:mi25,valu_cycles=8; earlier curve restored'
	echo 'key u'
	echo 'action inspector-set valu_cycles=8'
	echo 'wait background '$patience
	echo "wait sweep $patience"
	echo 'expect soft:mi25,valu_cycles=8'
	dumps hardware
	echo 'size 80x24'
	echo 'action inspector-timeline'
	echo 'wait background '$patience
	echo 'action inspector-hardware'
	echo 'action inspector-reset-all'
	echo 'wait background '$patience
	echo "wait sweep $patience"
	echo 'action back'
	echo 'action inspector hardware'
	echo 'wait background '$patience
} >"$tmp/script"
play --device soft:mi25
# Addresses of the host and of the GPU differ from run to run, and in length from one HIP to the next.
steady() {
	case $1 in
	*/steps-*) sed -E 's/\b[0-9a-f]{8}\b/xxxxxxxx/g; /0x[0-9a-f]{6,}/s/ +([┃|])$/ \1/; s/0x[0-9a-f]{6,}/0x.../g' "$1" ;;
	*) cat "$1" ;;
	esac
}
same_screens sets steps lanes timeline whole hardware

# Of compiled code, the steps page shows the source line of the next instruction.
steps='action inspector-steps\nwait background\naction inspector-right 60\nwait background\n'
try 'the steps page shows the source line' \
	"experiment shared-bank-stride\nwait sweep\naction inspector\nwait background\n${steps}expect  line 1\n" --device soft:mi25
# Buffers have another address in each launch; memory is still found in them.
memory="experiment transpose\nwait sweep $patience\naction inspector steps\nwait background $patience\n"
try 'the steps page shows memory of a buffer' \
	"${memory}action inspector-memory out+4\nwait background $patience\nexpect memory at out+4 = out + 0x4\nexpect +0x20\n" \
	--device soft:mi25
try 'the address of an instruction is suggested' \
	"${memory}action inspector-next-load\nkey a\nexpect lds v1; empty: none): s[6:7]+0x0\nkey Enter\nwait background $patience\nexpect memory at s[6:7]+0x0 = address 0x\n" \
	--device soft:mi25
try 'memory that cannot be read is reported' \
	"${memory}action inspector-memory 0x40\nwait background $patience\nexpect cannot be read\naction inspector-memory nowhere\nexpect 'nowhere' is not an address\n" \
	--device soft:mi25
# A page without counts is a sentence.
try 'a kernel that does not use a cache is reported' \
	'experiment fma-blocks\nwait sweep\naction inspector\nwait background\nkey c\nwait background\nexpect The kernel has no vector loads\n' \
	--device soft:mi25
# Launches that cannot be inspected report why.
try_exit 'a recording cannot be inspected' 'wait sweep\naction inspector\ndump\n' 0 'not available for a recording' \
	--device "$recording"
try_exit 'a device without timing cannot be inspected' \
	"wait sweep $patience\naction inspector\nwait background $patience\ndump\n" 0 'no timing' \
	--device soft:mi25,timing=0
try_exit 'an experiment without a launch cannot be inspected' \
	'experiment lds-bandwidth-budget\naction inspector\ndump\n' 0 'launches no kernel' --device soft:mi25
# A recording that begins after a constant was changed names the changed device.
"$BUILD/wavedeck" --device soft:mi25 --script - >"$tmp/out" 2>&1 <<END
wait sweep $patience
action record
action inspector hardware
action inspector-set l1_bytes=32KiB
wait background $patience
wait sweep $patience
action back
action record
END
grep -l '"soft:mi25,l1_bytes=32768"' -r "$tmp" --include='*.wbs' >"$tmp/found" 2>/dev/null
[ -s "$tmp/found" ]
result $? 'a recording names the changed device' "$tmp/out"
finish
