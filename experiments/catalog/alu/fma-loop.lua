-- The published loop has 40 multiply-adds and starts 12 bytes into a fetch window. Other lengths are assembled to start
-- at a window.
local function published(p) return p.variant == "published" and p.unroll == 40 end

local function length(p) return p.fma_per_thread // p.unroll * p.unroll end

-- No defines when the object built with the project already fits.
local function defines(p)
  local d = ""
  if p.unroll ~= 40 then d = string.format("-DUNROLL=%d", p.unroll) end
  if p.offset ~= 0 then d = d .. string.format("%s-DOFFSET=%d", d == "" and "" or " ", p.offset) end
  return d
end

return {
  title    = "Multiply-add loop, by code alignment",
  question = "How close does a simple loop of dependent multiply-adds come to the peak of 64 per cycle on one CU, and how much does code alignment matter?",
  source   = "HIP performance optimization on Vega64, section 2.2.1",
  kernel   = { file = "fma_published.s" },
  variants = {
    { "published", entry = function(p) return published(p) and "fma_2a" or "fma_assembly" end, defines = defines },
    { "compiled", file = "fma.hip", entry = "fma_chain", defines = defines },
  },
  params   = {
    { "offset", unit = "B", min = 0, max = 28, step = 4, default = 0, sweep = true,
      help = "shifts the start of the loop; 0 is the published position, 12 bytes into a 32-byte fetch window" },
    { "unroll", unit = "FMA", min = 1, max = 400, step = 1, default = 40,
      help = "multiply-adds per loop trip; lengths other than 40 start at a fetch window" },
    { "fma_per_thread", unit = "FMA", min = 10000, max = 100000000, step = "x2", default = 1000000,
      help = "length of each thread's dependent chain" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in the single block; 256 is one wave on each SIMD" },
  },
  presets  = { { "small", "offset=0,4", "fma_per_thread=10000", help = "two alignments, short chain" } },
  buffers  = { out = { type = "float", count = function(p) return p.threads end } },
  args     = { "float *out", "int length" },
  values   = function(p) return { length = length(p) } end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "cycles_per_trip", unit = "cycles", axis = "left",
      help = "wave cycles per trip; on GCN 4 per multiply-add, 4 more for each that crosses a fetch window, and loop overhead",
      function(m, p, v) return m.seconds * m.sclk / (v.length / p.unroll) end },
    { "fma_per_cycle", unit = "FMA/cycle", axis = "right", help = "one CU (peak: 64), or one WGP on RDNA (peak: 128, or 256 with dual issue)",
      function(m, p, v) return p.threads * v.length / (m.seconds * m.sclk) end },
  },
  contract  = function(p)
    return { hot_loop = { { p.variant == "compiled" and "v_fma_f32" or "v_mad_f32", count = p.unroll } } }
  end,
  reference = function(p) return p.variant == "compiled" and "fma_fused" or "fma_unfused" end,
  lesson    = "compute.md",
}
