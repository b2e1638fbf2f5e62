local sgemm = shared("sgemm")

return {
  title    = "Matrix product, inner loop unrolled",
  question = "What does it gain to remove the inner loop of 8 trips, and to raise the wave's priority while it multiplies?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 7",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "it goes on from dual-issue multiply-adds" },
  -- The published one unrolls the machine code of kernel 6; here it is kernel 5's HIP. On other devices: sgemm-k5-lds, parameter unroll.
  kernel   = { file = "sgemm_patch.hip", entry = "sgemm_patch",
               defines = function(p) return string.format("-DSHAPED -DUNROLLED=%d -DPRIORITY=%d", p.unroll, p.priority == "on" and 1 or 0) end },
  params   = {
    { "unroll", unit = "", min = 1, max = 8, step = "x2", default = 8, sweep = true,
      help = "steps of k in a trip of the inner loop; 8 is all of them" },
    { "priority", choices = { "off", "on" }, default = "on", help = "s_setprio around the multiply-adds" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 256, help = "edge of the matrices; a multiple of 128" },
    sgemm.library, sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "n=128", "alpha=1.5", "beta=0.5", help = "soon done" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  values   = sgemm.values128,
  launch   = { grid = sgemm.grid128, block = 128 },
  reset    = true,
  metrics  = { sgemm.gflops, sgemm.relative, sgemm.time, sgemm.vgprs, sgemm.sgprs },
  tolerance = sgemm.tolerance,
  reference = "sgemm",
}
