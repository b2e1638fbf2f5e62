local blocks = { ["4x256"] = { 4, 256 }, ["16x16"] = { 16, 16 }, ["64x16"] = { 64, 16 }, ["1024x1"] = { 1024, 1 } }

return {
  title    = "Small kernels in a row",
  question = "How small can a kernel be before the time between launches matters more than its work?",
  source   = "gpu-benches, gpu-small-kernels",
  kernel   = { file = "launch_sequence.hip", entry = "scale_matrix" },
  params   = {
    { "side", unit = "elements", min = 1, max = 4096, step = "x2", default = 256, sweep = { 32, 1024 },
      help = "width and height of the two matrices, of 8-byte elements" },
    { "block", choices = { "4x256", "16x16", "64x16", "1024x1" }, default = "64x16", help = "width and height of a block" },
    { "launches", unit = "launches", min = 1, max = 250, step = 1, default = 200, soft = 20,
      help = "launches of the sequence, each from the matrix that the last one wrote to the other" },
  },
  presets  = { { "small", "side=32,100", "block=4x256,64x16,1024x1", "launches=4", help = "short sequences" } },
  buffers  = { a = { type = "double", count = function(p) return p.side * p.side end },
               b = { type = "double", count = function(p) return p.side * p.side end, fill = "random" } },
  args     = { "double *a", "double *b", "double s", "unsigned side", "unsigned back", "unsigned launches" },
  values   = function(p) return { s = 0.25, back = 0, bytes = 16 * p.side * p.side } end,
  launch   = {
    grid  = function(p) return { p.side // blocks[p.block][1] + 1, p.side // blocks[p.block][2] + 1 } end,
    block = function(p) return blocks[p.block] end,
  },
  steps    = function(p)
    local list = {}
    for k = 1, p.launches do list[k] = { launch = true, values = { back = (k - 1) % 2 } } end
    return list
  end,
  metrics  = {
    { "each", unit = "us", axis = "left", help = "time of a launch: that of the sequence by their number",
      function(m, p, v) return m.seconds / p.launches * 1e6 end },
    { "bandwidth", unit = "GB/s", axis = "right", help = "elements read plus written; 1 GB is 10^9 bytes",
      function(m, p, v) return v.bytes * p.launches / m.seconds / 1e9 end },
    { "time", unit = "us", axis = "none", help = "time of the whole sequence", function(m, p, v) return m.seconds * 1e6 end },
  },
  contract  = { kernel = { { "global_load_dwordx2", count = 1 }, { "global_store_dwordx2", count = 1 } } },
  reference = "scale_matrix",
  lesson    = "launch.md",
}
