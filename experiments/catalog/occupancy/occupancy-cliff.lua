local block = 256

return {
  title    = "The occupancy cliff",
  question = "When does it hurt that one register more costs a whole block?",
  source   = "CUDA program optimization (Zhou Bin), SM resources and occupancy",
  kernel   = { file = "residency.hip", entry = function(p) return "keep_" .. p.live_values end },
  params   = {
    { "live_values", unit = "values", min = 4, max = 128, step = 1, default = 16,
      sweep = { 4, 16, 18, 20, 24, 28, 32, 36, 40, 44, 48, 60, 64, 80, 96, 124, 128 },
      help = "kept in vector registers beside the few of the loop" },
    { "blocks", unit = "blocks", min = 1, max = 2560, step = 1, default = 1280, help = "of 256 threads in the grid: twenty for each of 64 CUs" },
    { "trips", unit = "loads", min = 1, max = 4096, step = "x2", default = 256, soft = 24, help = "one after another; each starts where the last one says" },
  },
  presets  = { { "small", "live_values=8,40,128", "blocks=16", "trips=4", help = "three sizes" } },
  buffers  = { buf = { type = "unsigned", count = function(p) return p.blocks * block // 4 * (p.trips + 1) end, fill = "index" },
               out = { type = "unsigned", count = function(p) return p.blocks * block end } },
  args     = { "const unsigned *buf", "unsigned *out", "unsigned trips", "unsigned step", "unsigned live" },
  values   = function(p) return { step = p.blocks * block // 4, live = p.live_values } end,
  launch   = { grid = function(p) return p.blocks end, block = block },
  metrics  = {
    { "time", unit = "us", axis = "left", help = "of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
    { "resident", unit = "waves", axis = "right", help = "on a SIMD, that the registers allow",
      function(m, p, v) return m.code.waves_per_simd end },
    { "registers", unit = "registers", axis = "none", help = "vector registers of a lane",
      function(m, p, v) return m.code.vgprs end },
    { "loads_per_us", unit = "loads/us", axis = "none", help = "of waves, on the whole device",
      function(m, p, v) return p.blocks * block / 64 * p.trips / (m.seconds * 1e6) end },
  },
  contract  = { hot_loop = { { "global_load_dword", count = 1 } } },
  reference = "keep",
  lesson    = "occupancy.md",
}
