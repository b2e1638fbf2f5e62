local chase = shared("shuffled-chase")

-- As published: each read advances by one 64-byte line and wraps at the end of the range. The untimed launch is the
-- first lap.
local function reads(p)
  if chase.is(p) then return chase.reads(p, p.reads, p.laps) end
  return math.max(p.reads, p.laps * (p.rangesize // 64))
end

-- Lines that the untimed launch reads.
local function lap(p) return p.rangesize // (chase.is(p) and p.stride or 64) end

return {
  title    = "Latency, by range",
  question = "How large are the caches, and how long does a dependent read from each of them take?",
  source   = "HIP performance optimization on Vega64, section 2.6.3",
  kernel   = { entry = "chase_range" },
  variants = {
    { "published", file = "chase_published.s" },
    { "compiled", file = "chase.hip" },
    chase.variants[1],
    chase.variants[2],
  },
  params   = {
    { "rangesize", unit = "B", means = "footprint", min = "1 KiB", max = "2 GiB", step = "x2", default = "4 KiB", sweep = { "1 KiB", "256 MiB" },
      help = "bytes that are read repeatedly" },
    { "reads", unit = "reads", min = 1024, max = 1 << 24, step = "x2", default = 262144, soft = 65536,
      help = "minimum number of reads, for small ranges" },
    { "laps", unit = "", min = 1, max = 16, step = 1, default = 2, soft = 1,
      help = "how often the whole range is read at least" },
    chase.stride,
  },
  presets  = { { "small", "rangesize=4KiB,64KiB", "variant=published,compiled", "reads=2048",
    help = "one range per cache" } },
  buffers  = chase.buffers,
  args     = { "const int *buf", "unsigned range", "unsigned reads", "int *out" },
  values   = function(p) return { range = p.rangesize // 4, reads = reads(p) } end,
  launch   = { grid = 1, block = 1 },
  work     = function(p, v) return v.reads + lap(p) end, -- including the untimed lap
  metrics  = {
    { "latency", unit = "cycles", axis = "left", help = "cycles per dependent read, including address code",
      function(m, p, v) return m.seconds * m.sclk / v.reads end },
    { "bandwidth", unit = "MB/s", axis = "right", help = "bytes requested by the single thread; 1 MB is 10^6 bytes",
      function(m, p, v) return 4 * v.reads / m.seconds / 1e6 end },
    { "read_time", unit = "ns", axis = "none", help = "time of a dependent read",
      function(m, p, v) return m.seconds * 1e9 / v.reads end },
  },
  contract  = chase.contract,
  reference = chase.reference,
  lesson    = "caches.md",
}
