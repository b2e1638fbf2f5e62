local sgemm = shared("sgemm")

local function defines(p)
  return string.format("-DTILE=%d -DPREFETCH=%d -DBOUNDS=%d", p.tile, p.prefetch == "on" and 1 or 0, p.n % p.tile ~= 0 and 1 or 0)
end

return {
  title    = "Tiled matrix product with prefetch",
  question = "How much does prefetching the next tile into registers speed up a tiled matrix product?",
  -- The lecture claims a gain of 100 % without a measurement.
  source   = "CUDA program optimization, lecture notes (Zhou Bin), data prefetch",
  lesson   = "sgemm.md",
  kernel   = { file = "sgemm.hip", entry = "sgemm_tile", defines = defines },
  params   = {
    { "prefetch", choices = { "off", "on" }, default = "on", sweep = { "off", "on" },
      help = "on: two more registers per lane, and the load of a tile overlaps the computation of the one before" },
    { "tile", unit = "", min = 8, max = 32, step = "x2", default = 16, help = "size of the tiles, and of the block" },
    { "n", unit = "", min = 1, max = 8192, step = 128, default = 1024, soft = 320, help = "matrix size, any number" },
    sgemm.alpha, sgemm.beta,
  },
  presets  = { { "small", "prefetch=on", "n=67", "alpha=1.5", "beta=0.5",
    help = "a size that is not a multiple of the tile" },
               { "tiles", "tile=16,32", help = "both tile sizes" } },
  buffers  = { a = sgemm.buffers.a, b = sgemm.buffers.a, c = sgemm.buffers.c },
  args     = sgemm.args,
  work     = sgemm.work,
  values   = function(p) return { blocks = (p.n + p.tile - 1) // p.tile } end,
  launch   = { grid = function(p, v) return { v.blocks, v.blocks } end, block = function(p) return { p.tile, p.tile } end },
  reset    = true,
  metrics  = {
    sgemm.gflops,
    { "time", unit = "ms", axis = "right", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    sgemm.vgprs, sgemm.waves_per_simd,
  },
  tolerance = sgemm.tolerance,
  contract  = { hot_loop = { { "ds_write_b32", count = 2 }, { "ds_read2_b32" }, { "ds_read_b128" } } },
  reference = "sgemm",
}
