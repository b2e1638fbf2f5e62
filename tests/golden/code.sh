#!/usr/bin/env bash
# The code view compared with golden screens: the hot loop with its cycles, its source, the whole kernel with a search,
# the list of variants to compare with, two kernels side by side. All of them are assembly, so that the screens are the
# same with every compiler. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
recording=replay:share/sessions/range-latency-mi25.wbs

{
	sweep_range 64KiB
	echo 'action cursor-right 4'
	echo 'action code'
	echo "wait idle $patience"
	dumps loop
	echo 'action code-sort'
	dumps sorted
	echo 'action code-sort'
	echo 'action code-advice'
	dumps advice
	echo 'action code-advice'
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
	echo 'key x'
	echo 'action back'
	echo 'experiment cacheline-stride'
	echo "wait sweep $patience"
	echo 'action code'
	echo "wait idle $patience"
	echo 'action code-diff marked'
	echo "wait idle $patience"
	echo 'action code-renamed'
	dumps diff
} >"$tmp/script"
play
steady() { without_compiler "$1"; }
same_screens loop sorted advice source all choices diff

# The tile of a matrix instruction. Which VGPRs its factors have is the compiler's choice.
{
	echo 'experiment mfma-layout'
	echo "wait sweep $patience"
	echo 'action code'
	echo "wait idle $patience"
	echo 'action code-search v_mfma'
	echo 'action code-tile'
	echo 'action code-down 5'
	echo 'action code-next-point 17'
	dumps tile
} >"$tmp/script"
play --device soft:mi100
{
	echo 'experiment mfma-throughput'
	echo 'action preset small'
	echo "wait sweep $patience"
	echo 'action param-enter shape'
	echo 'key Ctrl-U'
	echo 'type 4x4-blocks'
	echo 'key Enter'
	echo "wait sweep $patience"
	echo 'action cursor-right 1'
	echo 'action code'
	echo "wait idle $patience"
	echo 'action code-search v_mfma_f32_4x4x4f16'
	echo 'key t'
	echo 'action code-last'
	echo 'expect row 3, column 0 of block 15: lane 60, '
	echo 'action code-up 23'
	echo 'key Right'
	dumps tile-blocks
} >"$tmp/script"
play --device soft:mi100
steady() {
	sed -E '/v_mfma|row .* of [AD]|column .* of B/{s/ [━=]+ Esc back.*//; s/\b([av])(\[[0-9:]+\]|[0-9]+)/\1N/g; s/ +([┃|])$/ \1/}; s/(block [0-9]+: lane [0-9]+), .*/\1/' "$1"
}
same_screens tile tile-blocks
try 'only matrix instructions have a tile' \
	"size 120x36\nglyphs ascii\naction preset small\nwait sweep\naction code\nwait idle\nkey t\nexpect no v_mfma instruction\nexpect hot loop\n"
tile='experiment mfma-layout\naction preset small\nwait sweep\naction code\nwait idle\naction code-search v_mfma\n'
try 'the instruction names the key, arrow keys move, Esc closes the tile' \
	"size 120x36\nglyphs ascii\n${tile}expect t: its tile\nkey t\nkey Up\nkey Left\nexpect row 0, column 0\nkey G\nkey Right\nexpect row 31, column 1\nkey Esc\nexpect t: its tile\n" \
	--device soft:mi100

# Reasons for an empty view, and the keys of the view.
ascii='size 120x36\nglyphs ascii\n' loop='wait sweep\naction code\nwait idle\n'
# A few points are enough for what follows.
open=$ascii'action preset small\n'$loop
try 'an experiment without a kernel is reported' \
	"${ascii}experiment occupancy-limits\nwait idle\naction code\nwait idle\nexpect launches no kernel\n"
try 'a recording has code and no cycles' "${open}expect cycles: not in this recording\nexpect global_load_dword\n" \
	--device "$recording"
try 'the tables show stall reasons' "${open}expect cycles in total\nexpect branch 21\n"
find='key /\ntype v_add\nkey Enter\nexpect - v_add_u32\nkey /\nkey Enter\nexpect - v_add_co_u32\n'
hot='action code-first\nkey n\nexpect - v_mul_lo_u32\nkey n\nexpect - s_cbranch_scc1\nkey n\nexpect - s_waitcnt\n'
hot=$hot'key N\nexpect - s_cbranch_scc1\n'
try 'search finds the next match, hot instructions wrap around' "$open$find$hot"
# Wider, the source shows the end of its longest line.
wide='key >\nkey >\nkey >\nexpect o < outer; o++)\nkey <\nkey <\nkey <\nexpect o < o~\n'
try 'two stall reasons fit next to the source, whose width changes' \
	"${ascii}experiment shared-bank-stride\nwait sweep\naction cursor-right 7\naction code\nwait idle\nexpect LDS 49, LDS conflict 14\nexpect o < o~\n$wide"
try 'a source line selects its instruction' "${open}key Tab\nkey Down\nexpect - v_mul_lo_u32\n"
other='key x\naction back\nexperiment cacheline-stride\naction preset small\nwait sweep\naction code\nwait idle\n'
other=$other'action code-diff marked\nwait idle\nexpect cacheline-stride\nexpect range-latency\n'
try 'a marked point is compared with another experiment' \
	"$open${other}expect only left\nkey Esc\nexpect hot loop\nkey Esc\nexpect Parameters\n"
conflicts='experiment lds-bank-conflict\nwait sweep\naction cursor-right 31\naction code\nwait idle\nkey v\n'
try 'advice on bank conflicts and occupancy' "$ascii${conflicts}expect LDS bank conflicts, 42 %\nexpect limited by LDS\n"
copy='experiment stride-copy\nwait sweep\n'
advice='action code\nwait idle\nkey v\nexpect'
try 'advice on a copy without a stride' "$ascii$copy$advice waiting for memory, \nexpect 1..8 of 8\n"
try 'advice on a copy with a stride' "$ascii${copy}action cursor-right 4\n$advice a load touches 20.0 cache lines\nkey Esc\nexpect instructions\n"
try 'the most expensive instruction is first' "${open}key o\nexpect most cycles first\nexpect - s_waitcnt vmcnt(0)\nkey Down\nexpect - s_cbranch_scc1\n"
try 'a variant is compared with a compiled one' \
	"${open}action code-diff compiled\nwait idle\nexpect variant compiled\nexpect > * v_mad_u64_u32\nexpect left   13\n"
try 'an invalid variant is refused' "${open}action code-diff nonsense\nexpect unknown choice 'nonsense'\n"
pairs='size 160x50\nglyphs ascii\nexperiment vgpr-bank-microbench\nwait idle\naction code\nwait idle\n'
pairs=$pairs'expect 256 pairs, 0 alone; 256 with register bank conflicts\nexpect share a register bank: 1 cycle more\n'
try 'pairs and register banks of another target are shown' "$pairs"'expect *% 0000e4 v_dual_fmac_f32\n'
try 'the view is drawn on the smallest screens' \
	"size 20x6\nglyphs ascii\naction preset small\n${loop}expect s_waitcnt\nsize 8x3\nexpect\nsize 1x1\nexpect\n"
finish
