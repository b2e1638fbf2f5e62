local line = 64 -- bytes that a wave's load touches: four neighboring lanes share an element, so that latency is the limit, not bandwidth

-- A CU's waves in blocks of at most 16: the fewest blocks of equal size.
local function split(p)
  local blocks = 1
  while p.waves % blocks ~= 0 or p.waves // blocks > 16 do blocks = blocks + 1 end
  return blocks
end

local function waves(p) return p.cus * p.waves end

-- Cycles that a SIMD takes to issue an instruction for 64 lanes: RDNA's has 32 lanes and issues every cycle.
local function issue(m) return m.code.wave_size == 32 and 2 or 4 end

return {
  title    = "Hiding latency with waves",
  question = "How many waves does it take to hide memory latency?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), latency hiding",
  -- The source's example is Fermi: a latency of 400 cycles at 2 cycles per instruction takes 200 instructions; with 8
  -- per access that is 25 warps (the source says about 26). A Vega SIMD issues once every 4 cycles for a wave, and a CU
  -- has four SIMDs.
  kernel   = { file = "hiding.hip", entry = "hide_by_waves",
               defines = function(p) return p.a == 8 and "" or string.format("-DWORK=%d", p.a) end },
  params   = {
    { "waves", unit = "waves", min = 1, max = 40, step = 1, default = 8, sweep = { 1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40 },
      help = "waves on a CU; on RDNA pairs of waves on a WGP" },
    { "a", unit = "FMA", min = 1, max = 200, step = 1, default = 8,
      help = "multiply-adds per loop trip that do not depend on its load" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 64, on = { gfx11 = 48 }, device = "units",
      help = "CUs of the device, or WGPs on RDNA; with fewer, the blocks still spread over all of them" },
    { "size", unit = "B", min = "1 MiB", max = "1 GiB", step = "x2", default = "64 MiB", soft = "8 MiB",
      help = "bytes read by the launch, each line once; should be much larger than the L2" },
    { "latency", unit = "cycles", min = 100, max = 2000, step = 10, default = 600, on = { sm = 660 }, -- an H200 at 64 MiB, docs/devices.md
      help = "latency of a load, for the predicted number of waves" },
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
    { "cycles_per_trip", unit = "cycles", axis = "left", help = "CU cycles per loop trip of one wave",
      function(m, p, v) return m.seconds * m.sclk / (v.trips * p.waves) end },
    { "trip", unit = "cycles", axis = "right",
      help = "wave cycles per loop trip: the latency, until other waves fill it",
      function(m, p, v) return m.seconds * m.sclk / v.trips end },
    { "needed", unit = "waves", axis = "none",
      help = "predicted waves per CU, by the lecture notes' rule: latency / 4 cycles (2 on RDNA) per multiply-add, on 4 SIMDs",
      function(m, p, v) return math.ceil(p.latency / (issue(m) * p.a)) * 4 end },
    { "needed_by_code", unit = "waves", axis = "none",
      help = "the same with all loop instructions counted",
      function(m, p, v) return math.ceil(p.latency / (issue(m) * m.code.loop.instructions)) * 4 end },
    { "bandwidth", unit = "GB/s", axis = "none", help = "lines read; 1 GB is 10^9 bytes",
      function(m, p, v) return v.trips * waves(p) * line / m.seconds / 1e9 end },
  },
  contract  = function(p) return { hot_loop = { { "global_load_dword", count = 1 }, { "v_fma_f32", count = p.a } } } end,
  reference = "hide_by_waves",
  lesson    = "latency-hiding.md",
}
