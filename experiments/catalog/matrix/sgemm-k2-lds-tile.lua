local sgemm = shared("sgemm")

-- Where tiles extend past the matrices, zeros are read.
local function defines(p)
  local d = p.tile ~= 32 and "-DTILE=" .. p.tile or ""
  return p.n % p.tile ~= 0 and d .. " -DBOUNDS=1" or d
end

return {
  title    = "Matrix product, LDS tiles",
  question = "How much faster is a matrix product that stages tiles of both matrices in LDS?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 2",
  lesson   = "sgemm.md",
  -- The source's kernel leaves out alpha and beta.
  kernel   = { file = "sgemm.hip", entry = "sgemm_tile", defines = defines },
  params   = {
    { "tile", unit = "", min = 8, max = 32, step = "x2", default = 32, sweep = { 8, 16, 32 },
      help = "size of the tiles, and of the block" },
    { "n", unit = "", min = 1, max = 8192, step = 128, default = 4096, soft = 256, help = "matrix size, any number" },
    sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "tile=16", "n=67", "alpha=1.5", "beta=0.5",
    help = "a size that is not a multiple of the tile" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  work     = sgemm.work,
  values   = function(p) return { blocks = (p.n + p.tile - 1) // p.tile } end,
  launch   = { grid = function(p, v) return { v.blocks, v.blocks } end, block = function(p) return { p.tile, p.tile } end },
  reset    = true,
  metrics  = { sgemm.gflops, sgemm.flop_per_cycle, sgemm.time, sgemm.waves_per_simd },
  tolerance = sgemm.tolerance,
  contract  = { { hot_loop = { { "ds_write_b32", count = 2 }, { "ds_read2_b32" }, { "ds_read_b128" } } },
                { isa = "gfx11", hot_loop = { { "ds_store_b32", count = 2 }, { "ds_load_2addr_b32" }, { "ds_load_b128" },
                                              { "v_dual_fmac_f32", count = 0 } } } },
  reference = "sgemm",
}
