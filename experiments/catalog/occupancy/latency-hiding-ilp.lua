local a_trip = 240 -- multiply-adds of all chains per loop trip

local function threads(p) return 64 * p.waves end
local function steps(p) return a_trip // p.chains end
-- Loop trips: as given for chains of multiply-adds; for chains of loads, as many as there are lines to read.
local function trips(p)
  if p.kind == "fma" then return math.max(p.fma_per_chain // steps(p), 1) end
  return math.max(p.size // 4 // threads(p) // p.chains - 1, 1)
end

return {
  title    = "Hiding latency with independent instructions",
  question = "Can a single wave hide latency with instruction-level parallelism?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), latency hiding",
  -- In the source, a dependent instruction waits 24 cycles (Fermi). A GCN wave issues its next instruction when the
  -- previous one is done, so several chains of multiply-adds gain nothing; several chains of loads do.
  kernel   = { file = "hiding.hip", entry = function(p) return p.kind .. "_chains_" .. p.chains end },
  params   = {
    { "chains", unit = "chains", min = 1, max = 16, step = 1, default = 4, sweep = true,
      help = "independent chains of dependent instructions per thread" },
    { "kind", choices = { "load", "fma" }, default = "load",
      help = "load: loads that miss every cache; fma: multiply-adds" },
    { "waves", unit = "waves", min = 1, max = 16, step = 1, default = 1,
      help = "waves in the single block, on one CU" },
    { "size", unit = "B", min = "64 KiB", max = "1 GiB", step = "x2", default = "64 MiB", soft = "8 MiB",
      help = "bytes read by the loads, each line once; should be much larger than the L2" },
    { "fma_per_chain", unit = "FMA", min = 240, max = 100000000, step = "x2", default = 1000000, soft = 100000,
      help = "length of a chain of multiply-adds, rounded to whole trips" },
  },
  presets  = { { "small", "kind=load,fma", "chains=1,3,16", "size=256 KiB", "fma_per_chain=480",
    help = "both kinds" } },
  buffers  = { buf = { type = "unsigned", count = function(p, v) return p.kind == "fma" and 1 or threads(p) * p.chains * (v.trips + 1) end, fill = "index" },
               out = { type = "float", count = function(p) return p.kind == "fma" and threads(p) * p.chains or 1 end },
               last = { type = "unsigned", count = function(p) return threads(p) end } },
  args     = { "const unsigned *buf", "float *out", "unsigned *last", "unsigned trips", "unsigned chains", "unsigned length" },
  values   = function(p) return { trips = trips(p), length = steps(p), each = p.kind == "fma" and steps(p) or 1 } end,
  launch   = { grid = 1, block = function(p) return threads(p) end },
  metrics  = {
    { "per_cycle", unit = "1/cycle", axis = "left",
      help = "multiply-adds of all lanes per CU cycle (peak: 64, or 128 on RDNA), or loads of all lanes",
      function(m, p, v) return threads(p) * p.chains * v.trips * v.each / (m.seconds * m.sclk) end },
    { "cycles_per_step", unit = "cycles", axis = "right", help = "wave cycles per instruction of every chain",
      function(m, p, v) return m.seconds * m.sclk / (v.trips * v.each) end },
    { "in_flight", unit = "chains", axis = "none", help = "waves times chains: the number of operations in flight",
      function(m, p, v) return p.waves * p.chains end },
  },
  contract  = function(p)
    if p.kind == "fma" then return { hot_loop = { { "v_fma_f32", count = steps(p) * p.chains } } } end
    return { hot_loop = { { "global_load_dword", count = p.chains } } }
  end,
  reference = function(p) return p.kind .. "_chains" end,
  lesson    = "latency-hiding.md",
}
