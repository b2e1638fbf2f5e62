-- Where tiles do not fill the matrices, what lies outside is read as zeros.
local function defines(p)
  local d = p.tile ~= 32 and "-DTILE=" .. p.tile or ""
  return p.n % p.tile ~= 0 and d .. " -DBOUNDS=1" or d
end

return {
  title    = "Matrix product, tiles in LDS",
  question = "How much does it gain to stage tiles of both matrices in LDS?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 2",
  lesson   = "sgemm.md",
  -- The source's kernel leaves alpha and beta out.
  kernel   = { file = "sgemm.hip", entry = "sgemm_tile", defines = defines },
  params   = {
    { "tile", unit = "", min = 8, max = 32, step = "x2", default = 32, sweep = { 8, 16, 32 }, help = "edge of the tiles, and of the block" },
    { "n", unit = "", min = 1, max = 8192, step = 128, default = 4096, soft = 256, help = "edge of the matrices; any" },
    { "alpha", unit = "", min = 0, max = 100, step = 0.5, default = 1, help = "of alpha A B + beta C" },
    { "beta", unit = "", min = 0, max = 100, step = 0.5, default = 0, help = "of alpha A B + beta C" },
    { "fill", choices = { "random", "zeros" }, default = "random",
      help = "of B; with zeros, as nearly all of the source's identity, the multipliers have nothing to switch" },
  },
  presets  = { { "small", "tile=16", "n=67", "alpha=1.5", "beta=0.5", help = "soon done; a size that fits no tile" } },
  buffers  = { a = { type = "float", count = function(p) return p.n * p.n end, fill = "random" },
               b = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return p.fill == "random" and "random" or 0 end },
               c = { type = "float", count = function(p) return p.n * p.n end, fill = "random" } },
  args     = { "const float *a", "const float *b", "float *c", "int n", "float alpha", "float beta" },
  values   = function(p) return { blocks = (p.n + p.tile - 1) // p.tile } end,
  launch   = { grid = function(p, v) return { v.blocks, v.blocks } end, block = function(p) return { p.tile, p.tile } end },
  reset    = true,
  metrics  = {
    { "gflops", unit = "GFLOP/s", axis = "left", help = "2 n^3 of them",
      function(m, p, v) return 2 * p.n ^ 3 / m.seconds / 1e9 end },
    { "flop_per_cycle", unit = "FLOP/cycle", axis = "right", help = "of the chip; the peak of GCN is 128 for each CU",
      function(m, p, v) return 2 * p.n ^ 3 / (m.seconds * m.sclk) end },
    { "time", unit = "ms", axis = "none", help = "of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    { "waves_per_simd", unit = "waves", axis = "none", help = "that the kernel's registers, LDS and block allow",
      function(m, p, v) return m.code.waves_per_simd end },
  },
  tolerance = function(p) return 8 * math.sqrt(p.n) / (1 << 24) end,
  contract  = { hot_loop = { { "ds_write_b32", count = 2 }, { "ds_read2_b32" }, { "ds_read_b128" } } },
  reference = "sgemm",
}
