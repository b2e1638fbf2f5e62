local sgemm = shared("sgemm")

return {
  title    = "Matrix product, cheap addresses",
  question = "How much do scalar-base addressing of global loads and spreading them over the steps gain?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 8",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "it builds on dual-issue multiply-adds" },
  -- Kernel 7 with 16 scalar bases and two offsets per lane. The published file is for n = 4096 only, this one for any n.
  kernel   = { file = "gfx11/sgemm_dual.s", entry = "sgemm_dual",
               defines = function(p)
                 return string.format("-DUNROLL=8 -DSCALAR_BASE=%d -DSPREAD=%d", p.addressing == "scalar" and 1 or 0,
                                      p.spread == "on" and 1 or 0)
               end },
  params   = {
    { "spread", choices = { "off", "on" }, default = "on", sweep = { "off", "on" },
      help = "off: all 16 loads before the steps; on: four before, then two after each of the first 6 steps" },
    { "addressing", choices = { "vector", "scalar" }, default = "scalar",
      help = "a 64-bit address per lane, or a scalar base and an offset per lane" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 256,
      help = "matrix size, a multiple of 128" },
    sgemm.library, sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "n=128", "alpha=1.5", "beta=0.5", help = "small matrices" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  work     = sgemm.work,
  values   = sgemm.values128,
  launch   = { grid = sgemm.grid128, block = 128 },
  reset    = true,
  metrics  = { sgemm.gflops, sgemm.relative, sgemm.time, sgemm.vgprs, sgemm.sgprs },
  tolerance = sgemm.tolerance,
  contract  = { isa = "gfx11", hot_loop = { { "v_dual_fmac_f32", count = 512 }, { "global_load_b32", count = 16 } } },
  reference = "sgemm",
}
