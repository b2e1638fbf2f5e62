local function threads(p) return 64 * p.waves end

return {
  title    = "Work between load and use",
  question = "Does it help to place independent work between a load and its use?",
  source   = "CUDA program optimization (Zhou Bin), data prefetch",
  kernel   = { file = "hiding.hip", entry = function(p) return "prefetch_" .. p.place .. "_" .. p.w end },
  params   = {
    { "w", unit = "FMA", min = 0, max = 128, step = 8, default = 64, sweep = true, help = "multiply-adds of a loop trip, which do not depend on its load" },
    { "place", choices = { "between", "behind" }, default = "between", help = "of the work: between the load and the use of its value, or behind the use" },
    { "waves", unit = "waves", min = 1, max = 16, step = "x2", default = 1, help = "of the one block, on one CU: four are one on each SIMD" },
    { "size", unit = "B", min = "64 KiB", max = "1 GiB", step = "x2", default = "64 MiB", soft = "8 MiB", help = "that is read, no line of it twice; well beyond L2" },
  },
  presets  = { { "small", "place=between,behind", "w=0,64", "size=256 KiB", help = "both places" } },
  buffers  = { buf = { type = "unsigned", count = function(p, v) return threads(p) * (v.trips + 1) end, fill = "index" },
               out = { type = "float", count = function(p) return threads(p) end },
               last = { type = "unsigned", count = function(p) return threads(p) end } },
  args     = { "const unsigned *buf", "float *out", "unsigned *last", "unsigned trips", "unsigned step", "unsigned work" },
  values   = function(p) return { trips = math.max(p.size // 4 // threads(p) - 1, 1), step = threads(p), work = p.w } end,
  launch   = { grid = 1, block = function(p) return threads(p) end },
  metrics  = {
    { "cycles_per_trip", unit = "cycles", axis = "left", help = "of a wave: a dependent load and w multiply-adds of 4 cycles",
      function(m, p, v) return m.seconds * m.sclk / v.trips end },
    { "fma_per_cycle", unit = "FMA/cycle", axis = "right", help = "of the CU; the peak is 64",
      function(m, p, v) return threads(p) * p.w * v.trips / (m.seconds * m.sclk) end },
    { "work", unit = "cycles", axis = "none", help = "that the multiply-adds alone take",
      function(m, p, v) return 4 * p.w end },
  },
  contract  = function(p) return { hot_loop = { { "global_load_dword", count = 1 }, { "v_fma_f32", count = p.w } } } end,
  reference = "prefetch",
  lesson    = "latency-hiding.md",
}
