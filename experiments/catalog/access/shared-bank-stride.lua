local inner = 100 -- reads in a loop trip, unrolled in the kernel

local function word(p, lane)
  if p.access == "broadcast" then return 0 end
  return (p.access == "permuted" and (lane * 29 + 7) % 64 or lane) * p.stride
end

-- The largest number of different words that one bank has to serve for `banks` lanes, which are read together.
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
  question = "What decides how long an LDS read takes: the order of the lanes, or the words that share a bank?",
  source   = "CUDA program optimization (Zhou Bin), shared memory banks",
  kernel   = { file = "banks.hip", entry = "bank_read" },
  params   = {
    { "stride", unit = "words", min = 1, max = 64, step = 1, default = 1, sweep = { 1, 32 },
      help = "of 4 bytes, from one lane's word to the next lane's" },
    { "access", choices = { "linear", "permuted", "broadcast" }, default = "linear",
      help = "lane i reads word i * stride; the lanes in another order; all lanes the same word" },
    { "banks", unit = "banks", min = 16, max = 32, step = "x2", default = 32,
      help = "of the predicted ways: 16 for the half-warps of compute capability 1.x; the board has 32 whatever this says" },
    { "waves", unit = "waves", min = 1, max = 16, step = 1, default = 1,
      help = "of the one block: one waits for its reads, many keep LDS busy" },
    { "outer", unit = "trips", min = 1, max = 100000, step = "x2", default = 10000, soft = 250,
      help = "of the loop, 100 dependent reads each" },
  },
  presets  = { { "small", "stride=1,2,8,32", "access=linear,permuted,broadcast", "outer=5",
                 help = "all orders at a few strides, in a moment" } },
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
      help = "of the CU for each wave's read; with one wave that is the latency, with the address code",
      function(m, p, v) return m.seconds * m.sclk / v.reads end },
    { "conflict_cycles", unit = "cycles", axis = "right", help = "that LDS spent on conflicts in each read",
      function(m, p, v) return m.counters.SQ_LDS_BANK_CONFLICT / v.reads end },
    { "ways", unit = "words", axis = "right", help = "predicted: different words that the fullest bank has to serve, one after the other",
      function(m, p, v) return ways(p, p.banks) end },
  },
  contract  = { hot_loop = { { "ds_read_b32", count = inner } } },
  reference = "bank_read",
  lesson    = "transpose.md",
}
