-- Does a block of so many threads get its registers? Not where no SIMD holds the waves it would have to.
local function resident(m) return m.accepted == 1 and m.code.waves_per_simd > 0 and 1 or 0 end

return {
  title    = "Vector registers: how many there are",
  question = "Which vector register is the last one that a thread can address, and what is left of them to each of many threads?",
  source   = "HIP performance optimization on Vega64, section 2.3",
  lesson   = "registers.md",
  compile_only = true,
  kernel   = { entry = "vgpr_limit", defines = function(p) return string.format("-DVGPR=%d", p.register) end },
  variants = {
    { "declared", file = "registers.s" },
    -- The register's name in an asm text, as in the source: the verdict is the same, and nothing asks the hardware for the register.
    { "published", file = "registers_named.hip" },
  },
  params   = {
    { "register", min = 0, max = 511, step = 1, default = 255,
      sweep = { 3, 23, 24, 27, 28, 31, 32, 35, 36, 39, 40, 47, 48, 63, 64, 83, 84, 127, 128, 254, 255, 256, 257 },
      help = "the index of the one that is written" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 64, help = "of a block, all of which must be resident at once" },
  },
  presets  = { { "small", "register=254..257", help = "around the last one" } },
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "accepted", axis = "left", help = "1: the assembler takes the register", function(m, p, v) return m.accepted end },
    { "waves_per_simd", unit = "waves", axis = "right", help = "that the registers allow: 256 shared out in fours; 0 where a block does not fit",
      function(m, p, v) return m.code.waves_per_simd end },
    { "resident", axis = "none", help = "1: accepted, and a block of `threads` fits into a CU with it", function(m, p, v) return resident(m) end },
    { "vgprs", unit = "registers", axis = "none", help = "that the hardware grants a lane", function(m, p, v) return m.code.vgprs end },
  },
}
