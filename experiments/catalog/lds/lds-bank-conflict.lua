local inner = 100 -- reads per loop trip, unrolled in the kernels

return {
  title    = "LDS bank conflicts, by stride",
  question = "How many cycles do bank conflicts add to an LDS read when 64 lanes access 32 banks at a stride?",
  source   = "HIP performance optimization on Vega64, section 2.9.2",
  kernel   = { entry = "lds_bank_conflict" },
  variants = {
    { "published", file = "lds_published.s" },
    { "compiled", file = "lds.hip" },
  },
  params   = {
    { "stride", unit = "words", min = 1, max = 64, step = 1, default = 1, sweep = true,
      help = "4-byte words from one lane's word to the next lane's" },
    { "outer", unit = "trips", min = 100, max = 100000, step = "x2", default = 10000, soft = 1000,
      soft_on = { gfx11 = 250 },
      help = "loop trips, 100 reads each" },
  },
  presets  = { { "small", "stride=1,2,32", "variant=published,compiled", "outer=100",
    help = "three strides, short loop" } },
  -- Filled with zeros: the chain is then only a dependence, and each lane keeps reading its own word.
  buffers  = { buf = { type = "int", count = 4096 },
               out = { type = "int", count = 64 } },
  args     = { "const int *buf", "unsigned stride", "unsigned outer", "int *out" },
  values   = function(p) return { stride = p.stride, outer = p.outer, reads = p.outer * inner } end,
  launch   = { grid = 1, block = 64 },
  work     = function(p, v) return v.reads end,
  metrics  = {
    { "latency", unit = "cycles", axis = "left", help = "cycles per dependent read, including address code",
      function(m, p, v) return m.seconds * m.sclk / v.reads end },
    { "bandwidth", unit = "GB/s", axis = "right", help = "bytes read by the wave; 1 GB is 10^9 bytes",
      function(m, p, v) return 4 * 64 * v.reads / m.seconds / 1e9 end },
  },
  contract  = { hot_loop = { { "ds_read_b32", count = inner } } },
  reference = "lds_bank_conflict",
  lesson    = "lds.md",
}
