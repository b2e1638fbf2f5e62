-- Tasks of the CU with the most of them, the first CU: block b takes task b and every p.blocks-th task after it.
local function first_share(p)
  local tasks = 0
  for b = 0, math.min(p.blocks, p.tasks) - 1, p.cus do tasks = tasks + (p.tasks - b + p.blocks - 1) // p.blocks end
  return tasks
end

return {
  title    = "Grid size",
  question = "How many blocks per CU does it take to keep the device busy?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), launch configuration",
  -- The source's rules: more blocks than multiprocessors, more than two per multiprocessor so that one runs while
  -- another waits, more than 100 to scale.
  kernel   = { file = "split.hip", entry = "split_tasks" },
  params   = {
    { "blocks", unit = "blocks", min = 1, max = 12800, step = 1, default = 640,
      sweep = { 1, 8, 32, 63, 64, 65, 96, 127, 128, 129, 160, 192, 193, 256, 320, 512, 640, 1600, 12800 },
      help = "blocks in the grid; the work is divided among them" },
    { "tasks", unit = "tasks", min = 1, max = 1 << 17, step = "x2", default = 12800, soft = 1600,
      help = "tasks in total; block b takes tasks b, b + blocks, b + 2 blocks, ..." },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in a block; each runs one chain of multiply-adds per task" },
    { "length", unit = "FMA", min = 64, max = 1 << 16, step = 64, default = 4096, soft = 512,
      help = "length of a chain, rounded down to a multiple of 64" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 64, on = { gfx11 = 48 }, device = "units",
      help = "CUs of the device, or WGPs on RDNA, for the ideal time" },
  },
  presets  = { { "small", "blocks=1,64,65", "tasks=130", "length=64", help = "one block, one per CU, and one more" } },
  buffers  = { out = { type = "float", count = function(p) return p.tasks * p.threads end } },
  args     = { "float *out", "unsigned tasks", "unsigned length" },
  values   = function(p) return { length = p.length // 64 * 64 } end,
  launch   = { grid = function(p) return p.blocks end, block = function(p) return p.threads end },
  metrics  = {
    { "time", unit = "us", axis = "left", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
    { "efficiency", unit = "%", axis = "right",
      help = "ideal time divided by the time; ideal is 64 multiply-adds per cycle on every CU, 128 on a WGP",
      function(m, p, v)
        local per_cycle = m.code.wave_size == 32 and 128 or 64
        return 100 * p.tasks * p.threads * v.length / (per_cycle * p.cus) / (m.seconds * m.sclk)
      end },
    { "by_tasks", unit = "%", axis = "none",
      help = "predicted by counting tasks: the average CU's tasks divided by those of the busiest CU",
      function(m, p, v) return 100 * p.tasks / p.cus / first_share(p) end },
  },
  contract  = { hot_loop = { { "v_fma_f32" } } },
  reference = "split_tasks",
  lesson    = "occupancy.md",
}
