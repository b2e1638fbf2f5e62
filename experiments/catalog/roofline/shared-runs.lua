local block = 1024

local function words(p) return p.runs * p.pairs * 2 * block end -- doubles of all runs

return {
  title    = "Bandwidth of data that blocks share",
  question = "How much bandwidth does L2 deliver when many blocks read the same data, and when does memory limit it?",
  source   = "gpu-benches, gpu-l2-cache",
  kernel   = { file = "cache_bandwidth.hip", entry = "shared_runs",
               defines = function(p) return string.format("-DPAIRS=%d", p.pairs) end },
  params   = {
    { "runs", unit = "runs", min = 1, max = 2048, step = "x2", default = 8, sweep = { 1, 64 },
      help = "runs of data; block b reads run b modulo this number, so that the blocks share the runs" },
    { "pairs", unit = "pairs", min = 1, max = 256, step = 1, default = 24,
      help = "pairs of doubles that each thread reads; a run has 16 KiB for each" },
    { "blocks", unit = "blocks", min = 1, max = 200000, step = "x2", default = 200000, soft = 512,
      help = "blocks of 1024 threads" },
  },
  presets  = { { "small", "runs=1,8", "blocks=64", "pairs=4", help = "a data set in L2" } },
  buffers  = { from = { type = "double", count = words, fill = "random" },
               out = { type = "double", count = block } },
  args     = { "const double *from", "double *out", "double never", "unsigned runs", "unsigned pairs" },
  values   = function(p) return { never = -1, bytes = 8 * p.pairs * 2 * block * p.blocks } end,
  launch   = { grid = function(p) return p.blocks end, block = block },
  work     = function(p) return p.blocks * p.pairs end,
  counters = { "FETCH_SIZE" },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "bytes that all blocks read; 1 GB is 10^9 bytes",
      function(m, p, v) return v.bytes / m.seconds / 1e9 end },
    { "from_memory", unit = "%", axis = "right", help = "part of these bytes that comes from memory instead of L2",
      function(m, p, v) return 100 * m.counters.FETCH_SIZE * 1024 / v.bytes end },
    { "data_set", unit = "KiB", axis = "none", help = "bytes of all runs",
      function(m, p, v) return words(p) * 8 / 1024 end },
    { "time", unit = "ms", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e3 end },
  },
  contract  = { kernel = { { "global_load_dwordx2" }, { "global_store_dwordx2", count = 1 } } },
  reference = "shared_runs",
  lesson    = "roofline.md",
}
