-- Only the number of waves in a block matters, not its shape: max(4, waves) cycles.
local function height(p) return p.height == 0 and p.n or p.height end

local function threads(p) return p.n * height(p) end

local function waves(p) return (threads(p) + 63) // 64 end

-- At least `waves` waves, so that the fixed launch overhead stays below 0.5 % for large blocks.
local function blocks(p) return math.max(p.total_threads // threads(p), p.waves // waves(p), 1) end

return {
  title    = "Workgroup dispatch, square blocks",
  question = "Does the shape of a block matter, or only its number of threads?",
  source   = "HIP performance optimization on Vega64, section 2.1.3 (2D)",
  kernel   = { file = "dispatch.hip", entry = "dispatch" },
  params   = {
    { "n", unit = "threads", min = 1, max = 1024, step = 1, default = 16, sweep = { 1, 32 },
      help = "width and height of a block" },
    { "height", unit = "threads", min = 0, max = 1024, step = 1, default = 0,
      help = "height of a block; 0: same as the width. 32 x 16 reaches the peak too" },
    { "total_threads", unit = "threads", min = 1 << 16, max = 1 << 31, step = "x2", default = 1 << 30, soft = 1 << 20,
      help = "threads per launch" },
    { "waves", unit = "waves", min = 0, max = 1 << 24, step = 1 << 16, default = 0, soft = 1 << 17,
      help = "minimum number of waves per launch, even for large blocks" },
  },
  presets  = { { "small", "n=1,17,32", "total_threads=2^16", "waves=4096", help = "three squares, small grid" } },
  buffers  = { unused = { type = "int", count = 1 } },
  args     = { "int *unused" },
  values   = function(p) return { blocks = blocks(p) } end,
  launch   = { grid = blocks, block = function(p) return { p.n, height(p), 1 } end },
  metrics  = {
    { "cycles_per_block", unit = "cycles", axis = "left", help = "expected: max(4, waves per block)",
      function(m, p, v) return m.seconds * m.sclk / v.blocks end },
    -- The source always divides 2^30 threads by the time, although the last block is missing when n * n does not divide
    -- 2^30.
    { "threads_per_cycle", unit = "threads/cycle", axis = "right", help = "threads created per cycle by the whole chip",
      function(m, p, v) return v.blocks * threads(p) / (m.seconds * m.sclk) end },
    { "blocks", unit = "blocks", axis = "none", help = "blocks launched",
      function(m, p, v) return v.blocks end },
  },
  reference = "dispatch",
  lesson    = "launch.md",
}
