local inner = 100 -- reads per loop trip, unrolled in the kernel

local function word(p, lane)
  if p.access == "broadcast" then return 0 end
  return (p.access == "permuted" and (lane * 29 + 7) % 64 or lane) * p.stride
end

-- The most different words that one bank serves when `banks` lanes are read together.
local function ways(p, banks)
  local most, seen = 0, {}
  for lane = 0, banks - 1 do
    local w = word(p, lane)
    local bank = w % banks
    seen[bank] = seen[bank] or { count = 0 }
    if not seen[bank][w] then
      seen[bank][w] = true
      seen[bank].count = seen[bank].count + 1
      most = math.max(most, seen[bank].count)
    end
  end
  return most
end

return {
  title    = "Bank conflicts, by stride and order",
  question = "What determines LDS read time: the order of the lanes, or how many words are in the same bank?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), shared memory banks",
  kernel   = { file = "banks.hip", entry = "bank_read" },
  params   = {
    { "stride", unit = "words", min = 1, max = 64, step = 1, default = 1, sweep = { 1, 32 },
      help = "4-byte words from one lane's word to the next lane's" },
    { "access", choices = { "linear", "permuted", "broadcast" }, default = "linear",
      help = "lane i reads word i * stride; the same words in another lane order; all lanes read the same word" },
    { "banks", unit = "banks", min = 16, max = 32, step = "x2", default = 32,
      help = "banks assumed for the predicted ways: 16 for half-warps of compute capability 1.x; the device always uses 32" },
    { "waves", unit = "waves", min = 1, max = 16, step = 1, default = 1,
      help = "waves in the single block: one wave waits for its reads, many keep the LDS busy" },
    { "outer", unit = "trips", min = 1, max = 100000, step = "x2", default = 10000, soft = 250,
      help = "loop trips, 100 dependent reads each" },
  },
  presets  = { { "small", "stride=1,2,8,32", "access=linear,permuted,broadcast", "outer=5",
                 help = "all access orders at a few strides" } },
  buffers  = { out = { type = "unsigned", count = function(p) return 64 * p.waves end } },
  args     = { "unsigned *out", "unsigned stride", "unsigned multiplier", "unsigned add", "unsigned outer" },
  values   = function(p)
    local multiplier = { linear = 1, permuted = 29, broadcast = 0 }
    return { multiplier = multiplier[p.access], add = p.access == "permuted" and 7 or 0, reads = p.outer * inner * p.waves }
  end,
  launch   = { grid = 1, block = function(p) return 64 * p.waves end },
  counters = { "SQ_LDS_BANK_CONFLICT" },
  metrics  = {
    { "cycles", unit = "cycles", axis = "left",
      help = "CU cycles per wave read; with one wave this is the latency, including address code",
      function(m, p, v) return m.seconds * m.sclk / v.reads end },
    { "conflict_cycles", unit = "cycles", axis = "right", help = "cycles that the LDS spent on conflicts, per read",
      function(m, p, v) return m.counters.SQ_LDS_BANK_CONFLICT / v.reads end },
    { "ways", unit = "words", axis = "right",
      help = "predicted: different words that the fullest bank serves one after another",
      function(m, p, v) return ways(p, p.banks) end },
  },
  contract  = { hot_loop = { { "ds_read_b32", count = inner } } },
  reference = "bank_read",
  lesson    = "transpose.md",
}
