-- The whole chip creates one wave per cycle, and a workgroup takes at least four cycles.
local function waves(p) return (p.block + 63) // 64 end

-- At least `waves` waves, so that the fixed launch overhead stays below 0.5 % for large blocks.
local function blocks(p) return math.max(p.total_threads // p.block, p.waves // waves(p), 1) end

return {
  title    = "Workgroup dispatch, by block size",
  question = "Which block sizes reach the peak thread creation rate with an empty kernel?",
  source   = "HIP performance optimization on Vega64, section 2.1.2",
  kernel   = { file = "dispatch.hip", entry = "dispatch" },
  params   = {
    { "block", unit = "threads", min = 1, max = 1024, step = "x2", default = 256, sweep = true,
      help = "threads in a block; any number is allowed, the sweep uses powers of two" },
    { "total_threads", unit = "threads", min = 1 << 16, max = 1 << 31, step = "x2", default = 1 << 30, soft = 1 << 20,
      help = "threads per launch" },
    { "waves", unit = "waves", min = 0, max = 1 << 24, step = 1 << 16, default = 0, soft = 1 << 17,
      help = "minimum number of waves per launch, even for large blocks" },
  },
  presets  = { { "small", "block=1,65,1024", "total_threads=2^16", "waves=4096",
    help = "three block sizes, small grid" } },
  buffers  = { unused = { type = "int", count = 1 } },
  args     = { "int *unused" },
  values   = function(p) return { blocks = blocks(p) } end,
  launch   = { grid = blocks, block = function(p) return p.block end },
  metrics  = {
    { "cycles_per_block", unit = "cycles", axis = "left", help = "expected: max(4, waves per block)",
      function(m, p, v) return m.seconds * m.sclk / v.blocks end },
    { "threads_per_cycle", unit = "threads/cycle", axis = "right", help = "threads created per cycle by the whole chip",
      function(m, p, v) return v.blocks * p.block / (m.seconds * m.sclk) end },
    { "time", unit = "ms", axis = "none", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    { "blocks", unit = "blocks", axis = "none", help = "blocks launched",
      function(m, p, v) return v.blocks end },
  },
  reference = "dispatch",
  lesson    = "launch.md",
}
