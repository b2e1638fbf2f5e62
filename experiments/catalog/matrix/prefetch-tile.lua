local sgemm = shared("sgemm")

local function defines(p)
  return string.format("-DTILE=%d -DPREFETCH=%d -DBOUNDS=%d", p.tile, p.prefetch == "on" and 1 or 0, p.n % p.tile ~= 0 and 1 or 0)
end

return {
  title    = "Tiled matrix product, next tile ahead",
  question = "What does a tiled product gain by loading the next tile into registers before it computes with the present one?",
  -- The lecture claims 100 % and shows no measurement.
  source   = "CUDA program optimization, lecture notes (Zhou Bin), data prefetch",
  lesson   = "sgemm.md",
  kernel   = { file = "sgemm.hip", entry = "sgemm_tile", defines = defines },
  params   = {
    { "prefetch", choices = { "off", "on" }, default = "on", sweep = { "off", "on" },
      help = "on: two registers more a lane, and a tile's load has a whole tile's computation to arrive" },
    { "tile", unit = "", min = 8, max = 32, step = "x2", default = 16, help = "edge of the tiles, and of the block" },
    { "n", unit = "", min = 1, max = 8192, step = 128, default = 1024, soft = 320, help = "edge of the matrices; any" },
    sgemm.alpha, sgemm.beta,
  },
  presets  = { { "small", "prefetch=on", "n=67", "alpha=1.5", "beta=0.5", help = "soon done; a size that fits no tile" },
               { "tiles", "tile=16,32", help = "both tiles" } },
  buffers  = { a = sgemm.buffers.a, b = sgemm.buffers.a, c = sgemm.buffers.c },
  args     = sgemm.args,
  values   = function(p) return { blocks = (p.n + p.tile - 1) // p.tile } end,
  launch   = { grid = function(p, v) return { v.blocks, v.blocks } end, block = function(p) return { p.tile, p.tile } end },
  reset    = true,
  metrics  = {
    sgemm.gflops,
    { "time", unit = "ms", axis = "right", help = "of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    sgemm.vgprs, sgemm.waves_per_simd,
  },
  tolerance = sgemm.tolerance,
  contract  = { hot_loop = { { "ds_write_b32", count = 2 }, { "ds_read2_b32" }, { "ds_read_b128" } } },
  reference = "sgemm",
}
