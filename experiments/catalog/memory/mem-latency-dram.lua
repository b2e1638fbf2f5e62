return {
  title    = "Latency of DRAM",
  question = "How long does a dependent read take that misses every cache?",
  source   = "HIP performance optimization on Vega64, section 2.6.1",
  kernel   = { entry = "chase_dram" },
  variants = {
    { "published", file = "chase_published.s" },
    { "compiled", file = "chase.hip" },
  },
  params   = {
    { "stride", unit = "B", min = 64, max = "256 KiB", step = "x2", default = 1024, help = "bytes from one read to the next: four times the value that the buffer holds" },
    { "reads", unit = "reads", min = 1024, max = 1 << 22, step = "x2", default = 1 << 20, soft = 1 << 16,
      help = "each touches a line of its own; few enough to fit the L2 would hit it, for the untimed launch has read them all" },
  },
  buffers  = { buf = { type = "int", count = function(p) return p.reads * (p.stride // 4) end, fill = function(p) return p.stride // 4 end },
               out = { type = "int", count = 1 } },
  args     = { "const int *buf", "unsigned reads", "int *out" },
  values   = function(p) return { reads = p.reads } end,
  bounds   = function(p, v) return { buf = (v.reads - 1) * (p.stride // 4) } end,
  launch   = { grid = 1, block = 1 },
  metrics  = {
    { "latency", unit = "cycles", axis = "left", help = "of a dependent read with its address code",
      function(m, p, v) return m.seconds * m.sclk / v.reads end },
    { "time", unit = "ms", axis = "right", help = "of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
  },
  contract  = { hot_loop = { { "global_load_dword", count = 1 } } },
  reference = "chase_dram",
}
