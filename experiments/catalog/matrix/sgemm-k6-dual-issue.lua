local sgemm = shared("sgemm")

return {
  title    = "Matrix product, dual-issue multiply-adds",
  question = "How much does an inner loop of dual-issue multiply-adds without register bank conflicts gain?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 6",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "the published loop is RDNA3 machine code" },
  -- The published loop is kernel 5's with 64 dual multiply-adds per step: columns of A in banks 2 and 3, rows of B in
  -- banks 0 and 1, accumulators in all banks. Here only the compiler pairs instructions; the machine code is the
  -- source's own.
  kernel   = { file = "sgemm_patch.hip", entry = "sgemm_k5" },
  params   = {
    { "mix", choices = { "compiler", "dual", "dual-banks" }, default = "compiler",
      help = "pairs of multiply-adds: from the compiler; machine code, all; machine code, only those without bank conflicts" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 256,
      help = "matrix size, a multiple of 128" },
    sgemm.library, sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "n=128", "alpha=1.5", "beta=0.5", help = "small matrices" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  values   = function(p)
    if p.n % 128 ~= 0 then error(string.format("n = %d must be a multiple of the block's tile, 128", p.n)) end
    if p.mix ~= "compiler" then
      error(string.format("mix = %s needs the machine code of the published kernel 6, which is not included; use mix = compiler", p.mix))
    end
    return {}
  end,
  launch   = { grid = sgemm.grid128, block = 128 },
  reset    = true,
  metrics  = { sgemm.gflops, sgemm.relative, sgemm.time, sgemm.vgprs, sgemm.sgprs },
  tolerance = sgemm.tolerance,
  reference = "sgemm",
}
