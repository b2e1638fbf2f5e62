local inner = 100 -- reads per loop trip, unrolled in the kernels

return {
  title    = "LDS latency",
  question = "What is the latency of a dependent read from the local data share (LDS)?",
  source   = "HIP performance optimization on Vega64, section 2.9.1",
  kernel   = { entry = "lds_latency" },
  variants = {
    { "published", file = "lds_published.s" },
    { "compiled", file = "lds.hip" },
    { "chain", file = "lds_chain.hip", entry = "lds_chain" },
  },
  params   = {
    { "lanes", unit = "lanes", min = 1, max = 64, step = "x2", default = 1, sweep = true,
      help = "threads; each reads its own word" },
    { "outer", unit = "trips", min = 100, max = 100000, step = "x2", default = 10000, soft = 1000,
      help = "loop trips, 100 reads each" },
  },
  presets  = { { "small", "lanes=1,64", "variant=published,compiled", "outer=100",
    help = "one lane and a full wave, short loop" } },
  buffers  = { buf = { type = "int", count = function(p) return p.lanes end, fill = "index" },
               out = { type = "int", count = function(p) return p.lanes end } },
  args     = { "const int *buf", "unsigned mask", "unsigned outer", "int *out" },
  values   = function(p) return { mask = p.lanes - 1, outer = p.outer, reads = p.outer * inner } end,
  launch   = { grid = 1, block = function(p) return p.lanes end },
  work     = function(p, v) return v.reads end,
  metrics  = {
    { "latency", unit = "cycles", axis = "left", help = "cycles per dependent read, including address code",
      function(m, p, v) return m.seconds * m.sclk / v.reads end },
    { "bandwidth", unit = "GB/s", axis = "right", help = "bytes read by the wave; 1 GB is 10^9 bytes",
      function(m, p, v) return 4 * p.lanes * v.reads / m.seconds / 1e9 end },
  },
  contract  = { hot_loop = { { "ds_read_b32", count = inner } } },
  reference = "lds_latency",
  lesson    = "lds.md",
}
