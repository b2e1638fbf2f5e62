local shapes = { ["8x8"] = { 8, 8 }, ["16x16"] = { 16, 16 }, ["32x8"] = { 32, 8 }, ["32x32"] = { 32, 32 }, ["64x4"] = { 64, 4 } }

return {
  title    = "Matrix product, naive",
  question = "What does a product of matrices cost without any re-use, and does the block's shape matter?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 1",
  lesson   = "sgemm.md",
  kernel   = { file = "sgemm.hip", entry = "sgemm_naive" },
  params   = {
    { "block", choices = { "8x8", "16x16", "32x8", "32x32", "64x4" }, default = "16x16", sweep = { "8x8", "16x16", "32x8", "32x32", "64x4" },
      help = "columns by rows of the result, one a work-item" },
    { "n", unit = "", min = 1, max = 8192, step = 128, default = 4096, soft = 256, help = "edge of the matrices; any" },
    { "alpha", unit = "", min = 0, max = 100, step = 0.5, default = 1, help = "of alpha A B + beta C" },
    { "beta", unit = "", min = 0, max = 100, step = 0.5, default = 0, help = "of alpha A B + beta C" },
    { "fill", choices = { "random", "zeros" }, default = "random",
      help = "of B; with zeros, as nearly all of the source's identity, the multipliers have nothing to switch" },
  },
  presets  = { { "small", "n=33", "alpha=1.5", "beta=0.5", help = "soon done; a size that fits no block" } },
  buffers  = { a = { type = "float", count = function(p) return p.n * p.n end, fill = "random" },
               b = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return p.fill == "random" and "random" or 0 end },
               c = { type = "float", count = function(p) return p.n * p.n end, fill = "random" } },
  args     = { "const float *a", "const float *b", "float *c", "int n", "float alpha", "float beta" },
  launch   = { grid = function(p)
                 local s = shapes[p.block]
                 return { (p.n + s[1] - 1) // s[1], (p.n + s[2] - 1) // s[2] }
               end,
               block = function(p) return shapes[p.block] end },
  reset    = true,
  metrics  = {
    { "gflops", unit = "GFLOP/s", axis = "left", help = "2 n^3 of them",
      function(m, p, v) return 2 * p.n ^ 3 / m.seconds / 1e9 end },
    { "flop_per_cycle", unit = "FLOP/cycle", axis = "right", help = "of the chip; the peak of GCN is 128 for each CU",
      function(m, p, v) return 2 * p.n ^ 3 / (m.seconds * m.sclk) end },
    { "time", unit = "ms", axis = "none", help = "of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
  },
  -- A product of n terms, summed one by one: the error of a sum goes with its square root.
  tolerance = function(p) return 8 * math.sqrt(p.n) / (1 << 24) end,
  contract  = { hot_loop = { { "global_load_dword", count = 2 } } },
  reference = "sgemm",
}
