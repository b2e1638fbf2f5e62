-- An experiment of a user whose kernel has faults.
return {
  title    = "Block sums",
  question = "How long does a sum take?",
  kernel   = { file = "sums.hip", entry = "sums" },
  params   = {
    { "blocks", unit = "blocks", min = 1, max = 64, step = "x2", default = 4, sweep = { 2, 8 }, help = "workgroups" },
    { "shift", unit = "elements", min = 0, max = 4, step = 1, default = 0, help = "elements by which the sums are stored too far" },
  },
  buffers  = { values = { type = "float", count = function(p) return 256 * p.blocks end, fill = 1 },
               out = { type = "float", count = function(p) return p.blocks end } },
  args     = { "const float *values", "float *out", "unsigned shift" },
  launch   = { grid = function(p) return p.blocks end, block = 256 },
  metrics  = { { "time", unit = "us", axis = "left", help = "of the launch",
                 function(m) return m.seconds * 1e6 end } },
}
