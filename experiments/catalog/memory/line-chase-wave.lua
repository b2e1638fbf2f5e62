-- At least `walk` bytes from the first read to the last: fewer would all be in the L2 after the untimed launch.
local function reads(p) return math.max(p.reads, p.walk // p.stride) end

return {
  title    = "Cache line, by wave stride",
  question = "How does a wave's load latency grow with the stride between its lanes?",
  source   = "HIP performance optimization on Vega64, section 2.7.1",
  -- The source means a wave but launches one thread. Its index is a signed product that overflows at strides from 256
  -- on, which the mask hides; the indices here are unsigned.
  kernel   = { file = "line.hip", entry = "line_chase" },
  params   = {
    { "stride", unit = "B", means = "stride", min = 4, max = "2 KiB", step = "x2", default = 4, sweep = true,
      help = "bytes from one lane's word to the next lane's, and from one read to the next" },
    { "threads", unit = "threads", min = 1, max = 1024, step = "x2", default = 1, soft = 64,
      help = "threads in the single block: 1 as published; 64 is one wave (two on RDNA); 512 is eight, probably what was intended" },
    { "reads", unit = "reads", min = 1024, max = 1 << 23, step = "x2", default = 1 << 18, soft = 1 << 14,
      help = "minimum number of reads per thread, one after another" },
    { "walk", unit = "B", min = "1 KiB", max = "1 GiB", step = "x2", default = "32 MiB", soft = "5 MiB",
      help = "minimum distance from the first read to the last; data that fits in the L2 is there after the untimed launch" },
    { "size", unit = "B", min = "1 MiB", max = "1 GiB", step = "x2", default = "1 GiB", soft = "64 MiB",
      help = "size of the buffer, at which the walk wraps around" },
  },
  presets  = { { "small", "stride=4,64,2KiB", "reads=1024", "walk=1KiB", "size=1MiB",
    help = "three strides, short walk" } },
  buffers  = { buf = { type = "int", count = function(p) return p.size // 4 end, fill = 1 },
               out = { type = "int", count = function(p) return p.threads end } },
  args     = { "const int *buf", "unsigned stride", "unsigned mask", "unsigned reads", "int *out" },
  values   = function(p) return { stride = p.stride // 4, mask = p.size // 4 - 1, reads = reads(p) } end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "latency", unit = "cycles", axis = "left", help = "cycles per dependent read, including address code",
      function(m, p, v) return m.seconds * m.sclk / v.reads end },
    { "lines", unit = "lines", axis = "right", help = "64-byte lines that a wave's load touches",
      function(m, p, v) return math.max(math.min(p.threads, m.code.wave_size) * math.min(p.stride, 64) // 64, 1) end },
  },
  contract  = { hot_loop = { { "global_load_dword", count = 1 } } },
  reference = "line_chase",
  lesson    = "caches.md",
}
