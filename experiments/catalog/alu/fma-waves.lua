local unroll = { published = 100, compiled = 40 }

local function length(p) return p.fma_per_thread // unroll[p.variant] * unroll[p.variant] end

return {
  title    = "Multiply-add loop, by waves",
  question = "Do more waves per SIMD hide the loop's stalls?",
  source   = "HIP performance optimization on Vega64, section 2.2.4",
  kernel   = { file = "fma_published.s", entry = "fma_2c" },
  variants = {
    { "published" },
    { "compiled", file = "fma.hip", entry = "fma_chain" },
  },
  params   = {
    { "threads", unit = "threads", min = 256, max = 1024, step = 256, default = 256, sweep = true,
      help = "threads in the single block; each 256 add one wave per SIMD" },
    { "fma_per_thread", unit = "FMA", min = 10000, max = 100000000, step = "x2", default = 1000000,
      soft_on = { gfx11 = 62500 },
      help = "length of each thread's dependent chain" },
  },
  presets  = { { "small", "threads=256,1024", "variant=published,compiled", "fma_per_thread=10000",
    help = "one wave and four waves, short chain" } },
  buffers  = { out = { type = "float", count = function(p) return p.threads end } },
  args     = { "float *out", "int length" },
  values   = function(p) return { length = length(p) } end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "time", unit = "ms", axis = "left", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    { "fma_per_cycle", unit = "FMA/cycle", axis = "right", help = "one CU (peak: 64), or one WGP on RDNA (peak: 128, or 256 with dual issue)",
      function(m, p, v) return p.threads * v.length / (m.seconds * m.sclk) end },
  },
  contract  = function(p)
    return { hot_loop = { { p.variant == "compiled" and "v_fma_f32" or "v_mad_f32", count = unroll[p.variant] } } }
  end,
  reference = function(p) return p.variant == "compiled" and "fma_fused" or "fma_unfused" end,
  lesson    = "compute.md",
}
