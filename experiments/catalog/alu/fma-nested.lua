-- The inner loop is fully unrolled, so only the outer loop remains; without an offset it starts at a fetch window.
local function published(p) return p.variant == "published" and p.inner == 100 end

local function outer(p) return p.fma_per_thread // p.inner end

local function defines(p)
  local d = ""
  if p.variant == "compiled" and p.inner ~= 40 or p.variant == "published" and p.inner ~= 100 then
    d = string.format("-DUNROLL=%d", p.inner)
  end
  if p.offset ~= 0 then d = d .. string.format("%s-DOFFSET=%d", d == "" and "" or " ", p.offset) end
  return d
end

return {
  title    = "Multiply-add loop, nested",
  question = "Why is a nested loop faster than the same loop unrolled?",
  source   = "HIP performance optimization on Vega64, section 2.2.3",
  kernel   = { file = "fma_published.s" },
  variants = {
    { "published", entry = function(p) return published(p) and "fma_2c" or "fma_assembly" end, defines = defines },
    { "compiled", file = "fma.hip", entry = "fma_chain", defines = defines },
  },
  params   = {
    { "offset", unit = "B", min = 0, max = 28, step = 4, default = 0, sweep = true,
      help = "shifts the start of the loop; at multiples of 8, no 8-byte instruction crosses a fetch window" },
    { "inner", unit = "FMA", min = 1, max = 400, step = 1, default = 100,
      help = "trips of the inner loop, fully unrolled" },
    { "fma_per_thread", unit = "FMA", min = 10000, max = 100000000, step = "x2", default = 1000000,
      help = "length of each thread's dependent chain: outer trips times inner trips" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in the single block; 256 is one wave on each SIMD" },
  },
  presets  = { { "small", "offset=0,4", "fma_per_thread=10000", help = "two alignments, short chain" } },
  buffers  = { out = { type = "float", count = function(p) return p.threads end } },
  args     = { "float *out", "int length" },
  values   = function(p) return { length = outer(p) * p.inner } end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "cycles_per_trip", unit = "cycles", axis = "left", help = "wave cycles per trip of the outer loop",
      function(m, p, v) return m.seconds * m.sclk / outer(p) end },
    { "fma_per_cycle", unit = "FMA/cycle", axis = "right", help = "one CU (peak: 64), or one WGP on RDNA (peak: 128, or 256 with dual issue)",
      function(m, p, v) return p.threads * v.length / (m.seconds * m.sclk) end },
  },
  contract  = function(p)
    return { hot_loop = { { p.variant == "compiled" and "v_fma_f32" or "v_mad_f32", count = p.inner } } }
  end,
  reference = function(p) return p.variant == "compiled" and "fma_fused" or "fma_unfused" end,
  lesson    = "compute.md",
}
