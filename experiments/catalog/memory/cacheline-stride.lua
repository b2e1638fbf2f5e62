-- As published, a quarter of the buffer is walked: reads = elements / stride / 4.
local function reads(p) return math.max(p.size // p.stride // 4, 2) end

return {
  title    = "Cache line, by stride",
  question = "How large is a cache line?",
  source   = "HIP performance optimization on Vega64, section 2.6.2",
  kernel   = { entry = "chase_stride" },
  variants = {
    { "published", file = "chase_published.s" },
    { "compiled", file = "chase.hip" },
  },
  params   = {
    { "stride", unit = "B", means = "stride", min = 16, max = "64 MiB", step = "x2", default = 64, sweep = { 16, "4 KiB" },
      help = "bytes from one read to the next" },
    { "size", unit = "B", min = "1 MiB", max = "1 GiB", step = "x2", default = "1 GiB", soft = "64 MiB",
      help = "size of the buffer; a quarter of it is read, which should be much larger than the L2" },
  },
  presets  = { { "small", "stride=16,64,4KiB", "variant=published,compiled", "size=1MiB",
    help = "three strides, within the L2" } },
  buffers  = { buf = { type = "int", count = function(p) return math.max(p.size, 2 * p.stride) // 4 end, fill = 1 },
               out = { type = "int", count = 1 } },
  args     = { "const int *buf", "unsigned stride", "unsigned reads", "int *out" },
  values   = function(p) return { stride = p.stride // 4, reads = reads(p) } end,
  bounds   = function(p, v) return { buf = v.stride * (v.reads - 1) - 1 } end,
  launch   = { grid = 1, block = 1 },
  metrics  = {
    { "latency", unit = "cycles", axis = "left", help = "cycles per dependent read, including address code",
      function(m, p, v) return m.seconds * m.sclk / v.reads end },
    { "bandwidth", unit = "MB/s", axis = "right", help = "bytes requested by the single thread; 1 MB is 10^6 bytes",
      function(m, p, v) return 4 * v.reads / m.seconds / 1e6 end },
  },
  contract  = { hot_loop = { { "global_load_dword", count = 1 } } },
  reference = "chase_stride",
  lesson    = "caches.md",
}
