local words = { ["4"] = 1, ["8"] = 2, ["16"] = 4 } -- words per element
local maps = { identity = 0, permuted = 1, shifted = 2, reversed = 3, random = 4, pairs = 5 } -- numbered as in the C reference

local function anywhere(i, mask)
  i = i * 0x9e3779b1 & mask
  return ((i ~ i >> 7) * 0x85ebca6b) & mask
end

local element = {
  identity = function(i) return i end,
  permuted = function(i) return i ~ 5 end,
  reversed = function(i) return i ~ 63 end,
  pairs    = function(i) return i // 2 end,
  shifted  = function(i) return i + 1 end,
  random   = anywhere,
}

-- The source's coalescing rules for older devices: transactions of the half-warp, among the first 64 threads, that
-- needs most.
local function most(p, v, transactions)
  local worst = 0
  for first = 0, 48, 16 do
    local at = {}
    for i = 0, 15 do at[i] = element[p.map](first + i, v.mask) * 4 * v.words end
    worst = math.max(worst, transactions(at, 4 * v.words))
  end
  return worst
end

-- Compute capability 1.0: lanes in order from a multiple of 16 elements, otherwise one transaction per lane.
local function oldest(at, bytes)
  for i = 0, 15 do
    if at[0] % (16 * bytes) ~= 0 or at[i] ~= at[0] + i * bytes then return 16 end
  end
  return bytes == 16 and 2 or 1 -- a transaction moves at most 128 bytes
end

-- Compute capability 1.2: one transaction per 128-byte segment.
local function segments(at)
  local seen, count = {}, 0
  for i = 0, 15 do
    if not seen[at[i] // 128] then count = count + 1 end
    seen[at[i] // 128] = true
  end
  return count
end

return {
  title    = "Coalescing, by lane order",
  question = "How many cache lines does one wave load touch, depending on which element each lane reads?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), coalescing",
  kernel   = { file = "copy.hip", entry = function(p) return "pattern_" .. p.map .. "_" .. p.element end },
  params   = {
    { "map", choices = { "identity", "permuted", "reversed", "pairs", "shifted", "random" }, default = "identity",
      sweep = { "identity", "permuted", "reversed", "pairs", "shifted", "random" },
      help = "in order; permuted within groups of 8 lanes; reversed within a wave; two lanes per element; shifted by one; random" },
    { "element", choices = { "4", "8", "16" }, default = "4", help = "bytes that each lane reads and writes" },
    { "total_threads", unit = "threads", min = 1 << 12, max = 1 << 24, step = "x2", default = 1 << 24, soft = 1 << 21,
      help = "each copies one element" },
    { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 256, help = "threads in a block" },
  },
  presets  = { { "small", "map=identity,permuted,reversed,pairs,shifted,random", "element=4,16", "total_threads=2^14",
                 help = "all maps on a small array" } },
  buffers  = { input = { type = "unsigned", count = function(p) return (p.total_threads + 1) * words[p.element] end, fill = "random" },
               out = { type = "unsigned", count = function(p) return p.total_threads * words[p.element] end } },
  args     = { "const unsigned *input", "unsigned *out", "unsigned mask", "unsigned words", "unsigned map" },
  values   = function(p) return { mask = p.total_threads - 1, words = words[p.element], map = maps[p.map], threads = p.total_threads // p.block * p.block } end,
  launch   = { grid = function(p) return p.total_threads // p.block end, block = function(p) return p.block end },
  counters = { "SQ_WAVES", "TCP_HIT_sum", "TCP_MISS_sum", "FETCH_SIZE" },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "elements copied, read plus written; 1 GB is 10^9 bytes",
      function(m, p, v) return 8 * v.words * v.threads / m.seconds / 1e9 end },
    { "lines_read", unit = "lines", axis = "right",
      help = "64-byte lines that one wave's load touches (its transactions)",
      function(m, p, v) return (m.counters.TCP_HIT_sum + m.counters.TCP_MISS_sum) / m.counters.SQ_WAVES end },
    { "fetched", unit = "B/element", axis = "none", help = "bytes read from memory per element",
      function(m, p, v) return m.counters.FETCH_SIZE * 1024 / v.threads end },
    { "cc10", unit = "transactions", axis = "none",
      help = "transactions for 16 lanes on compute capability 1.0, by the lecture notes' rules",
      function(m, p, v) return most(p, v, oldest) end },
    { "cc12", unit = "transactions", axis = "none",
      help = "transactions for 16 lanes on compute capability 1.2: 128-byte segments",
      function(m, p, v) return most(p, v, segments) end },
  },
  contract  = function(p)
    local wide = ({ ["4"] = "dword", ["8"] = "dwordx2", ["16"] = "dwordx4" })[p.element]
    return { kernel = { { "global_load_" .. wide, count = 1 }, { "global_store_" .. wide, count = 1 } } }
  end,
  reference = "copy_pattern",
  lesson    = "coalescing.md",
}
