local tiles = { ["4x4"] = { 4, 4 }, ["8x8"] = { 8, 8 }, ["16x8"] = { 16, 8 }, ["16x16"] = { 16, 16 } } -- columns by rows per lane

-- For every k, each lane reads one value of A per row and one value of B per column of its tile; a 128 x 128 block
-- writes both tiles once per k.
local function bytes_read(p)
  local t = tiles[p.tile]
  return 4 * p.n * (p.n * p.n / (t[1] * t[2])) * (t[1] + t[2])
end

local function bytes_written(p) return 4 * p.n * (p.n / 128) ^ 2 * (128 + 128) end

return {
  title    = "LDS traffic of a matrix product, by tile shape",
  question = "How much LDS bandwidth does a matrix product need, and how much do larger register tiles save?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 5",
  lesson   = "sgemm.md",
  formula  = true,
  params   = {
    { "tile", choices = { "4x4", "8x8", "16x8", "16x16" }, default = "8x8", sweep = { "4x4", "8x8", "16x8", "16x16" },
      help = "columns by rows of results per lane" },
    { "n", unit = "", min = 128, max = 65536, step = 128, default = 4096, help = "matrix size, a multiple of 128" },
    { "time", unit = "ms", min = 0.001, max = 1000000, step = 0.01, default = 5.37,
      help = "time of the product; the default is kernel 4's on a Radeon RX 7900 XTX" },
    { "cus", unit = "", min = 1, max = 1024, step = 1, default = 96,
      help = "CUs, each with 128 bytes of LDS bandwidth per cycle; a Radeon Instinct MI25 has 64" },
    { "clock", unit = "MHz", min = 1, max = 10000, step = 1, default = 2400,
      help = "clock of the LDS; 1536 MHz on the MI25" },
  },
  presets  = { { "small", "n=256",
    help = "another size" }, { "mi25", "cus=64", "clock=1536", help = "a Radeon Instinct MI25" } },
  metrics  = {
    { "bandwidth", unit = "TB/s", axis = "left", help = "bandwidth that the LDS must deliver; 1 TB is 10^12 bytes",
      function(m, p) return (bytes_read(p) + bytes_written(p)) / (p.time / 1e3) / 1e12 end },
    { "share", unit = "%", axis = "right", help = "share of the peak LDS bandwidth",
      function(m, p) return (bytes_read(p) + bytes_written(p)) / (p.time / 1e3) / (p.cus * 128 * p.clock * 1e6) * 100 end },
    { "lds_read_bytes", unit = "B", axis = "none",
      help = "bytes read by all lanes", function(m, p) return bytes_read(p) end },
    { "lds_write_bytes", unit = "B", axis = "none",
      help = "bytes written by all blocks", function(m, p) return bytes_written(p) end },
  },
}
