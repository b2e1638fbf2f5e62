-- Latency of one cache: a range that fits in it is read repeatedly. The definition chooses the cache.
local chase = shared("shuffled-chase")
local address_code = 64 -- cycles of the published instructions between the arrival of a value and the next load, see chase_published.s

return {
  source   = "HIP performance optimization on Vega64, section 2.6.3",
  -- The loop that the source ran. The one printed in its text also multiplies by the range and therefore stays in one
  -- word.
  kernel   = { entry = "chase_range" },
  variants = {
    { "published", file = "chase_published.s" },
    { "compiled", file = "chase.hip" },
    chase.variants[1],
    chase.variants[2],
  },
  rangesize = function(default, sweep, on)
    return { "rangesize", unit = "B", means = "footprint", min = "1 KiB", max = "256 MiB", step = "x2", default = default, sweep = sweep, on = on,
             help = "bytes that are read repeatedly, one line per read" }
  end,
  reads    = { "reads", unit = "reads", min = 1024, max = 1 << 24, step = "x2", default = 262144, soft = 65536,
               help = "timed reads; the untimed launch before them loads the lines" },
  stride   = chase.stride,
  buffers  = chase.buffers,
  args     = { "const int *buf", "unsigned range", "unsigned reads", "int *out" },
  values   = function(p) return { range = p.rangesize // 4, reads = chase.is(p) and chase.reads(p, p.reads, 1) or p.reads } end,
  launch   = { grid = 1, block = 1 },
  metrics  = {
    { "latency", unit = "cycles", axis = "left", help = "cycles per dependent read, including address code",
      function(m, p, v) return m.seconds * m.sclk / v.reads end },
    { "net", unit = "cycles", axis = "left", help = "latency without the address code, published variant only",
      function(m, p, v) return p.variant == "published" and m.seconds * m.sclk / p.reads - address_code or nil end },
  },
  contract = chase.contract,
  reference = chase.reference,
}
