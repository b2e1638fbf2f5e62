local entries = {
  merged = { off = "line_store", on = "line_store_apart" },
  kept = { off = "line_store_kept", on = "line_store_apart_kept" },
}

local function apart(p) return p.different_address == "on" end

return {
  title    = "Stores in two branches",
  question = "Do stores on both sides of a branch cost two stores, and does it matter whether their addresses differ?",
  source   = "HIP performance optimization on Vega64, section 2.7.2",
  -- As published, both addresses are equal for every launched thread, so nothing diverges: it tests how the compiler
  -- merges branches. The text describes "thread 0 against the rest"; the condition holds instead for threads whose
  -- index has all bits of d set.
  kernel   = { file = "line.hip", entry = function(p) return entries[p.form][p.different_address] end },
  params   = {
    { "d", unit = "", min = 0, max = 63, step = 1, default = 1, sweep = { 0, 3 },
      help = "threads whose index has all bits of d set take the first branch" },
    { "different_address", choices = { "off", "on" }, default = "off",
      help = "on: the second branch stores to the other half of the buffer; off: as published" },
    { "form", choices = { "merged", "kept" }, default = "merged",
      help = "merged: the compiler makes one store of the two; kept: each branch has its own store" },
    { "total_threads", unit = "threads", min = 1 << 16, max = 1 << 28, step = "x2", default = 1 << 28, soft = 1 << 22,
      help = "each thread stores one word" },
    { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 512, help = "threads in a block" },
  },
  presets  = {
    { "small", "d=0,1,32", "different_address=off,on", "form=merged,kept", "total_threads=2^16",
      help = "both forms, both address modes" },
    { "apart", "d=0,1,2,3,7,15,31,32,48,63", "different_address=on", "form=merged,kept",
      help = "different addresses, with one store and with two" },
  },
  buffers  = { buf = { type = "unsigned", count = function(p) return p.total_threads * (apart(p) and 2 or 1) end } },
  args     = { "unsigned *buf", "unsigned d", "unsigned mask" },
  values   = function(p) return { mask = p.total_threads - 1 } end,
  launch   = { grid = function(p) return p.total_threads // p.block end, block = function(p) return p.block end },
  metrics  = {
    { "time", unit = "us", axis = "left", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
    { "stores", unit = "", axis = "right", help = "store instructions in the kernel code",
      function(m, p, v) return m.code.named["global_store_dword"] end },
    { "bandwidth", unit = "GB/s", axis = "none", help = "words stored; 1 GB is 10^9 bytes",
      function(m, p, v) return 4 * p.total_threads / m.seconds / 1e9 end },
  },
  reference = function(p) return apart(p) and "line_store_apart" or "line_store" end,
  lesson    = "divergence.md",
}
