return {
  title    = "Matrix cores, layout of a tile",
  question = "Which element of the result is in which register and lane, after a product of 32 x 32 elements?",
  source   = "AMD Matrix Instruction Calculator, v_mfma_f32_32x32x2f32",
  lesson   = "matrix-cores.md",
  needs    = { arch = { "gfx908", "gfx90a" }, text = "others have no v_mfma" },
  kernel   = { file = "mfma_layout.hip", entry = "mfma_layout" },
  params   = {
    { "register", unit = "", min = 0, max = 15, step = 1, default = 0, sweep = { 0, 15 }, help = "register of the result" },
    { "lane", unit = "", min = 0, max = 63, step = 1, default = 40, help = "lane of the wave" },
  },
  presets  = { { "small", "register=0..7", help = "half of the registers" } },
  buffers  = {
    rows    = { type = "float", count = 1024 },
    columns = { type = "float", count = 1024 },
    -- Their reference is 0, and so many units in the last place away from it is the number that was found.
    row     = { type = "float", count = 1, tolerance = { absolute = 1 } },
    column  = { type = "float", count = 1, tolerance = { absolute = 1 } },
  },
  args     = { "float *rows", "float *columns", "unsigned *row", "unsigned *column", "unsigned lane", "unsigned number" },
  values   = function(p) return { lane = p.lane, number = p.register } end,
  launch   = { grid = 1, block = 64 },
  work     = function(p) return 1 end,
  metrics  = {
    { "row", unit = "", axis = "left", help = "row of the result that the register has in this lane", function(m, p, v) return m.difference.row.ulp end },
    { "column", unit = "", axis = "right", help = "its column", function(m, p, v) return m.difference.column.ulp end },
  },
  contract  = { kernel = { { "v_mfma_f32_32x32x2f32", count = 2 } } },
  reference = "mfma_layout",
}
