local unroll = { published = 100, compiled = 40 }

local function length(p) return p.fma_per_thread // unroll[p.variant] * unroll[p.variant] end

return {
  title    = "Multiply-add loop, by blocks",
  question = "How many CUs does the device have, and how much time does an uneven grid cost?",
  source   = "HIP performance optimization on Vega64, section 2.2.5",
  kernel   = { file = "fma_published.s", entry = "fma_2c" },
  variants = {
    { "published" },
    { "compiled", file = "fma.hip", entry = "fma_chain" },
  },
  params   = {
    -- The source starts at 0 blocks, which is not a valid launch.
    { "blocks", unit = "blocks", min = 1, max = 1024, step = 1, default = 64, sweep = { 1, 128 },
      help = "blocks in the grid, one per CU until all CUs have one" },
    { "threads", unit = "threads", min = 256, max = 1024, step = 256, default = 1024,
      soft_on = { gfx11 = 512 }, -- the fewest that keep a WGP busy
      help = "threads in a block; 1024 is four waves on each SIMD" },
    { "fma_per_thread", unit = "FMA", min = 1000, max = 100000000, step = "x2", default = 1000000, soft = 2500,
      soft_on = { gfx11 = 1000 },
      help = "length of each thread's dependent chain" },
  },
  presets  = { { "small", "blocks=1,64,65", "variant=published,compiled", "fma_per_thread=1000",
    help = "one CU, all CUs, and one block more" } },
  buffers  = { out = { type = "float", count = function(p) return p.blocks * p.threads end } },
  args     = { "float *out", "int length" },
  values   = function(p) return { length = length(p) } end,
  launch   = { grid = function(p) return p.blocks end, block = function(p) return p.threads end },
  metrics  = {
    { "time", unit = "ms", axis = "left", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    { "fma_per_cycle", unit = "FMA/cycle", axis = "right", help = "whole device; the peak is 64 per CU, or 128 per WGP on RDNA (256 with dual issue)",
      function(m, p, v) return p.blocks * p.threads * v.length / (m.seconds * m.sclk) end },
  },
  contract  = function(p)
    return { hot_loop = { { p.variant == "compiled" and "v_fma_f32" or "v_mad_f32", count = unroll[p.variant] } } }
  end,
  reference = function(p) return p.variant == "compiled" and "fma_fused" or "fma_unfused" end,
  lesson    = "compute.md",
}
