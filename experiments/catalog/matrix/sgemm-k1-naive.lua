local sgemm = shared("sgemm")
local shapes = { ["8x8"] = { 8, 8 }, ["16x16"] = { 16, 16 }, ["32x8"] = { 32, 8 }, ["32x32"] = { 32, 32 }, ["64x4"] = { 64, 4 } }

return {
  title    = "Matrix product, naive",
  question = "How slow is a matrix product without data reuse, and does the block shape matter?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 1",
  lesson   = "sgemm.md",
  kernel   = { file = "sgemm.hip", entry = "sgemm_naive" },
  params   = {
    { "block", choices = { "8x8", "16x16", "32x8", "32x32", "64x4" }, default = "16x16", sweep = { "8x8", "16x16", "32x8", "32x32", "64x4" },
      help = "columns by rows of a block, one result per thread" },
    { "n", unit = "", min = 1, max = 8192, step = 128, default = 4096, soft = 256, help = "matrix size, any number" },
    sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "n=33", "alpha=1.5", "beta=0.5", help = "a size that is not a multiple of the block" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  work     = sgemm.work,
  launch   = { grid = function(p)
                 local s = shapes[p.block]
                 return { (p.n + s[1] - 1) // s[1], (p.n + s[2] - 1) // s[2] }
               end,
               block = function(p) return shapes[p.block] end },
  reset    = true,
  metrics  = { sgemm.gflops, sgemm.flop_per_cycle, sgemm.time },
  tolerance = sgemm.tolerance,
  contract  = { { hot_loop = { { "global_load_dword", count = 2 } } },
                { isa = "gfx11", hot_loop = { { "global_load_b32", count = 2 }, { "v_fmac_f32", count = 1 } } } },
  reference = "sgemm",
}
