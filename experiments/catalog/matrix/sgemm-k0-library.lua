local sgemm = shared("sgemm")

return {
  title    = "Matrix product, vendor library",
  question = "How fast is the vendor's library, the baseline for the other kernels?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 0",
  lesson   = "sgemm.md",
  needs    = { arch = { "gfx1100", "gfx908", "gfx90a" }, text = "rocBLAS is the baseline of products on these boards" },
  params   = {
    { "n", unit = "", min = 1, max = 8192, step = 128, default = 4096, soft = 1024, help = "matrix size, any number" },
    sgemm.alpha, sgemm.beta, sgemm.fill,
    { "simds", unit = "", min = 1, max = 4096, step = 1, default = 192,
      help = "SIMDs of the device; an RX 7900 XTX has 2 in each of 96 CUs" },
    { "clock", unit = "MHz", min = 1, max = 10000, step = 1, default = 2500, help = "clock of the device" },
  },
  presets  = { { "small", "n=33,128", "alpha=1.5", "beta=0.5", help = "a size that is not a multiple of a tile, and one that is" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  work     = sgemm.work,
  steps    = function(p) return { { call = "rocblas_sgemm" } } end,
  reset    = true,
  metrics  = {
    sgemm.gflops,
    { "share", unit = "%", axis = "right",
      help = "share of the peak of two multiply-adds per lane (32 per SIMD) and cycle; single issue reaches 50 %",
      function(m, p) return 2 * p.n ^ 3 / m.seconds / (p.simds * 128 * p.clock * 1e6) * 100 end },
    sgemm.time,
  },
  tolerance = sgemm.tolerance,
  reference = "sgemm",
}
