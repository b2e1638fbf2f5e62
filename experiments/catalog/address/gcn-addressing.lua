local function scalar(loop) return loop.salu + loop.branch + loop.internal end

return {
  title    = "Three forms of a loop's addresses",
  question = "How do three forms of the same loop split between vector and scalar instructions?",
  source   = "AMD GCN ISA and NVIDIA SASS address arithmetic (Fixstars tech blog, 2015)",
  -- The source's groups overlap, so that their additions race; here each has elements of its own.
  kernel   = { entry = function(p) return "address_" .. p.form end },
  variants = {
    { "published", file = "addressing_published.s" },
    { "compiled", file = "addressing.hip" },
  },
  params   = {
    { "form", choices = { "f", "g", "h" }, default = "f", sweep = { "f", "g", "h" },
      help = "f: a counter for each lane; g: a uniform one, the lane's test inside; h: the lane in the base, counted in bytes" },
    { "n", unit = "trips", min = 1, max = 4096, step = "x2", default = 256, help = "of the loop; 32 lanes of 64 add 1 to an element in each" },
    { "waves", unit = "waves", min = 1, max = 16, step = 1, default = 16, help = "of a block, a group of 64 lanes each" },
    { "blocks", unit = "blocks", min = 1, max = 1024, step = 1, default = 1, help = "of the grid, one CU each as long as there are CUs" },
  },
  presets  = { { "small", "form=f,g,h", "variant=published,compiled", "n=8", "waves=2", help = "the three forms, both ways" } },
  buffers  = { p = { type = "int", count = function(p) return p.blocks * p.waves * 32 * p.n end, fill = "index" } },
  args     = { "int *p", "unsigned n" },
  launch   = { grid = function(p) return p.blocks end, block = function(p) return 64 * p.waves end },
  reset    = true,
  metrics  = {
    { "valu_per_trip", unit = "instructions", axis = "left", help = "vector ones of the loop",
      function(m, p, v) return m.code.loop.valu end },
    { "salu_per_trip", unit = "instructions", axis = "left", help = "scalar ones, the wait and the branch among them",
      function(m, p, v) return scalar(m.code.loop) end },
    { "cycles_per_trip", unit = "cycles", axis = "right", help = "of a CU with a block, for one trip of one of its waves",
      function(m, p, v) return m.seconds * m.sclk / (p.n * p.waves) end },
    { "issue_cycles", unit = "cycles", axis = "none", help = "that a SIMD's busier pipe needs for a trip: 4 for each vector, or each scalar instruction",
      function(m, p, v) return 4 * math.max(m.code.loop.valu, scalar(m.code.loop)) end },
  },
  contract  = function(p)
    return { hot_loop = { { "global_load_dword", count = 1 }, { "global_store_dword", count = 1 } } }
  end,
  reference = "address",
  lesson    = "addressing.md",
}
