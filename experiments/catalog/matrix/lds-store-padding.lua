local inner = 100 -- stores per loop trip, unrolled in the kernel

local function pitch(p) return 128 + p.pad end

-- Lanes per bank (32 banks) for one half of 32 lanes: the most on one bank, and the number of banks hit.
local function banks(p, half)
  local on, most, hit = {}, 0, 0
  for lane = half * 32, half * 32 + 31 do
    local bank = (lane % 8 * pitch(p) + lane // 8) % 32
    on[bank] = (on[bank] or 0) + 1
    if on[bank] == 1 then hit = hit + 1 end
    most = math.max(most, on[bank])
  end
  return most, hit
end

return {
  title    = "LDS store of a transposed tile, by padding",
  question = "How many lanes conflict on one bank when a tile is stored transposed, and which padding avoids the conflicts?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 5",
  lesson   = "sgemm.md",
  kernel   = { file = "lds_store.hip", entry = "lds_store_padding" },
  params   = {
    { "pad", unit = "words", min = 0, max = 8, step = 1, default = 4, sweep = { 0, 8 },
      help = "extra words after each row of 128" },
    { "wave", unit = "lanes", min = 32, max = 64, step = 32, default = 32, soft = 64,
      help = "lanes that store: a wave of RDNA (32), or of GCN (64), whose halves follow each other" },
    { "outer", unit = "trips", min = 1, max = 100000, step = "x2", default = 10000, soft = 1000,
      help = "loop trips, 100 stores each" },
  },
  presets  = { { "small", "outer=10", "wave=32,64", help = "short loop, both wave sizes" } },
  buffers  = { out = { type = "int", count = 8 * (128 + 8) } },
  args     = { "int *out", "int pitch", "int outer" },
  values   = function(p) return { pitch = pitch(p), stores = p.outer * inner } end,
  launch   = { grid = 1, block = function(p) return p.wave end },
  metrics  = {
    { "cycles_per_store", unit = "cycles", axis = "left", help = "wave cycles per store; issue alone takes 4 on GCN",
      function(m, p, v) return m.seconds * m.sclk / v.stores end },
    { "ways", unit = "lanes", axis = "right", help = "most lanes on one bank, out of 32: the cycles they take",
      function(m, p, v) return (banks(p, 0)) end },
    { "banks", unit = "banks", axis = "none", help = "banks hit by the first 32 lanes",
      function(m, p, v)
        local _, hit = banks(p, 0)
        return hit
      end },
  },
  contract  = { hot_loop = { { "ds_write_b32", count = inner } } },
  reference = "lds_store_padding",
}
