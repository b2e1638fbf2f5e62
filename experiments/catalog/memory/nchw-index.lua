return {
  title    = "Index of an NCHW tensor",
  question = "How fast are the places of one channel's pixels written?",
  source   = "HIP performance optimization on Vega64, section 2.8",
  -- The source takes 7 us off every launch for its overhead, and so comes out below what the creation of the waves takes. Here nothing is taken off:
  -- over hw the time is a line, and what it has left at nothing is the launch's own.
  kernel   = { file = "index.hip", entry = "nchw_index",
               defines = function(p) return p.items_per_thread > 1 and "-DITEMS=" .. p.items_per_thread or "" end },
  params   = {
    { "hw", unit = "pixels", min = 7, max = 224, step = "x2", default = 56, sweep = { 7, 112 }, help = "height and width of a plane" },
    { "n", unit = "images", min = 1, max = 4096, step = "x2", default = 1024, help = "in the batch" },
    { "c", unit = "channels", min = 1, max = 1024, step = "x2", default = 64, help = "of an image, of which the first is indexed" },
    { "items_per_thread", unit = "pixels", min = 1, max = 16, step = "x2", default = 1,
      help = "written by each thread: with 1 the creation of the waves is what limits" },
    { "launches", unit = "launches", min = 1, max = 1000, step = 1, default = 100, soft = 1,
      help = "one behind the other in one timing; the time is that of one of them" },
  },
  buffers  = { out = { type = "unsigned", count = function(p) return p.n * p.hw * p.hw end } },
  args     = { "unsigned *out", "unsigned c", "unsigned h", "unsigned w" },
  values   = function(p) return { c = p.c, h = p.hw, w = p.hw } end,
  launches = function(p) return p.launches end,
  launch   = { grid = function(p) return { math.ceil(p.hw^2 / (256 * p.items_per_thread)), p.n } end, block = 256 },
  metrics  = {
    { "time", unit = "us", axis = "left", help = "of a launch",
      function(m, p, v) return m.seconds * 1e6 end },
    { "bandwidth_gibps", unit = "GiB/s", axis = "right", help = "dwords stored, as the source counts them (it prints GB/s); 1 GiB is 2^30 bytes",
      function(m, p, v) return 4 * p.n * p.hw^2 / m.seconds / 2^30 end },
    { "bandwidth_gbps", unit = "GB/s", axis = "none", help = "the same in units of 10^9 bytes",
      function(m, p, v) return 4 * p.n * p.hw^2 / m.seconds / 1e9 end },
  },
  contract  = function(p) return { kernel = { { "global_store_dword", count = p.items_per_thread } } } end,
  reference = "nchw_index",
  presets  = { { "small", "n=8", "hw=7,28" } },
}
