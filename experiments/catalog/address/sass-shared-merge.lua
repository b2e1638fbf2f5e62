return {
  title    = "One shared array instead of two",
  question = "Does one shared array instead of two save an address increment?",
  source   = "AMD GCN ISA and NVIDIA SASS address arithmetic (Fixstars tech blog, 2015)",
  -- The published listings are of NVIDIA's compiler: 13 instructions for two arrays, 12 for one. LDS instructions have two offsets: here both forms come to
  -- the same. The source reads its arrays uninitialised and, beyond 32
  -- elements, past their ends.
  kernel   = { file = "addressing.hip", entry = function(p) return p.arrays == 2 and "shared_two" or "shared_one" end },
  params   = {
    { "arrays", unit = "arrays", min = 1, max = 2, step = 1, default = 2, sweep = true, help = "two of 32 elements, or one of 64 whose halves are used" },
    { "n", unit = "elements", min = 2, max = 32, step = 2, default = 32, help = "sums of a work-item, two a loop trip" },
    { "threads", unit = "threads", min = 64, max = 1024, step = "x2", default = 64, help = "of the one block; all of them compute the same sums" },
  },
  presets  = { { "small", "arrays=1,2", "n=8", help = "both forms" } },
  buffers  = { ["in"] = { type = "int", count = 64, fill = "index" },
               out = { type = "int", count = function(p) return p.threads * p.n end } },
  args     = { "const int *in", "int *out", "unsigned n" },
  values   = function(p)
    if p.n % 2 == 1 then error("n is odd; the loop makes two sums a trip") end
    return { n = p.n }
  end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "instructions", unit = "instructions", axis = "left", help = "of the loop: two elements a trip",
      function(m, p, v) return m.code.loop.instructions end },
    { "vector", unit = "instructions", axis = "none", help = "of them on the vector ALU: two sums and what moves the addresses on",
      function(m, p, v) return m.code.loop.valu end },
    { "cycles_per_element", unit = "cycles", axis = "right", help = "of the launch, the arrays' filling with it",
      function(m, p, v) return m.seconds * m.sclk / p.n end },
  },
  contract  = { hot_loop = { { "ds_read2_b64", count = 1 } } }, -- both elements of both arrays in one read
  reference = "shared_sum",
  lesson    = "addressing.md",
}
