return {
  title    = "Dot product of two tiles, by unrolling",
  question = "How much of a rolled dot-product loop is overhead, and what does unrolling save?",
  -- The lecture counts 2 floating-point instructions of 6 in the rolled loop and leaves out the two loads.
  source   = "CUDA program optimization, lecture notes (Zhou Bin), loop unrolling",
  lesson   = "sgemm.md",
  kernel   = { file = "tile_dot.hip", entry = "tile_dot", defines = function(p) return p.unroll ~= 1 and "-DUNROLL=" .. p.unroll or "" end },
  params   = {
    { "unroll", unit = "FMA", min = 1, max = 16, step = "x2", default = 1, sweep = true,
      help = "steps of the dot product in a loop trip; 16 is all of them" },
    { "repeats", unit = "", min = 1, max = 100000, step = "x2", default = 10000, soft = 500,
      help = "of the dot product of 16 steps, into the same sum" },
    { "blocks", unit = "blocks", min = 1, max = 1024, step = "x2", default = 1, help = "of 16 x 16 work-items; each has its own tiles" },
  },
  presets  = { { "small", "unroll=1,16", "repeats=3", "blocks=2", help = "soon done" } },
  buffers  = { a = { type = "float", count = function(p) return p.blocks * 256 end, fill = "random" },
               b = { type = "float", count = function(p) return p.blocks * 256 end, fill = "random" },
               out = { type = "float", count = function(p) return p.blocks * 256 end } },
  args     = { "const float *a", "const float *b", "float *out", "int repeats" },
  values   = function(p) return { repeats = p.repeats, fma = p.repeats * 16 } end,
  launch   = { grid = function(p) return p.blocks end, block = { 16, 16 } },
  metrics  = {
    { "cycles_per_fma", unit = "cycles", axis = "left", help = "of a wave; the multiply-add alone takes 4 on GCN",
      function(m, p, v) return m.seconds * m.sclk / v.fma end },
    { "instructions_per_fma", unit = "instructions", axis = "right", help = "of the hot loop",
      function(m, p, v) return m.code.loop.instructions / p.unroll end },
    { "fma_share", unit = "%", axis = "none", help = "of the hot loop's instructions",
      function(m, p, v) return p.unroll / m.code.loop.instructions * 100 end },
  },
  tolerance = function(p) return 8 * math.sqrt(p.repeats * 16) / (1 << 24) end,
  contract  = function(p) return { isa = "gfx900", hot_loop = { { "v_fma_f32", count = p.unroll } } } end, -- v_fmac_f32 on later ones
  reference = "tile_dot",
}
