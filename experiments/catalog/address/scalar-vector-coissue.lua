local groups = 16 -- groups of v vector and s scalar adds per loop trip, as in the kernel

-- No defines when the object built with the project already fits.
local function defines(p)
  if p.v == 8 and p.s == 8 then return "" end
  return string.format("-DVALU=%d -DSALU=%d", p.v, p.s)
end

return {
  title    = "Vector and scalar instructions in parallel",
  question = "Can a CU issue a vector and a scalar instruction from different waves in the same cycle?",
  source   = "AMD GCN ISA and NVIDIA SASS address arithmetic (Fixstars tech blog, 2015)",
  needs    = { arch = "gfx9", text = "its loop is GCN machine code" },
  kernel   = { file = "coissue.s", entry = "coissue", defines = defines },
  params   = {
    { "waves_per_simd", unit = "waves", min = 1, max = 10, step = 1, default = 8, sweep = true,
      help = "waves on each SIMD, which is also the number of 256-thread blocks per CU" },
    { "v", unit = "instructions", min = 0, max = 16, step = 1, default = 8, help = "vector adds per group" },
    { "s", unit = "instructions", min = 0, max = 16, step = 1, default = 8,
      help = "scalar adds that follow them in each group" },
    { "trips", unit = "trips", min = 1, max = 100000, step = "x2", default = 4096, soft = 32,
      help = "loop trips, 16 groups each" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 64, device = "cus",
      help = "number of CUs of the device; the grid has waves_per_simd blocks per CU" },
  },
  presets  = { { "small", "waves_per_simd=1,4", "trips=2", help = "one wave and four waves" } },
  buffers  = { out = { type = "unsigned", count = function(p) return p.cus * p.waves_per_simd * 256 end } },
  args     = { "unsigned *out", "unsigned trips", "unsigned adds" },
  values   = function(p)
    if p.v + p.s == 0 then error("v and s are both 0; set at least one of them above 0") end
    return { adds = groups * (p.v + p.s) }
  end,
  launch   = { grid = function(p) return p.cus * p.waves_per_simd end, block = 256 },
  metrics  = {
    { "cycles_per_group", unit = "cycles", axis = "left",
      help = "SIMD cycles per group of one wave: 4 (v + s) when issued one after another, 4 max(v, s) in parallel",
      function(m, p, v) return m.seconds * m.sclk / (p.trips * groups * p.waves_per_simd) end },
    { "per_cycle", unit = "instructions/cycle", axis = "right",
      help = "vector and scalar instructions per CU cycle; a CU issues at most one of each",
      function(m, p, v) return 4 * p.waves_per_simd * p.trips * v.adds / (m.seconds * m.sclk) end },
    { "side_by_side", unit = "cycles", axis = "none",
      help = "4 max(v, s): best case, everything that can issue together does",
      function(m, p, v) return 4 * math.max(p.v, p.s) end },
    { "in_turn", unit = "cycles", axis = "none", help = "4 (v + s): worst case, nothing issues together",
      function(m, p, v) return 4 * (p.v + p.s) end },
  },
  contract  = function(p) -- the loop counter uses a different add instruction
    return { hot_loop = { { "v_add_u32_e32", count = groups * p.v }, { "s_add_u32", count = groups * p.s } } }
  end,
  reference = "coissue",
  lesson    = "addressing.md",
}
