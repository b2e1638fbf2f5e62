-- Tasks of the CU with the most of them, the first CU: block b takes task b and every p.blocks-th task after it.
local function first_share(p)
  local tasks = 0
  for b = 0, math.min(p.blocks, p.tasks) - 1, p.cus do tasks = tasks + (p.tasks - b + p.blocks - 1) // p.blocks end
  return tasks
end

-- Blocks around one, two and three for each CU, and up to 200 for each, always increasing: 1, 8, 32, 63, 64, 65, 96, ...,
-- 12800 on 64 CUs.
local function sweep(p)
  local c, list = p.cus, { 1 }
  for _, blocks in ipairs { c // 8, c // 2, c - 1, c, c + 1, 3 * c // 2, 2 * c - 1, 2 * c, 2 * c + 1, 5 * c // 2, 3 * c, 3 * c + 1,
                            4 * c, 5 * c, 8 * c, 10 * c, 25 * c, 200 * c } do
    list[#list + 1] = math.max(blocks, list[#list] + 1)
  end
  return list
end

return {
  title    = "Grid size",
  question = "How many blocks per CU does it take to keep the device busy?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), launch configuration",
  -- The source's rules: more blocks than multiprocessors, more than two per multiprocessor so that one runs while
  -- another waits, more than 100 to scale.
  kernel   = { file = "split.hip", entry = "split_tasks" },
  params   = {
    { "blocks", unit = "blocks", min = 1, max = 1 << 16, step = 1, default = 640, sweep = sweep,
      help = "blocks in the grid; the work is divided among them" },
    { "tasks", unit = "tasks", min = 1, max = 1 << 17, step = "x2", default = 12800, soft = 1600,
      help = "tasks in total; block b takes tasks b, b + blocks, b + 2 blocks, ..." },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in a block; each runs one chain of multiply-adds per task" },
    { "length", unit = "FMA", min = 64, max = 1 << 16, step = 64, default = 4096, soft = 512,
      help = "length of a chain, rounded down to a multiple of 64" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 64, on = { gfx11 = 48 }, device = "units",
      help = "CUs of the device, or WGPs on RDNA, for the sweep and the ideal time" },
    { "fma", unit = "FMA", min = 1, max = 1024, step = 1, default = 64, on = { gfx11 = 128, sm = 128 }, device = "fma",
      help = "multiply-adds in a cycle of what runs a block, for the ideal time" },
  },
  presets  = { { "small", "blocks=1,64,65", "tasks=130", "length=64", help = "1, 64 and 65 blocks: on AMD's MI25 one, one per CU, and one more" } },
  buffers  = { out = { type = "float", count = function(p) return p.tasks * p.threads end } },
  args     = { "float *out", "unsigned tasks", "unsigned length" },
  values   = function(p) return { length = p.length // 64 * 64 } end,
  launch   = { grid = function(p) return p.blocks end, block = function(p) return p.threads end },
  metrics  = {
    { "time", unit = "us", axis = "left", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
    { "efficiency", unit = "%", axis = "right",
      help = "ideal time divided by the time; ideal is `fma` multiply-adds per cycle on every CU",
      function(m, p, v) return 100 * p.tasks * p.threads * v.length / (p.fma * p.cus) / (m.seconds * m.sclk) end },
    { "by_tasks", unit = "%", axis = "none",
      help = "predicted by counting tasks: the average CU's tasks divided by those of the busiest CU",
      function(m, p, v) return 100 * p.tasks / p.cus / first_share(p) end },
  },
  contract  = { hot_loop = { { "v_fma_f32" } } },
  reference = "split_tasks",
  lesson    = "occupancy.md",
}
