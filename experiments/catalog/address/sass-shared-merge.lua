return {
  title    = "One shared array instead of two",
  question = "Does merging two shared arrays into one save an address increment?",
  source   = "AMD GCN ISA and NVIDIA SASS address arithmetic (Fixstars tech blog, 2015)",
  -- The published listings are from NVIDIA's compiler: 13 instructions for two arrays, 12 for one. LDS instructions
  -- have two offsets, so here both forms need the same number. The source reads its arrays uninitialized and, beyond 32
  -- elements, out of bounds.
  kernel   = { file = "addressing.hip", entry = function(p) return p.arrays == 2 and "shared_two" or "shared_one" end },
  params   = {
    { "arrays", unit = "arrays", min = 1, max = 2, step = 1, default = 2, sweep = true,
      help = "two arrays of 32 elements, or one of 64 whose halves are used" },
    { "n", unit = "elements", min = 2, max = 32, step = 2, default = 32,
      help = "sums per thread, two per loop trip" },
    { "threads", unit = "threads", min = 64, max = 1024, step = "x2", default = 64,
      help = "threads in the single block; all compute the same sums" },
  },
  presets  = { { "small", "arrays=1,2", "n=8", help = "both forms" } },
  buffers  = { ["in"] = { type = "int", count = 64, fill = "index" },
               out = { type = "int", count = function(p) return p.threads * p.n end } },
  args     = { "const int *in", "int *out", "unsigned n" },
  values   = function(p)
    if p.n % 2 == 1 then error("n must be even: the loop computes two sums per trip") end
    return { n = p.n }
  end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "instructions", unit = "instructions", axis = "left", help = "instructions in the loop, two elements per trip",
      function(m, p, v) return m.code.loop.instructions end },
    { "vector", unit = "instructions", axis = "none",
      help = "vector ALU instructions in the loop: two sums and the address updates",
      function(m, p, v) return m.code.loop.valu end },
    { "cycles_per_element", unit = "cycles", axis = "right",
      help = "launch cycles per element, including filling the arrays",
      function(m, p, v) return m.seconds * m.sclk / p.n end },
  },
  -- One read returns both elements of both arrays; NVIDIA's return those of one.
  contract  = { { hot_loop = { { "ds_read2_b64", count = 1 } } },
                { isa = "sm_", hot_loop = { { "LDS.64", count = 2 }, { "STG", count = 2 } } } },
  reference = "shared_sum",
  lesson    = "addressing.md",
}
