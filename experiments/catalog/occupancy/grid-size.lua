-- Tasks of the CU that has the most of them, the first: block b takes task b and every p.blocks behind it.
local function first_share(p)
  local tasks = 0
  for b = 0, math.min(p.blocks, p.tasks) - 1, p.cus do tasks = tasks + (p.tasks - b + p.blocks - 1) // p.blocks end
  return tasks
end

return {
  title    = "Blocks in the grid",
  question = "How many blocks for each CU does a given amount of work want?",
  source   = "CUDA program optimization (Zhou Bin), launch configuration",
  -- The source's rules: more blocks than multiprocessors, more than two for each so that another runs while one waits, more than 100 to scale.
  kernel   = { file = "split.hip", entry = "split_tasks" },
  params   = {
    { "blocks", unit = "blocks", min = 1, max = 12800, step = 1, default = 640,
      sweep = { 1, 8, 32, 63, 64, 65, 96, 127, 128, 129, 160, 192, 193, 256, 320, 512, 640, 1600, 12800 },
      help = "of the grid; the work is split among them" },
    { "tasks", unit = "tasks", min = 1, max = 1 << 17, step = "x2", default = 12800, soft = 1600, help = "in all; a block takes every so many of them, one after another" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256, help = "of a block; each has a chain of multiply-adds in every task" },
    { "length", unit = "FMA", min = 64, max = 1 << 16, step = 64, default = 4096, soft = 512, help = "of a chain, in whole 64" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 64, help = "of the device, for the ideal time" },
  },
  presets  = { { "small", "blocks=1,64,65", "tasks=130", "length=64", help = "a block, one for each CU, one more" } },
  buffers  = { out = { type = "float", count = function(p) return p.tasks * p.threads end } },
  args     = { "float *out", "unsigned tasks", "unsigned length" },
  values   = function(p) return { length = p.length // 64 * 64 } end,
  launch   = { grid = function(p) return p.blocks end, block = function(p) return p.threads end },
  metrics  = {
    { "time", unit = "us", axis = "left", help = "of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
    { "efficiency", unit = "%", axis = "right", help = "the ideal time by the time; ideal is 64 multiply-adds a cycle on every CU",
      function(m, p, v) return 100 * p.tasks * p.threads * v.length / (64 * p.cus) / (m.seconds * m.sclk) end },
    { "by_tasks", unit = "%", axis = "none", help = "the same by counting: when each CU takes every so many of the blocks, its share and that of the first",
      function(m, p, v) return 100 * p.tasks / p.cus / first_share(p) end },
  },
  contract  = { hot_loop = { { "v_fma_f32" } } },
  reference = "split_tasks",
  lesson    = "occupancy.md",
}
