local tiles = { ["16"] = 16, ["32"] = 32 }

return {
  title    = "Matrix transpose",
  question = "How much do an LDS tile and a column of padding each speed up a matrix transpose?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), transpose",
  kernel   = { file = "transpose.hip", entry = function(p) return "transpose_" .. p.form .. "_" .. p.tile end },
  params   = {
    -- The source's tiled kernel uses the input's row length for the output, which is correct only for square matrices:
    -- the form `printed`.
    { "form", choices = { "copy", "naive", "coalesced", "padded", "printed" }, default = "copy", sweep = { "copy", "naive", "coalesced", "padded" },
      help = "copy: as is; naive: stores by column; coalesced: LDS tile; padded: an extra column; printed: wrong unless square" },
    { "tile", choices = { "16", "32" }, default = "16",
      help = "width and height of a tile; on 32 banks a column of 16 words is an 8-way conflict, of 32 words a 32-way one" },
    { "rows", unit = "rows", min = 1, max = 8, step = "x2", default = 1,
      help = "rows of a tile that each thread processes" },
    { "width", unit = "elements", min = 1, max = 8192, step = "x2", default = 2048, soft = 1024,
      help = "width of the input; need not be a multiple of the tile" },
    { "height", unit = "elements", min = 1, max = 8192, step = "x2", default = 2048, soft = 1024,
      help = "height of the input" },
  },
  presets  = { { "small", "form=copy,naive,coalesced,padded", "tile=16,32", "width=100", "height=70",
                 help = "all forms on a small matrix with partial tiles" } },
  buffers  = { input = { type = "float", count = function(p) return p.width * p.height end, fill = "random" },
               out = { type = "float", count = function(p) return math.max(p.height, p.form == "printed" and p.width or 0) * p.width end } },
  args     = { "const float *input", "float *out", "unsigned width", "unsigned height" },
  values   = function(p) return { bytes = 8 * p.width * p.height } end,
  launch   = {
    grid  = function(p) local t = tiles[p.tile] return { (p.width + t - 1) // t, (p.height + t - 1) // t } end,
    block = function(p) return { tiles[p.tile], tiles[p.tile] // p.rows } end,
  },
  counters = { "SQ_LDS_BANK_CONFLICT", "WRITE_SIZE" },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "every element read once and written once; 1 GB is 10^9 bytes",
      function(m, p, v) return v.bytes / m.seconds / 1e9 end },
    { "written", unit = "B/element", axis = "right",
      help = "bytes that L2 writes to memory; 4 are needed",
      function(m, p, v) return m.counters.WRITE_SIZE * 1024 / (p.width * p.height) end },
    { "time", unit = "us", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e6 end },
    { "bank_conflicts", unit = "cycles", axis = "none", help = "LDS conflict cycles per 64 elements",
      function(m, p, v) return m.counters.SQ_LDS_BANK_CONFLICT * 64 / (p.width * p.height) end },
  },
  contract  = function(p)
    local tiled = p.form ~= "copy" and p.form ~= "naive" and 1 or 0
    return { kernel = { { "global_load_dword" }, { "global_store_dword" }, { "ds_write_b32", count = tiled }, { "ds_read_b32", count = tiled } } }
  end,
  reference = function(p) return p.form == "copy" and "matrix_copy" or "matrix_transpose" end,
  lesson    = "transpose.md",
}
