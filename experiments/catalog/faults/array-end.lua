local function blocks(p) return (p.n + p.block - 1) // p.block end
local limits = { on = function(p) return p.n end, off_by_one = function(p) return p.n + 1 end,
                 off = function(p) return blocks(p) * p.block end }

return {
  title    = "The end of an array",
  question = "Which elements behind an array does a launch reach whose blocks do not divide its size?",
  kernel   = { file = "array_ends.hip", entry = "array_end" },
  params   = {
    { "block", unit = "threads", min = 64, max = 1024, step = "+64", default = 256, sweep = { 64, 512 },
      help = "threads in a block; the grid has enough blocks for all elements" },
    { "guard", choices = { "on", "off", "off_by_one" }, default = "on",
      help = "on: threads behind the array do nothing; off: they write (wrong); off_by_one: the guard is i <= n (wrong)" },
    { "n", unit = "elements", min = 1, max = 1 << 24, step = "x2", default = 1000, help = "elements of the array" },
    { "neighbors", unit = "elements", min = 0, max = 4096, step = "+1024", default = 1024,
      help = "elements of other arrays behind it, in the same allocation; 0: the allocation ends with the array" },
  },
  buffers  = { input = { type = "unsigned", count = function(p) return p.n + 1024 end, fill = "index" },
               out = { type = "unsigned", count = function(p) return p.n + p.neighbors end } },
  args     = { "const unsigned *input", "unsigned *out", "unsigned n", "unsigned limit" },
  values   = function(p) return { n = p.n, limit = limits[p.guard](p), threads = blocks(p) * p.block } end,
  launch   = { grid = blocks, block = function(p) return p.block end },
  metrics  = {
    { "overwritten", unit = "elements", axis = "left", help = "elements behind the array that the launch changed",
      function(m, p, v) return m.difference.out.unequal end },
    { "idle", unit = "threads", axis = "none", help = "threads of the launch that have no element",
      function(m, p, v) return v.threads - p.n end },
    { "time", unit = "us", axis = "right", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
  },
  reference = "array_end",
  lesson    = "bounds.md",
}
