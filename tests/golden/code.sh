#!/usr/bin/env bash
# The code view as text at three sizes, in Unicode and in ASCII, compared with the golden screens: the chase's loop with its cycles, its source, the whole kernel with a
# search, the list of what to compare with, two variants side by side.
. "$(dirname "$0")/golden.bash"
export XDG_CACHE_HOME=$tmp/cache

{
	echo "wait sweep $patience"
	echo 'action cursor-right 4'
	echo 'action code'
	echo "wait idle $patience"
	dumps loop
	echo 'action code-pane'
	dumps source
	echo 'action code-pane'
	echo 'action code-all'
	echo 'action code-search s_load_dwordx2'
	dumps all
	echo 'action code-diff'
	dumps choices
	echo 'action back'
	echo 'action code-all'
	echo 'action code-diff compiled'
	echo "wait idle $patience"
	echo 'action code-renamed'
	dumps diff
} >"$tmp/script"
play
same loop source all choices diff

# Why the view may be empty, and what its keys do.
open='size 120x36\nglyphs ascii\nwait sweep\naction code\nwait idle\n'
try 'an experiment without a kernel is reported' \
	'size 120x36\nglyphs ascii\nexperiment occupancy-limits\nwait idle\naction code\nwait idle\nexpect launches no kernel\n'
try 'a recording has code and no cycles' "${open}expect cycles: not in this recording\nexpect global_load_dword\n" --device replay:share/sessions/range-latency-mi25.wbs
try 'the tables show stall reasons' "${open}expect cycles in total\nexpect BRANCH 21\n"
find='key /\ntype v_add\nkey Enter\nexpect - v_add_u32\nkey /\nkey Enter\nexpect - v_add_co_u32\n'
hot='action code-first\nkey n\nexpect - v_mul_lo_u32\nkey n\nexpect - s_cbranch_scc1\nkey n\nexpect - s_waitcnt\nkey N\nexpect - s_cbranch_scc1\n'
try 'search finds the next match, hot instructions wrap around' "$open$find$hot"
try 'a source line selects its instruction' "${open}key Tab\nkey Down\nexpect - v_mul_lo_u32\n"
other='key x\naction back\nexperiment cacheline-stride\nwait sweep\naction code\nwait idle\naction code-diff marked\nwait idle\n'
try 'a marked point is compared with another experiment' \
	"$open${other}expect cacheline-stride\nexpect range-latency\nexpect only left\nkey Esc\nexpect hot loop\nkey Esc\nexpect Parameters\n"
try 'an invalid variant is refused' "${open}action code-diff nonsense\nexpect unknown choice 'nonsense'\n"
try 'it draws on the smallest screens' \
	'size 20x6\nglyphs ascii\nwait sweep\naction code\nwait idle\nexpect s_waitcnt\nsize 8x3\nexpect\nsize 1x1\nexpect\n'
finish
