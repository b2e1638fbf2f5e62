local sgemm = shared("sgemm")

return {
  title    = "Matrix product, dual-issue multiply-adds",
  question = "How much does an inner loop of dual-issue multiply-adds without register bank conflicts gain?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 6",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "the published loop is RDNA3 machine code" },
  -- Kernel 5 with 64 dual multiply-adds per step. With dual-banks columns of A are in banks 2 and 3, rows of B in banks 0
  -- and 1, so LDS is read 8 bytes at a time. As in the source's file the wave's priority is raised while it multiplies.
  kernel   = { file = function(p) return p.mix == "compiler" and "sgemm_patch.hip" or "gfx11/sgemm_dual.s" end,
               entry = function(p) return p.mix == "compiler" and "sgemm_k5" or "sgemm_dual" end,
               defines = function(p)
                 return p.mix == "compiler" and "-mcumode" or "-DBANKS=" .. (p.mix == "dual-banks" and 1 or 0)
               end },
  params   = {
    { "mix", choices = { "compiler", "dual", "dual-banks" }, default = "dual-banks", sweep = { "compiler", "dual", "dual-banks" },
      help = "compiler: kernel 5; dual: all multiply-adds in pairs; dual-banks: and without bank conflicts" },
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
    if p.mix == "compiler" then return { isa = "gfx11", hot_loop = { { "v_dual_fmac_f32" }, { "ds_load_b128", count = 6 } } } end
    local read = p.mix == "dual" and { "ds_load_b128", count = 6 } or { "ds_load_b64", count = 12 }
    return { isa = "gfx11", hot_loop = { { "v_dual_fmac_f32", count = 64 }, { "v_fmac_f32", count = 0 }, read } }
  end,
  reference = "sgemm",
}
