local sgemm = shared("sgemm")

return {
  title    = "Matrix product, matrix cores",
  question = "How much faster is a matrix product of floats on the matrix cores?",
  source   = "AMD CDNA white paper; AMD Matrix Instruction Calculator",
  lesson   = "matrix-cores.md",
  needs    = { arch = { "gfx908", "gfx90a" }, text = "others have no v_mfma" },
  kernel   = { file = "sgemm_mfma.hip", entry = "sgemm_mfma" },
  params   = {
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 256, sweep = { 128, 1024 },
      help = "matrix size, a multiple of 128" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 120, on = { gfx90a = 104 }, device = "cus",
      help = "CUs of the device; each does 256 operations in a cycle" },
    sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "n=128", "alpha=1.5", "beta=0.5", help = "small matrices" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  work     = sgemm.work,
  values   = sgemm.values128,
  launch   = { grid = sgemm.grid128, block = 256 },
  reset    = true,
  metrics  = {
    sgemm.gflops,
    { "share", unit = "%", axis = "right", help = "share of the peak of the CUs that get a block",
      function(m, p, v) return 2 * p.n ^ 3 / (m.seconds * m.sclk) / (256 * math.min(p.cus, (p.n / 128) ^ 2)) * 100 end },
    sgemm.time, sgemm.blocks, sgemm.vgprs, sgemm.lds, sgemm.waves_per_simd,
  },
  tolerance = sgemm.tolerance,
  contract  = { hot_loop = { { "v_mfma_f32_32x32x2f32", count = 32 }, { "ds_read2_b32" }, { "v_fma_f32", count = 0 } } },
  reference = "sgemm",
}
