local function blocks(p) return math.max(p.total_threads // p.block, 1) end

return {
  title    = "Workgroup dispatch, peak rate",
  question = "How many threads per cycle can the GPU's front end create with an empty kernel?",
  source   = "HIP performance optimization on Vega64, section 2.1.1",
  kernel   = { file = "dispatch.hip", entry = "dispatch" },
  params   = {
    { "block", unit = "threads", min = 1, max = 1024, step = "x2", default = 1024, help = "threads in a block" },
    { "total_threads", unit = "threads", min = 1 << 20, max = 1 << 31, step = "x2", default = 1 << 30, soft = 1 << 24,
      help = "threads per launch" },
  },
  presets  = { { "small", "block=256,1024", "total_threads=2^20", help = "small grid" } },
  buffers  = { unused = { type = "int", count = 1 } },
  args     = { "int *unused" },
  values   = function(p) return { blocks = blocks(p) } end,
  launch   = { grid = blocks, block = function(p) return p.block end },
  metrics  = {
    { "time", unit = "ms", axis = "left", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    { "threads_per_cycle", unit = "threads/cycle", axis = "right",
      help = "threads created per cycle by the whole chip; at best one wave of 64",
      function(m, p, v) return v.blocks * p.block / (m.seconds * m.sclk) end },
    { "blocks", unit = "blocks", axis = "none", help = "blocks launched",
      function(m, p, v) return v.blocks end },
  },
  reference = "dispatch",
  lesson    = "launch.md",
}
