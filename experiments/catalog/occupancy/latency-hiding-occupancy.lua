local line = 64 -- bytes that a wave's load touches: four neighbours share an element, so that latency is waited for, not bandwidth

-- Waves of a CU in blocks of at most 16: as few blocks of a size as there can be.
local function split(p)
  local blocks = 1
  while p.waves % blocks ~= 0 or p.waves // blocks > 16 do blocks = blocks + 1 end
  return blocks
end

local function waves(p) return p.cus * p.waves end

return {
  title    = "Hiding latency with waves",
  question = "How many waves hide a memory access?",
  source   = "CUDA program optimization (Zhou Bin), latency hiding",
  -- The source's example is of Fermi: a latency of 400 cycles at 2 cycles an instruction takes 200 instructions, with 8 for each access 25 warps (it
  -- says about 26). A Vega SIMD issues for a wave every 4 cycles, and there are four of them in a CU.
  kernel   = { file = "hiding.hip", entry = "hide_by_waves",
               defines = function(p) return p.a == 8 and "" or string.format("-DWORK=%d", p.a) end },
  params   = {
    { "waves", unit = "waves", min = 1, max = 40, step = 1, default = 8, sweep = { 1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40 }, help = "on a CU" },
    { "a", unit = "FMA", min = 1, max = 200, step = 1, default = 8, help = "multiply-adds of a loop trip, which do not depend on its load" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 64, help = "of the device, all of them: blocks would spread over more" },
    { "size", unit = "B", min = "1 MiB", max = "1 GiB", step = "x2", default = "64 MiB", soft = "8 MiB", help = "that the launch reads, no line of it twice; well beyond L2" },
    { "latency", unit = "cycles", min = 100, max = 2000, step = 10, default = 600, help = "of a load, for the number of waves that are needed" },
  },
  presets  = { { "small", "waves=1,8", "a=8", "size=1 MiB", help = "two points" } },
  buffers  = { buf = { type = "unsigned", count = function(p, v) return v.step * v.trips end, fill = "index" },
               out = { type = "float", count = function(p) return waves(p) * 64 end },
               sums = { type = "unsigned", count = function(p) return waves(p) * 64 end } },
  args     = { "const unsigned *buf", "float *out", "unsigned *sums", "unsigned trips", "unsigned step", "unsigned shift", "unsigned work" },
  values   = function(p)
    return { trips = math.max(p.size // line // waves(p), 1), step = waves(p) * line // 4, shift = 2, work = p.a }
  end,
  launch   = { grid = function(p) return p.cus * split(p) end, block = function(p) return 64 * p.waves // split(p) end },
  metrics  = {
    { "cycles_per_trip", unit = "cycles", axis = "left", help = "of a CU, for one loop trip of one of its waves",
      function(m, p, v) return m.seconds * m.sclk / (v.trips * p.waves) end },
    { "trip", unit = "cycles", axis = "right", help = "of one wave: the latency as long as others do not fill it",
      function(m, p, v) return m.seconds * m.sclk / v.trips end },
    { "needed", unit = "waves", axis = "none", help = "on a CU, by the source's rule: the latency by 4 cycles for each multiply-add, on 4 SIMDs",
      function(m, p, v) return math.ceil(p.latency / (4 * p.a)) * 4 end },
    { "needed_by_code", unit = "waves", axis = "none", help = "the same with every instruction of the loop counted, 4 cycles each",
      function(m, p, v) return math.ceil(p.latency / (4 * m.code.loop.instructions)) * 4 end },
    { "bandwidth", unit = "GB/s", axis = "none", help = "of lines read; 1 GB is 10^9 bytes",
      function(m, p, v) return v.trips * waves(p) * line / m.seconds / 1e9 end },
  },
  contract  = function(p) return { hot_loop = { { "global_load_dword", count = 1 }, { "v_fma_f32", count = p.a } } } end,
  reference = "hide_by_waves",
  lesson    = "latency-hiding.md",
}
