local function scalar(loop) return loop.salu + loop.branch + loop.internal end

return {
  title    = "Loop addressing in three forms",
  question = "How many vector and scalar instructions do three versions of the same loop need?",
  source   = "AMD GCN ISA and NVIDIA SASS address arithmetic (Fixstars tech blog, 2015)",
  -- In the source, the groups overlap and their additions race; here each group has its own elements.
  kernel   = { entry = function(p) return "address_" .. p.form end },
  variants = {
    { "published", file = "addressing_published.s" },
    { "compiled", file = "addressing.hip" },
  },
  params   = {
    { "form", choices = { "f", "g", "h" }, default = "f", sweep = { "f", "g", "h" },
      help = "f: counter per lane; g: uniform counter, lane test inside; h: lane offset in the base, counted in bytes" },
    { "n", unit = "trips", min = 1, max = 4096, step = "x2", default = 256,
      help = "loop trips; in each, 32 of 64 lanes add 1 to an element" },
    { "waves", unit = "waves", min = 1, max = 16, step = 1, default = 16,
      help = "groups of 64 lanes in a block; each is a wave, or two on RDNA" },
    { "blocks", unit = "blocks", min = 1, max = 1024, step = 1, default = 1,
      help = "blocks in the grid, one per CU until all CUs have one" },
  },
  presets  = { { "small", "form=f,g,h", "variant=published,compiled", "n=8", "waves=2",
    help = "all three forms, both variants" } },
  buffers  = { p = { type = "int", count = function(p) return p.blocks * p.waves * 32 * p.n end, fill = "index" } },
  args     = { "int *p", "unsigned n" },
  launch   = { grid = function(p) return p.blocks end, block = function(p) return 64 * p.waves end },
  reset    = true,
  metrics  = {
    { "valu_per_trip", unit = "instructions", axis = "left", help = "vector instructions in the loop",
      function(m, p, v) return m.code.loop.valu end },
    { "salu_per_trip", unit = "instructions", axis = "left",
      help = "scalar instructions in the loop, including the wait and the branch",
      function(m, p, v) return scalar(m.code.loop) end },
    { "cycles_per_trip", unit = "cycles", axis = "right",
      help = "CU cycles per trip of one of its waves, one block per CU",
      function(m, p, v) return m.seconds * m.sclk / (p.n * p.waves) end },
    { "issue_cycles", unit = "cycles", axis = "none",
      help = "cycles that the busier issue port of a SIMD needs per trip: 4 per vector or scalar instruction, 1 on RDNA",
      function(m, p, v) return (m.code.wave_size == 32 and 1 or 4) * math.max(m.code.loop.valu, scalar(m.code.loop)) end },
  },
  contract  = function(p)
    return { { hot_loop = { { "global_load_dword", count = 1 }, { "global_store_dword", count = 1 } } },
             { isa = "sm_", hot_loop = { { "LDG", count = 1 }, { "STG", count = 1 } } } }
  end,
  reference = "address",
  lesson    = "addressing.md",
}
