#!/usr/bin/env bash
# A user's folder of definitions that use everything beyond a plain launch, on the software GPU. TAP.
set -u
wavedeck=$BUILD/wavedeck
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache HOME=$tmp
cd "$tmp" || exit 1
n=0 failed=0
report() { # status what
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=1; sed 's/^/# /' "$tmp/log" 2>/dev/null | tail -5; fi
}
same() { # what expected actual
	[ "$2" = "$3" ] || echo "# expected '$2', got '$3'"
	[ "$2" = "$3" ]
	report $? "$1"
}
run() { "$wavedeck" run "$@" --device soft:mi25 >"$tmp/log" 2>&1; }
column() { # name: its values in the CSV in the log
	awk -F, -v name="$1" '/^#/ { next } !at { for (k = 1; k <= NF; k++) if ($k == name) at = k; next } { printf "%s%s", sep, $at; sep = " " }' "$tmp/log"
}

cat >code.hip <<'EOF'
#include <hip/hip_runtime.h>
extern "C" __global__ void fmas(float *out, int trips)
{
	float x = threadIdx.x;
#pragma clang loop unroll(disable)
	for (int i = 0; i < trips; i++) {
#pragma unroll
		for (int k = 0; k < UNROLL; k++)
			x = __builtin_fmaf(x, 0.5f, 1.0f);
	}
	out[threadIdx.x] += x;
}
EOF
cat >code.lua <<'EOF'
return {
  title = "Its own code", kernel = { file = "code.hip", entry = "fmas", defines = function(p) return "-DUNROLL=" .. p.unroll end },
  params = { { "trips", min = 1, max = 1000, default = 100 }, { "unroll", min = 1, max = 64, default = 4 },
             { "launches", min = 1, max = 100, default = 1, sweep = { 1, 2, 4 } } },
  presets = { { "quick", "launches=1", "trips=10", help = "quick check" } },
  buffers = { out = { type = "float", count = 64 } }, args = { "float *out", "int trips" },
  launch = { grid = 1, block = 64 }, launches = function(p) return p.launches end, counters = { "SQ_WAVES", "SQ_INSTS_SMEM" },
  metrics = {
    { "cycles", function(m) return m.seconds * m.sclk end },
    { "fma", function(m) return m.code.loop.named["v_fma_f32"] + m.code.loop.named["v_mac_f32"] + m.code.loop.named["v_fmac_f32"] end },
    { "branches", function(m) return m.code.loop.branch end }, { "vgprs", function(m) return m.code.vgprs end },
    { "waves", function(m) return m.counters.SQ_WAVES end }, { "occupancy", function(m) return m.code.waves_per_simd end },
  },
}
EOF
run ./code.lua --format csv; report $? 'metrics read the code of a kernel'
same 'multiply-adds of the hot loop' '4 4 4' "$(column fma)"
same 'its branch' '1 1 1' "$(column branches)"
same 'a counter that the definition requests' '1 1 1' "$(column waves)"
same 'occupancy' '10 10 10' "$(column occupancy)"
set -- $(column cycles); awk -v a="$1" -v b="$3" 'BEGIN { exit !(a > 0 && b > 0.9 * a && b < 1.1 * a) }'; report $? "four launches per sample take $3 cycles each, like a single one ($1)"
run ./code.lua unroll=16 launches=1 --format csv; same 'with another compile-time constant' 16 "$(column fma)"
run ./code.lua @quick --format csv; same 'a preset sets its parameters' '10 1' "$(column trips) $(column launches)"
"$wavedeck" show ./code.lua >"$tmp/log"; grep -q '@quick *launches=1 trips=10  *quick check' "$tmp/log" && grep -q @published "$tmp/log"; report $? 'and show lists it'
sed 's/"SQ_INSTS_SMEM"/"SQ_INSTS_SMEN"/' code.lua >typo.lua
run ./typo.lua @quick; report $? 'an unknown counter'
grep -q 'counter SQ_INSTS_SMEN is not available on this device; metrics that need it are missing' "$tmp/log"; report $? 'is reported'
run ./code.lua @quik; same 'an unknown preset: status' 2 $?
grep -q 'did you mean @quick' "$tmp/log"; report $? 'with the nearest name'

cat >formula.lua <<'EOF'
return {
  title = "Blocks that fit", formula = true,
  params = { { "registers", min = 1, max = 64, default = 10, sweep = { 10, 11 } }, { "part", choices = { "g80", "tesla" }, default = "g80" } },
  values = function(p) return { all = p.part == "g80" and 8192 or 16384 } end,
  metrics = { { "threads", function(m, p, v) return v.all // (256 * p.registers) * 256 end }, { "time", function(m) return m.seconds end } },
}
EOF
run ./formula.lua --format csv --record f.wd; report $? 'a formula without a launch'
same 'its metric' '768 512' "$(column threads)"
same 'and no time' ' ' "$(column time)"
run ./formula.lua part=g80,tesla registers=10 --format csv; same 'swept over choices' '768 1536' "$(column threads)"
"$wavedeck" run ./formula.lua --device replay:f.wd --format csv >"$tmp/log" 2>&1; same 'replayed' '768 512' "$(column threads)"

cat >limit.s <<'EOF'
	.include "kernels/kernel.inc"
kernel_begin limit
	v_mov_b32 v[REG], 0
	kernel_end limit, 256, 16, 8
	.amdgpu_metadata
---
amdhsa.version: [ 1, 0 ]
amdhsa.kernels:
  - { .name: limit, .symbol: limit.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0,
      .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 256, .max_flat_workgroup_size: 1024, .args: [] }
...
	.end_amdgpu_metadata
EOF
cat >limit.lua <<'EOF'
return {
  title = "The last register", compile_only = true,
  kernel = { file = "limit.s", entry = "limit", defines = function(p) return "-DREG=" .. p.reg end },
  params = { { "reg", min = 0, max = 300, default = 10, sweep = { 255, 256 } } },
  metrics = { { "accepted", function(m) return m.accepted end }, { "vgprs", function(m) return m.code.vgprs end } },
}
EOF
run ./limit.lua --format csv; report $? 'a kernel that is only assembled'
same 'the verdict' '1 0' "$(column accepted)"
same 'its registers if it is accepted' '256 ' "$(column vgprs)"
run ./limit.lua; grep -q 'limit.s:3.*register index is out of range' "$tmp/log"; report $? "the assembler's message is shown with the point"

sed 's/title = .*/title = "RDNA3", needs = { arch = "gfx11", text = "dual issue" },/; s/kernel = .*/kernel = { file = "code.hip", entry = "fmas" },/; /^return/!b' code.lua |
	sed 's/^  title.*/&\n  kernel = { file = "code.hip", entry = "fmas", defines = "-DUNROLL=1" },/' >needs.lua
run ./needs.lua; same 'a device of another target: status' 2 $?
grep -q 'needs a gfx11 device: dual issue; soft:mi25 is gfx900' "$tmp/log" && [ "$(wc -l <"$tmp/log")" = 1 ]; report $? 'in one line'

cat >roof.lua <<'EOF'
return {
  title = "Others", counters = { "SQ_WAVES" },
  params = { { "kernel", choices = { "lds-latency", "fma-waves" }, sweep = true } },
  measures = function(p) return p.kernel, p.kernel == "fma-waves" and { threads = 512, fma_per_thread = 10000 } or { outer = 100 } end,
  metrics = { { "waves", function(m) return m.counters.SQ_WAVES end }, { "work", function(m, p, v) return p.kernel == "fma-waves" and v.threads or v.outer end } },
}
EOF
run ./roof.lua --format csv --record r.wd; report $? 'points of other experiments'
same 'choices on the x axis' 'lds-latency fma-waves' "$(column kernel)"
same 'the counters of this definition' '1 8' "$(column waves)"
same 'the values of the measured experiments' '100 512' "$(column work)"
"$wavedeck" run ./roof.lua --device replay:r.wd --format csv >"$tmp/log" 2>&1; same 'replayed' '1 8' "$(column waves)"
grep -q '"verify":"ok"' r.wd; report $? 'verified by their references'

cat >steps.hip <<'EOF'
#include <hip/hip_runtime.h>
extern "C" __global__ void add(const float *in, float *out, int first, int count, int work)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	float x = in[first + i];
#pragma clang loop unroll(disable)
	for (int k = 0; k < work; k++)
		x = x + 1.0f;
	out[first + i] = x;
}
EOF
cat >steps.lua <<'EOF'
local N = 1 << 18
return {
  title = "Copy and compute overlap", kernel = { file = "steps.hip", entry = "add" },
  params = { { "chunks", min = 1, max = 256, step = "x2", default = 4, sweep = { 1, 2, 4 } }, { "streams", min = 1, max = 4, default = 2 },
             { "memory", choices = { "pinned", "pageable" } } },
  buffers = { from = { type = "float", count = N, fill = "index" }, to = { type = "float", count = N } },
  args = { "const float *from", "float *to", "int first", "int count", "int work" },
  values = function(p) return { first = 0, count = N, work = 100 } end,
  launch = { grid = 1, block = 256 }, host = function(p) return p.memory end,
  steps = function(p)
    local list, n = {}, N // p.chunks
    for i = 0, p.chunks - 1 do
      local s = i % p.streams
      list[#list + 1] = { copy = "to_device", buffer = "from", bytes = 4 * n, offset = 4 * n * i, stream = s }
      list[#list + 1] = { launch = true, stream = s, grid = n // 256, values = { first = n * i, count = n } }
      list[#list + 1] = { copy = "to_host", buffer = "to", bytes = 4 * n, offset = 4 * n * i, stream = s }
    end
    return list
  end,
  metrics = { { "time", unit = "us", function(m) return m.seconds * 1e6 end } },
}
EOF
run ./steps.lua --format csv; report $? 'copies and launches on two streams'
first=$(column time)
awk -v t="$first" 'BEGIN { split(t, a, " "); both = 2 * 4 * 2 ^ 18 / 12800; exit !(a[1] > both && a[2] < 0.85 * a[1] && a[3] < a[2] && a[3] > both / 2) }'
report $? "overlap in virtual time: $first us"
run ./steps.lua --format csv; same 'the same again' "$first" "$(column time)"
run ./steps.lua streams=1 chunks=1,4 --format csv; awk -v t="$(column time)" -v f="$first" 'BEGIN { split(t, a, " "); split(f, b, " "); exit !(a[2] >= a[1] && a[1] == b[1]) }'
report $? "but not on one stream: $(column time) us"
run ./steps.lua streams=1,2 chunks=64 --format csv; awk -v t="$(column time)" 'BEGIN { split(t, a, " "); exit !(a[2] < 0.9 * a[1]) }'
report $? "many steps overlap, too: $(column time) us"
run ./steps.lua memory=pageable chunks=4 --format csv; awk -v t="$(column time)" -v f="$first" 'BEGIN { split(f, b, " "); exit !(t >= 0.95 * b[1]) }'
report $? "and not from pageable memory: $(column time) us"
cat >transfer.lua <<'EOF'
return {
  title = "Transfers",
  params = { { "bytes", unit = "B", min = 4, max = "64 MiB", step = "x16", default = "1 MiB", sweep = { 4, "1 MiB" } },
             { "way", choices = { "to_device", "to_host" } }, { "pieces", min = 1, max = 64, default = 1 } },
  buffers = { data = { type = "char", count = function(p) return p.bytes end, fill = "index" } },
  steps = function(p)
    local list, n = {}, p.bytes // p.pieces
    for i = 1, p.pieces do list[i] = { copy = p.way, buffer = "data", bytes = n, offset = n * (i - 1) } end
    return list
  end,
  metrics = { { "time", unit = "us", function(m) return m.seconds * 1e6 end }, { "wall", function(m) return m.wall_seconds end } },
}
EOF
for way in to_device to_host; do
	rm -f t.wd
	run ./transfer.lua way=$way pieces=1,4 bytes=1048576 --format csv --record t.wd; report $? "copies $way without a kernel"
	awk -v t="$(column time)" 'BEGIN { split(t, a, " "); exit !(a[1] > 81.9 && a[1] < 90 && a[2] > a[1] + 1 && a[2] < a[1] + 10) }'
	report $? "at the link's rate, plus a start per piece: $(column time) us"
	[ "$(grep -c '"verify":"ok"' t.wd)" = 2 ]; report $? 'and verified'
done
same "without the host's time" ' ' "$(column wall)"
echo "1..$n"
exit $failed
