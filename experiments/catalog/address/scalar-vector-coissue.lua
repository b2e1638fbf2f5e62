local groups = 16 -- of v vector and s scalar adds in a loop trip, as in the kernel

-- Nothing to define where the object built with the project is the one wanted.
local function defines(p)
  if p.v == 8 and p.s == 8 then return "" end
  return string.format("-DVALU=%d -DSALU=%d", p.v, p.s)
end

return {
  title    = "Vector and scalar instructions side by side",
  question = "Does a CU issue a vector and a scalar instruction of different waves together?",
  source   = "AMD GCN ISA and NVIDIA SASS address arithmetic (Fixstars tech blog, 2015)",
  kernel   = { file = "coissue.s", entry = "coissue", defines = defines },
  params   = {
    { "waves_per_simd", unit = "waves", min = 1, max = 10, step = 1, default = 8, sweep = true, help = "on each SIMD: as many blocks of 256 threads on a CU" },
    { "v", unit = "instructions", min = 0, max = 16, step = 1, default = 8, help = "vector adds of a group" },
    { "s", unit = "instructions", min = 0, max = 16, step = 1, default = 8, help = "scalar adds behind them" },
    { "trips", unit = "trips", min = 1, max = 100000, step = "x2", default = 4096, soft = 32, help = "of the loop, 16 groups each" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 64, help = "of the device, all of them: the grid has a block on each for every wave on a SIMD" },
  },
  presets  = { { "small", "waves_per_simd=1,4", "trips=2", help = "one wave and four" } },
  buffers  = { out = { type = "unsigned", count = function(p) return p.cus * p.waves_per_simd * 256 end } },
  args     = { "unsigned *out", "unsigned trips", "unsigned adds" },
  values   = function(p)
    if p.v + p.s == 0 then error("v and s are both 0; there is nothing to issue") end
    return { adds = groups * (p.v + p.s) }
  end,
  launch   = { grid = function(p) return p.cus * p.waves_per_simd end, block = 256 },
  metrics  = {
    { "cycles_per_group", unit = "cycles", axis = "left", help = "of a SIMD, for the v and s adds of one wave; 4 (v + s) one after the other, 4 max(v, s) side by side",
      function(m, p, v) return m.seconds * m.sclk / (p.trips * groups * p.waves_per_simd) end },
    { "per_cycle", unit = "instructions/cycle", axis = "right", help = "of a CU, vector and scalar; it issues one of each at most",
      function(m, p, v) return 4 * p.waves_per_simd * p.trips * v.adds / (m.seconds * m.sclk) end },
    { "side_by_side", unit = "cycles", axis = "none", help = "4 max(v, s): what is left when all that can be is issued together",
      function(m, p, v) return 4 * math.max(p.v, p.s) end },
    { "in_turn", unit = "cycles", axis = "none", help = "4 (v + s): nothing issued together",
      function(m, p, v) return 4 * (p.v + p.s) end },
  },
  contract  = function(p) -- the loop itself counts down by an add of another name
    return { hot_loop = { { "v_add_u32_e32", count = groups * p.v }, { "s_add_u32", count = groups * p.s } } }
  end,
  reference = "coissue",
  lesson    = "addressing.md",
}
