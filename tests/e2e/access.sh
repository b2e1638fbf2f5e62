#!/usr/bin/env bash
# The memory access experiments show the expected mechanisms; verdict and plot of the instruction roofline. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export HOME=$tmp
run() { "$wavedeck" run "$@" --device soft:mi25 --format csv >"$tmp/log" 2>&1; }
column() { csv_column "$1" "$tmp/log"; }
falls() { # numbers: each below the previous one
	awk -v list="$1" 'BEGIN {
		n = split(list, a, " ")
		for (i = 2; i <= n; i++) if (a[i] >= a[i - 1]) exit 1
		exit n < 2 }'
}

run offset-copy offset=0,1,15,16,17,32 total_threads=2^14
equal 'an unaligned copy reads one more line' '4 5 5 4 5 4' "$(column lines_read)"
equal 'an unaligned copy writes one more line' '4 5 5 4 5 4' "$(column lines_written)"
run stride-copy stride=1,2,8,16,32 total_threads=2^14
equal 'lines grow with the stride until each lane has its own' '4 8 32 64 64' "$(column lines_read)"
run coalescing-patterns map=identity,permuted,reversed,pairs,shifted total_threads=2^14
equal 'the order inside a line does not matter' '4 4 4 2 5' "$(column lines_read)"
equal 'on the oldest devices the order inside a line matters' '1 16 16 16 16' "$(column cc10)"
equal 'on compute capability 1.2 it does not matter' '1 1 1 1 2' "$(column cc12)"
run coalescing-patterns map=identity element=4,8,16 total_threads=2^14
equal 'wider elements need more lines' '4 8 16' "$(column lines_read)"
run l1-bypass policy=bypass stride=1,16 total_threads=2^13; equal 'glc loads miss L1' '0 0' "$(column hits)"
run l1-bypass policy=cached waves=4,40 stride=16 total_threads=2^18; falls "$(column hits)"
result $? "more waves than fit in L1: $(column hits) % hits"
run shared-bank-stride access=linear,permuted,broadcast stride=1,8,32 outer=5
equal 'predicted ways: the order does not matter, a broadcast has no conflict' '1 8 32 1 8 32 1 1 1' "$(column ways)"
equal 'measured: two passes of 32 lanes' '0 14 62 0 14 62 0 0 0' "$(column conflict_cycles)"
run transpose tile=32 width=512 height=512 form=copy,naive --counters TCC_WRITE_sum
equal 'each lane of a column stores by a request of its own' '16384 262144' "$(column TCC_WRITE_sum)"
equal 'L2 merges the requests of a line before it writes to memory' '4 4' "$(column written)"
run transpose tile=32 width=512 height=512 form=coalesced,padded
equal 'an extra column spreads the tile over the banks' '62 0' "$(column bank_conflicts)"
run transpose form=printed width=64 height=64; result $? "the source's index is correct for square matrices"
run transpose form=printed width=64 height=32; equal 'the index is wrong for other matrices' 1 $?
run copy-compute-overlap chunks=8 streams=1,2 elements=2^17; falls "$(column time)"
result $? "copies overlap with kernels: $(column time) us"
run recompute-or-transfer ops_per_element=1,1024 form=transfer,recompute elements=2^16
awk -v list="$(column time)" 'BEGIN { split(list, t, " "); exit !(t[2] < t[1] && t[1] == t[3] && t[4] > t[3]) }'
result $? "recomputing is cheaper for few operations: $(column time) us"

"$wavedeck" run instruction-roofline @small --record "$tmp/r.wd" >"$tmp/log" 2>&1
result $? 'instruction-roofline @small is recorded'
grep -Eq '^kernel=stride-16: memory-bound: under the slope, at (7|8|9|10)[0-9.]* % of it$' "$tmp/log"
result $? 'the verdict of a memory-bound kernel'
grep -q '^kernel=bank-conflicts: limited by neither: under the flat roof' "$tmp/log"
result $? 'the verdict of a kernel that neither roof limits'
"$wavedeck" open "$tmp/r.wd" --format plot >"$tmp/log" 2>&1
grep -q 'intensity, inst/B' "$tmp/log" && grep -q 'transpose-naive' "$tmp/log" &&
	grep -q -- '- memory_roof, GIPS' "$tmp/log"
result $? 'the intensity is the x axis, and points are labeled'
"$wavedeck" run instruction-roofline @printed kernel=stride-16 --device "soft:mi25" >"$tmp/log" 2>&1
grep -q "^compute-bound by the published rule" "$tmp/log"; result $? "the published rule gives the opposite verdict"

cat >"$tmp/glc.lua" <<'LUA'
return {
  title = "Contracts", kernel = { file = "copy.hip", entry = "gather_cached" },
  params = { { "form", choices = { "modifier", "whole", "none" }, sweep = true } },
  buffers = { input = { type = "unsigned", count = 256, fill = "index" }, out = { type = "unsigned", count = 64 } },
  args = { "const unsigned *input", "unsigned *out", "unsigned stride", "unsigned reads" },
  values = function(p) return { stride = 1, reads = 4 } end, launch = { grid = 1, block = 64 },
  contract = function(p)
    if p.form == "modifier" then return { hot_loop = { { "global_load_dword glc slc", count = 1 } } } end
    if p.form == "whole" then return { kernel = { { "global_store_dword", count = 2 } } } end
    return { hot_loop = { { "global_load_dword", count = 1 } }, kernel = { { "global_store_dword off", count = 1 } } }
  end,
  metrics = { { "time", function(m) return m.seconds end } },
}
LUA
"$wavedeck" run "$tmp/glc.lua" --device soft:mi25 >"$tmp/log" 2>&1
grep -q 'modifier.*the hot loop contains 0 global_load_dword glc slc' "$tmp/log"
result $? 'a contract can require modifiers'
grep -q 'whole.*the kernel contains 1 global_store_dword, expected 2' "$tmp/log"
result $? 'a contract can check the whole kernel'
grep -q '^ *none .*  not verified$' "$tmp/log"; result $? 'a contract holds if both parts match'
finish
