-- The latency of one cache: a range that lies in it is walked round and round. Which cache, the definition says.
local address_code = 64 -- cycles of the published instructions between a value's arrival and the next load, see chase_published.s

return {
  source   = "HIP performance optimization on Vega64, section 2.6.3",
  -- The loop that the source ran. The one printed in its text multiplies by the range as well, and so stays in one word.
  kernel   = { entry = "chase_range" },
  variants = {
    { "published", file = "chase_published.s" },
    { "compiled", file = "chase.hip" },
  },
  rangesize = function(default, sweep)
    return { "rangesize", unit = "B", min = "1 KiB", max = "256 MiB", step = "x2", default = default, sweep = sweep,
             help = "bytes that are walked round and round, a line of 64 a read" }
  end,
  reads    = { "reads", unit = "reads", min = 1024, max = 1 << 24, step = "x2", default = 262144, soft = 65536,
               help = "after the untimed launch's, which bring the lines" },
  buffers  = { buf = { type = "int", count = function(p) return p.rangesize // 4 end, fill = 16 },
               out = { type = "int", count = 1 } },
  args     = { "const int *buf", "unsigned range", "unsigned reads", "int *out" },
  values   = function(p) return { range = p.rangesize // 4 } end,
  launch   = { grid = 1, block = 1 },
  metrics  = {
    { "latency", unit = "cycles", axis = "left", help = "of a dependent read with its address code",
      function(m, p, v) return m.seconds * m.sclk / p.reads end },
    { "net", unit = "cycles", axis = "left", help = "without the address code, of the published instructions",
      function(m, p, v) return p.variant == "published" and m.seconds * m.sclk / p.reads - address_code or nil end },
  },
  contract = { hot_loop = { { "global_load_dword", count = 1 } } },
}
