local bytes = { copy = 8, stencil = 8, fma = 4 } -- bytes of memory per item, read plus written
local flop = { stencil = 9, fma = 512 }

return {
  title    = "Block size",
  question = "Which block size is the fastest?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), launch configuration",
  -- The source's rules: a multiple of 32, at least 64, usually 128 or 256; then try. With waves of 64, use multiples of
  -- 64.
  kernel   = { file = "split.hip", entry = function(p) return "split_" .. p.kernel end },
  params   = {
    { "block", unit = "threads", min = 32, max = 1024, step = 32, default = 256, sweep = true,
      help = "threads in a block" },
    { "kernel", choices = { "copy", "stencil", "fma" }, default = "copy",
      help = "copy: one element; stencil: sum of 9 neighbors from LDS; fma: chain of 256 multiply-adds" },
    { "items", unit = "items", min = 1024, max = 1 << 26, step = "x2", default = 1 << 24, soft = 1 << 19,
      help = "items, one per thread; small numbers stay in the L2" },
  },
  presets  = { { "small", "block=32,96,1024", "kernel=copy,stencil,fma", "items=5000", help = "all three kernels" } },
  buffers  = { ["in"] = { type = "float", count = function(p) return p.items + 8 end, fill = "random" },
               out = { type = "float", count = function(p) return p.items end } },
  args     = { "const float *in", "float *out", "unsigned n" },
  values   = function(p) return { n = p.items } end,
  launch   = { grid = function(p) return (p.items + p.block - 1) // p.block end, block = function(p) return p.block end },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "items read plus written; 1 GB is 10^9 bytes",
      function(m, p, v) return bytes[p.kernel] * p.items / m.seconds / 1e9 end },
    { "rate", unit = "GFLOP/s", axis = "right", help = "additions and multiplications",
      function(m, p, v) return flop[p.kernel] and flop[p.kernel] * p.items / m.seconds / 1e9 end },
    { "full_lanes", unit = "%", axis = "none", help = "share of lanes in use in the block's waves",
      function(m, p, v) return 100 * p.block / (math.ceil(p.block / m.code.wave_size) * m.code.wave_size) end },
    { "resident", unit = "waves", axis = "none", help = "waves per SIMD that registers, LDS and the block size allow",
      function(m, p, v) return m.code.waves_per_simd end },
  },
  contract  = function(p) return { hot_loop = { { "v_fma_f32", count = p.kernel == "fma" and 64 or 0 } } } end,
  reference = function(p) return "split_" .. p.kernel end,
  tolerance = 0,
  lesson    = "occupancy.md",
}
