#!/usr/bin/env bash
# The view of what checks found, compared with golden screens: before a check, after it, without faults. It checks the
# user's own kernels by itself, shows the step of an access in the inspector, and the other side of a race. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
own=tests/e2e/check/own/sums.lua
# The time that a check took; the rest of the frame's edge goes with it. Values of registers: addresses differ each time.
steady() {
	perl -CSD -Mutf8 -pe 's{ [━=]+ (\d+ points?) checked in [\d.]+ s .*}{ $1 checked (time)};
		s{\b([sv]\d+ +)[0-9a-f]{8}\b}{$1........}g' "$1"
}
line_of() { grep -n "// line: $1\$" tests/e2e/check/own/sums.hip | cut -d: -f1; } # NAME

{
	echo 'size 120x36'
	echo 'wait sweep'
	echo "wait background $patience"
	echo 'expect sums: 2 places in the kernel are wrong; ! shows them'
	echo 'key !'
	dumps checks-places
	echo 'key Down'
	echo "expect sums.hip:$(line_of add): wrote there before"
	echo 'key Up'
	echo 'size 120x36'
	echo 'key Enter'
	echo "wait background $patience"
	echo 'expect of wave 4, cycle'
	echo 'expect ds_read_b32'
	echo "expect line $(line_of add) "
	echo 'key o'
	echo "wait background $patience"
	echo 'expect of wave 6, cycle'
	echo 'expect ds_write_b32'
	echo "expect line $(line_of first) "
	echo 'expect the other side of the race, which came first'
	echo 'key o'
	echo "wait background $patience"
	echo 'expect of wave 4, cycle'
	echo 'expect the access that the check reported'
	echo 'key Esc'
	echo 'action set check=off'
	echo 'action param shift=1'
	echo "wait sweep $patience"
	echo 'key !'
	echo 'key r'
	echo "wait background $patience"
	echo 'expect 3 places in the kernel are wrong'
	echo 'expect access outside of an allocation'
	echo 'action checks-last'
	echo 'expect right past the end of the 8 bytes of buffer out'
} >"$tmp/script"
play "$own"
same_screens checks-places

{
	echo 'size 120x36'
	echo 'wait device'
	echo 'key !'
	dumps checks-nothing
	echo 'key Enter'
	echo 'key Esc'
	echo 'action experiment lds-latency'
	echo 'action param lanes=1,64'
	echo "wait sweep $patience"
	echo 'key !'
	echo 'expect Nothing was checked yet'
	echo 'key r'
	echo "wait background $patience"
	echo 'expect lds-latency: no faults found in 2 points'
	dumps checks-clean
	echo 'key Esc'
	echo 'action set check=all'
	echo 'action param lanes=2,32'
	echo "wait sweep $patience"
	echo "wait background $patience"
	echo 'key !'
	echo 'expect 2 points checked'
} >"$tmp/script"
play --device soft:mi25
same_screens checks-nothing checks-clean

# --- from an access past the end to the value that its address comes from ---
{
	echo 'size 120x36'
	echo 'wait device'
	echo 'action experiment array-end'
	echo 'action param guard=off_by_one'
	echo 'action param neighbors=0'
	echo 'action param block=256'
	echo "wait sweep $patience"
	echo 'key !'
	echo 'key r'
	echo "wait background $patience"
	echo 'expect right past the end of the 4,000 bytes of buffer out'
	echo 'key Enter'
	echo "wait background $patience"
	echo 'expect global_store_dword v[0:1], v2, off'
	echo 'expect lane 40'
	echo 'key d'
	echo "wait background $patience"
	echo 'expect v0 is written here, for the last time before step 26; Right shows its value'
	dumps checks-writer
	echo 'size 120x36'
	echo 'key Right'
	echo 'expect done: v_add_co_u32_e32 v0, vcc, s2, v0'
	echo 'key o'
	echo "wait background $patience"
	echo 'expect the access that the check reported'
	echo 'action inspector-wave 0'
	echo "wait background $patience"
	echo 'action inspector-go +000074'
	echo "wait background $patience"
	echo 'action inspector-more 0'
	echo 'expect lane 0'
	# lane 0 of block 0 shifts 0, which changes nothing
	echo 'key d'
	echo 'expect v0 is written here'
	echo 'key Right'
	echo 'expect done: v_lshlrev_b64 v[0:1], 2, v[0:1]'
	echo 'action inspector-go 0'
	echo "wait background $patience"
	echo 'key d'
	echo "wait background $patience"
	echo 'expect the wave began with it; this is its first step'
	echo 'action inspector-last'
	echo 'key d'
	echo 'expect this instruction reads no register'
} >"$tmp/script"
play --device soft:mi25
same_screens checks-writer
try 'from a lesson to the report and the step' \
	"size 120x36\\nwait device\\naction lessons races\\nkey Right\\nkey x\\nwait background $patience\\nkey Tab\\nkey Enter\\nwait sweep $patience\\nkey !\\nkey r\\nwait background $patience\\nexpect data race in LDS\\nkey Enter\\nwait background $patience\\nexpect ds_read_b32\\nexpect part[t] += part[t + half]" \
	--device soft:mi25
try 'a recording is not checked' 'wait sweep\nkey !\nkey r\nexpect only a software GPU checks kernels\n' \
	--device replay:share/sessions/range-latency-mi25.wbs
try 'nothing is checked by itself with check=off' \
	'action set check=off\naction run\nwait sweep\nwait background\nkey !\nexpect Nothing was checked yet\n' "$own"
try 'a wrong access is refused' 'wait sweep\naction inspector-access 1 2\nexpect write WAVE LANE OFFSET CYCLE\naction inspector-access 1 99 0 0\nexpect write WAVE LANE OFFSET CYCLE\n' "$own"
finish
