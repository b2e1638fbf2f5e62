#!/usr/bin/env bash
# Definitions in a user's folder that use every feature beyond a plain launch, on the software GPU. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export HOME=$tmp
cd "$tmp" || exit 1
run() { "$wavedeck" run "$@" --device soft:mi25 >"$tmp/log" 2>&1; }
column() { csv_column "$1" "$tmp/log"; }

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
  title = "Its own code",
  kernel = { file = "code.hip", entry = "fmas", defines = function(p) return "-DUNROLL=" .. p.unroll end },
  params = { { "trips", min = 1, max = 1000, default = 100 }, { "unroll", min = 1, max = 64, default = 4 },
             { "launches", min = 1, max = 100, default = 1, sweep = { 1, 2, 4 } } },
  presets = { { "quick", "launches=1", "trips=10", help = "quick check" } },
  buffers = { out = { type = "float", count = 64 } }, args = { "float *out", "int trips" },
  launch = { grid = 1, block = 64 }, launches = function(p) return p.launches end,
  counters = { "SQ_WAVES", "SQ_INSTS_SMEM" },
  metrics = {
    { "cycles", function(m) return m.seconds * m.sclk end },
    { "fma", function(m)
      local named = m.code.loop.named
      return named["v_fma_f32"] + named["v_mac_f32"] + named["v_fmac_f32"]
    end },
    { "branches", function(m) return m.code.loop.branch end }, { "vgprs", function(m) return m.code.vgprs end },
    { "waves", function(m) return m.counters.SQ_WAVES end },
    { "occupancy", function(m) return m.code.waves_per_simd end },
  },
}
EOF
run ./code.lua --format csv
result $? 'metrics read the code of a kernel'
equal 'multiply-adds of the hot loop' '4 4 4' "$(column fma)"
equal 'branches of the hot loop' '1 1 1' "$(column branches)"
equal 'a counter that the definition requests' '1 1 1' "$(column waves)"
equal 'occupancy' '10 10 10' "$(column occupancy)"
read -r single _ four <<<"$(column cycles)"
# Three gaps of 4 us between them, at 1539 MHz.
awk -v a="$single" -v b="$four" 'BEGIN { b -= 3 / 4 * 4 * 1539; exit !(a > 0 && b > 0.9 * a && b < 1.1 * a) }'
result $? "four launches per sample take $four cycles each, like a single one ($single) and the gaps between them"
run ./code.lua unroll=16 launches=1 --format csv
equal 'multiply-adds with another compile-time constant' 16 "$(column fma)"
run ./code.lua @quick --format csv; equal 'a preset sets its parameters' '10 1' "$(column trips) $(column launches)"
"$wavedeck" show ./code.lua >"$tmp/log"
grep -q '@quick *launches=1 trips=10  *quick check' "$tmp/log" && grep -q @published "$tmp/log"
result $? 'show lists the preset'
sed 's/"SQ_INSTS_SMEM"/"SQ_INSTS_SMEN"/' code.lua >typo.lua
run ./typo.lua @quick; result $? 'an unknown counter does not stop the run'
grep -q 'counter SQ_INSTS_SMEN is not available on this device; metrics that need it are missing' "$tmp/log"
result $? 'an unknown counter is reported'
run ./code.lua @quik; equal 'an unknown preset exits with 2' 2 $?
grep -q 'did you mean @quick' "$tmp/log"; result $? 'the nearest preset is suggested'

cat >formula.lua <<'EOF'
return {
  title = "Blocks that fit", formula = true,
  params = { { "registers", min = 1, max = 64, default = 10, sweep = { 10, 11 } },
             { "part", choices = { "g80", "tesla" }, default = "g80" } },
  values = function(p) return { all = p.part == "g80" and 8192 or 16384 } end,
  metrics = { { "threads", function(m, p, v) return v.all // (256 * p.registers) * 256 end },
              { "time", function(m) return m.seconds end } },
}
EOF
run ./formula.lua --format csv --record f.wd; result $? 'a formula runs without a launch'
equal 'the metric of a formula' '768 512' "$(column threads)"
equal 'a formula has no time' ' ' "$(column time)"
run ./formula.lua part=g80,tesla registers=10 --format csv
equal 'a formula is swept over choices' '768 1536' "$(column threads)"
"$wavedeck" run ./formula.lua --device replay:f.wd --format csv >"$tmp/log" 2>&1
equal 'a formula is replayed' '768 512' "$(column threads)"

cat >limit.s <<'EOF'
	.include "kernels/kernel.inc"
kernel_begin limit
	v_mov_b32 v[REG], 0
	kernel_end limit, 256, 16, 8
	.amdgpu_metadata
---
amdhsa.version: [ 1, 0 ]
amdhsa.kernels:
  - { .name: limit, .symbol: limit.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8,
      .group_segment_fixed_size: 0, .private_segment_fixed_size: 0,
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
run ./limit.lua --format csv; result $? 'a kernel is assembled without a launch'
equal 'the verdict of the assembler' '1 0' "$(column accepted)"
equal 'the registers of an accepted kernel' '256 ' "$(column vgprs)"
run ./limit.lua
grep -q 'limit.s:3.*register index is out of range' "$tmp/log"
result $? "the assembler's message is shown with the point"

sed 's/title = .*/title = "RDNA3", needs = { arch = "gfx11", text = "dual issue" },/
	s/kernel = .*/kernel = { file = "code.hip", entry = "fmas", defines = "-DUNROLL=1" },/' code.lua >needs.lua
run ./needs.lua
equal 'a device of another target exits with 2' 2 $?
grep -q 'needs a gfx11 device: dual issue; soft:mi25 is gfx900' "$tmp/log" && [ "$(wc -l <"$tmp/log")" = 1 ]
result $? 'the error is one line'

cat >roof.lua <<'EOF'
return {
  title = "Others", counters = { "SQ_WAVES" },
  params = { { "kernel", choices = { "lds-latency", "fma-waves" }, sweep = true } },
  measures = function(p)
    return p.kernel, p.kernel == "fma-waves" and { threads = 512, fma_per_thread = 10000 } or { outer = 100 }
  end,
  metrics = { { "waves", function(m) return m.counters.SQ_WAVES end },
              { "work", function(m, p, v) return p.kernel == "fma-waves" and v.threads or v.outer end } },
}
EOF
run ./roof.lua --format csv --record r.wd; result $? 'points of other experiments are measured'
equal 'the x axis has choices' 'lds-latency fma-waves' "$(column kernel)"
equal 'the counters of this definition' '1 8' "$(column waves)"
equal 'the values of the measured experiments' '100 512' "$(column work)"
"$wavedeck" run ./roof.lua --device replay:r.wd --format csv >"$tmp/log" 2>&1
equal 'points of other experiments are replayed' '1 8' "$(column waves)"
grep -q '"verify":"ok"' r.wd; result $? 'they are verified by their references'

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
  params = { { "chunks", min = 1, max = 256, step = "x2", default = 4, sweep = { 1, 2, 4 } },
             { "streams", min = 1, max = 4, default = 2 },
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
run ./steps.lua --format csv; result $? 'copies and launches on two streams'
first=$(column time)
awk -v t="$first" 'BEGIN {
	split(t, a, " ")
	both = 2 * 4 * 2 ^ 18 / 12800
	exit !(a[1] > both && a[2] < 0.85 * a[1] && a[3] < a[2] && a[3] > both / 2) }'
result $? "overlap in virtual time: $first us"
run ./steps.lua --format csv; equal 'a second run measures the same times' "$first" "$(column time)"
run ./steps.lua streams=1 chunks=1,4 --format csv
awk -v t="$(column time)" -v f="$first" \
	'BEGIN { split(t, a, " "); split(f, b, " "); exit !(a[2] >= a[1] && a[1] == b[1]) }'
result $? "copies do not overlap on one stream: $(column time) us"
run ./steps.lua streams=1,2 chunks=64 --format csv
awk -v t="$(column time)" 'BEGIN { split(t, a, " "); exit !(a[2] < 0.9 * a[1]) }'
result $? "many steps overlap: $(column time) us"
run ./steps.lua memory=pageable chunks=4 --format csv
awk -v t="$(column time)" -v f="$first" 'BEGIN { split(f, b, " "); exit !(t >= 0.95 * b[1]) }'
result $? "copies from pageable memory do not overlap: $(column time) us"
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
  metrics = { { "time", unit = "us", function(m) return m.seconds * 1e6 end },
              { "wall", function(m) return m.wall_seconds end } },
}
EOF
for way in to_device to_host; do
	rm -f t.wd
	run ./transfer.lua way=$way pieces=1,4 bytes=1048576 --format csv --record t.wd
	result $? "copies $way without a kernel"
	awk -v t="$(column time)" \
		'BEGIN { split(t, a, " "); exit !(a[1] > 81.9 && a[1] < 90 && a[2] > a[1] + 1 && a[2] < a[1] + 10) }'
	result $? "copies $way take the link's rate plus a start per piece: $(column time) us"
	[ "$(grep -c '"verify":"ok"' t.wd)" = 2 ]; result $? "copies $way are verified"
done
equal "copies have no wall clock time on the software GPU" ' ' "$(column wall)"
finish
