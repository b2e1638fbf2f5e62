-- As in two dimensions, only the number of waves in a block matters: max(4, waves) cycles.
local function height(p) return p.height == 0 and p.n or p.height end

local function depth(p) return p.depth == 0 and p.n or p.depth end

local function threads(p) return p.n * height(p) * depth(p) end

local function waves(p) return (threads(p) + 63) // 64 end

-- At least `waves` waves, so that the fixed launch overhead stays below 0.5 % for large blocks.
local function blocks(p) return math.max(p.total_threads // threads(p), p.waves // waves(p), 1) end

return {
  title    = "Workgroup dispatch, cubes",
  question = "Does a three-dimensional block cost more than a one-dimensional one?",
  source   = "HIP performance optimization on Vega64, section 2.1.3 (3D)",
  kernel   = { file = "dispatch.hip", entry = "dispatch" },
  params   = {
    { "n", unit = "threads", min = 1, max = 1024, step = 1, default = 8, sweep = { 1, 10 },
      help = "width, height and depth of a block" },
    { "height", unit = "threads", min = 0, max = 1024, step = 1, default = 0,
      help = "height of a block; 0: same as the width" },
    { "depth", unit = "threads", min = 0, max = 64, step = 1, default = 0,
      help = "depth of a block; 0: same as the width. 8 x 8 x 16 is the maximum; the published 8 x 8 x 64 would be 4096 threads" },
    { "total_threads", unit = "threads", min = 1 << 16, max = 1 << 31, step = "x2", default = 1 << 30, soft = 1 << 20,
      help = "threads per launch" },
    { "waves", unit = "waves", min = 0, max = 1 << 24, step = 1 << 16, default = 0, soft = 1 << 17,
      help = "minimum number of waves per launch, even for large blocks" },
  },
  presets  = { { "small", "n=1,7,10", "total_threads=2^16", "waves=4096", help = "three cubes, small grid" } },
  buffers  = { unused = { type = "int", count = 1 } },
  args     = { "int *unused" },
  values   = function(p) return { blocks = blocks(p) } end,
  launch   = { grid = blocks, block = function(p) return { p.n, height(p), depth(p) } end },
  metrics  = {
    { "cycles_per_block", unit = "cycles", axis = "left", help = "expected: max(4, waves per block)",
      function(m, p, v) return m.seconds * m.sclk / v.blocks end },
    { "threads_per_cycle", unit = "threads/cycle", axis = "right", help = "threads created per cycle by the whole chip",
      function(m, p, v) return v.blocks * threads(p) / (m.seconds * m.sclk) end },
    { "blocks", unit = "blocks", axis = "none", help = "blocks launched",
      function(m, p, v) return v.blocks end },
  },
  reference = "dispatch",
  lesson    = "launch.md",
}
