return {
  title    = "Loads of a whole grid, by stride",
  question = "What bandwidth is left when every thread of a grid loads one word and the words lie further and further apart?",
  source   = "HIP performance optimization on Vega64, section 2.7.1",
  -- The source's index is a signed product that overflows; the mask hides it. Here it is unsigned.
  kernel   = { file = "line.hip", entry = "line_grid" },
  params   = {
    { "stride", unit = "B", means = "stride", min = 4, max = "1 KiB", step = "x2", default = 4, sweep = { 4, 256 }, help = "bytes from one thread's word to the next thread's" },
    { "total_threads", unit = "threads", min = 1 << 16, max = 1 << 28, step = "x2", default = 1 << 28, soft = 1 << 22,
      help = "each loads one word, from a buffer of as many words, where the index wraps" },
    { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 512, help = "threads in a block" },
  },
  presets  = { { "small", "stride=4,16,64", "total_threads=2^16", help = "three strides, in the L2" } },
  buffers  = { buf = { type = "unsigned", count = function(p) return p.total_threads end, fill = "index" },
               out = { type = "unsigned", count = 1 } },
  args     = { "const unsigned *buf", "unsigned stride", "unsigned mask", "unsigned *out" },
  values   = function(p) return { stride = p.stride // 4, mask = p.total_threads - 1 } end,
  launch   = { grid = function(p) return p.total_threads // p.block end, block = function(p) return p.block end },
  metrics  = {
    { "line_rate", unit = "GB/s", axis = "left", help = "lines of 64 bytes that the loads touch; 1 GB is 10^9 bytes",
      function(m, p, v) return 64 * p.total_threads * math.min(1, p.stride / 64) / m.seconds / 1e9 end },
    { "useful_rate", unit = "GB/s", axis = "left", help = "the words asked for",
      function(m, p, v) return 4 * p.total_threads / m.seconds / 1e9 end },
    { "time", unit = "ms", axis = "right", help = "of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
  },
  reference = "line_grid",
  lesson    = "caches.md",
}
