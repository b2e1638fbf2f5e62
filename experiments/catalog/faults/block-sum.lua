-- The barriers of the tree: 1 after the load, 2 in the loop (block_sum.hip).
local barriers = { barriers = 3, one_barrier = 1, no_barrier = 0 }
local entries = { early_return = "block_sum_early", atomic = "block_sum_atomic", no_atomic = "block_sum_plain" }

return {
  title    = "Sums in LDS, right and wrong",
  question = "When do two waves of a block need a barrier between them?",
  kernel   = { file = "block_sum.hip", entry = function(p) return entries[p.order] or "block_sum" end },
  params   = {
    { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 256, sweep = true,
      help = "threads in a block; each has one value of the sum" },
    { "order", choices = { "barriers", "one_barrier", "no_barrier", "early_return", "atomic", "no_atomic" },
      default = "barriers",
      help = "one_barrier: after the load; early_return: half of the threads; wrong: one_barrier, no_barrier, no_atomic" },
    { "elements", unit = "elements", min = 1 << 10, max = 1 << 24, step = "x2", default = 1 << 20, soft = 1 << 16,
      help = "4-byte elements of all blocks" },
  },
  buffers  = { input = { type = "unsigned", count = function(p) return p.elements end, fill = "index" },
               out = { type = "unsigned", count = function(p, v) return v.blocks end } },
  args     = { "const unsigned *input", "unsigned *out", "unsigned barriers" },
  values   = function(p) return { blocks = p.elements // p.block, barriers = barriers[p.order] or 0 } end,
  launch   = { grid = function(p, v) return v.blocks end, block = function(p) return p.block end },
  metrics  = {
    { "wrong_sums", unit = "sums", axis = "left", help = "sums that differ from the reference",
      function(m, p, v) return m.difference.out.unequal end },
    { "time", unit = "us", axis = "right", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
    { "sums", unit = "sums", axis = "none", help = "sums that the launch computes, one per block",
      function(m, p, v) return v.blocks end },
  },
  reference = "block_sum",
  lesson    = "races.md",
}
