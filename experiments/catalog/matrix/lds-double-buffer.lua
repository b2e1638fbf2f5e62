local sgemm = shared("sgemm")

return {
  title    = "Matrix product, double-buffered LDS",
  question = "Does double buffering in LDS, which saves one barrier per step, speed up the matrix product?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), conclusion: an idea not tried there",
  lesson   = "sgemm.md",
  kernel   = { file = "sgemm_patch.hip", entry = function(p) return p.buffers == 2 and "sgemm_k5_double" or "sgemm_k5" end },
  params   = {
    { "buffers", unit = "tiles", min = 1, max = 2, step = 1, default = 2, sweep = true,
      help = "LDS tiles per matrix; with one, a barrier separates reads from the next stores" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 512,
      help = "matrix size, a multiple of 128" },
    sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "n=256", "alpha=1.5", "beta=0.5", help = "small matrices" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  work     = sgemm.work,
  values   = sgemm.values128,
  launch   = { grid = sgemm.grid128, block = 128 },
  reset    = true,
  metrics  = { sgemm.gflops, sgemm.flop_per_cycle, sgemm.time, sgemm.blocks, sgemm.vgprs, sgemm.lds, sgemm.waves_per_simd },
  tolerance = sgemm.tolerance,
  contract  = { hot_loop = { { "ds_read_b128", count = 6 } } },
  reference = "sgemm",
}
