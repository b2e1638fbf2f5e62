local sgemm = shared("sgemm")

return {
  title    = "Matrix product, unrolled inner loop",
  question = "How much do unrolling the 8-trip inner loop and raising the wave's priority during multiply-adds gain?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 7",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "it builds on dual-issue multiply-adds" },
  -- Kernel 6, unrolled. On other devices, use sgemm-k5-lds with parameter unroll.
  kernel   = { file = "gfx11/sgemm_dual.s", entry = "sgemm_dual",
               defines = function(p) return string.format("-DUNROLL=%d -DPRIORITY=%d", p.unroll, p.priority == "on" and 1 or 0) end },
  params   = {
    { "unroll", unit = "", min = 1, max = 8, step = "x2", default = 8, sweep = true,
      help = "steps of k per trip of the inner loop; 8 is full unrolling" },
    { "priority", choices = { "off", "on" }, default = "on", help = "on: s_setprio around the multiply-adds" },
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
  contract  = function(p)
    return { isa = "gfx11", hot_loop = { { "v_dual_fmac_f32", count = 64 * p.unroll }, { "ds_load_b64", count = 12 * p.unroll } } }
  end,
  reference = "sgemm",
}
