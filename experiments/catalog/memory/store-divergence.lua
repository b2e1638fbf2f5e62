local entries = {
  merged = { off = "line_store", on = "line_store_apart" },
  kept = { off = "line_store_kept", on = "line_store_apart_kept" },
}

local function apart(p) return p.different_address == "on" end

return {
  title    = "Stores by two branches",
  question = "Do two branches that store cost two stores, and what if they store to different places?",
  source   = "HIP performance optimization on Vega64, section 2.7.2",
  -- As published, both addresses are equal for every thread that is launched, so nothing diverges: it tests how the compiler merges branches.
  -- The text's "thread 0 against the rest" is not what the condition does: it holds where all bits of d are set in the thread's index.
  kernel   = { file = "line.hip", entry = function(p) return entries[p.form][p.different_address] end },
  params   = {
    { "d", unit = "", min = 0, max = 63, step = 1, default = 1, sweep = { 0, 3 }, help = "threads whose index has all bits of d take the first branch" },
    { "different_address", choices = { "off", "on" }, default = "off",
      help = "on: the second branch stores to another half of the buffer, which the source does not" },
    { "form", choices = { "merged", "kept" }, default = "merged",
      help = "kept: each branch keeps its own store; else the compiler makes one of them" },
    { "total_threads", unit = "threads", min = 1 << 16, max = 1 << 28, step = "x2", default = 1 << 28, soft = 1 << 22,
      help = "each stores one word" },
    { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 512, help = "threads in a block" },
  },
  presets  = {
    { "small", "d=0,1,32", "different_address=off,on", "form=merged,kept", "total_threads=2^16", help = "both forms, both places" },
    { "apart", "d=0,1,2,3,7,15,31,32,48,63", "different_address=on", "form=merged,kept", help = "two places, by one store and by two" },
  },
  buffers  = { buf = { type = "unsigned", count = function(p) return p.total_threads * (apart(p) and 2 or 1) end } },
  args     = { "unsigned *buf", "unsigned d", "unsigned mask" },
  values   = function(p) return { mask = p.total_threads - 1 } end,
  launch   = { grid = function(p) return p.total_threads // p.block end, block = function(p) return p.block end },
  metrics  = {
    { "time", unit = "us", axis = "left", help = "of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
    { "stores", unit = "", axis = "right", help = "store instructions in the kernel's code",
      function(m, p, v) return m.code.named["global_store_dword"] end },
    { "bandwidth", unit = "GB/s", axis = "none", help = "words stored; 1 GB is 10^9 bytes",
      function(m, p, v) return 4 * p.total_threads / m.seconds / 1e9 end },
  },
  reference = function(p) return apart(p) and "line_store_apart" or "line_store" end,
  lesson    = "divergence.md",
}
