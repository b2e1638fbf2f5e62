return {
  title    = "Scalar registers: how many there are",
  question = "Which scalar register is the last one that a wave can address, and do ten waves have as many each?",
  source   = "HIP performance optimization on Vega64, section 2.4",
  lesson   = "registers.md",
  compile_only = true,
  kernel   = { entry = "sgpr_limit", defines = function(p) return string.format("-DSGPR=%d", p.register) end },
  variants = {
    { "declared", file = "registers.s" },
    -- The register's name in an asm text, as in the source: the verdict is the same, and nothing asks the hardware for the register.
    { "published", file = "registers_named.hip" },
  },
  params   = {
    { "register", min = 0, max = 127, step = 1, default = 101, sweep = { 95, 109 }, help = "the index of the one that is written" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 64, help = "of a block, all of which must be resident at once" },
  },
  presets  = { { "small", "register=100..103", help = "around the last one" } },
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "accepted", axis = "left", help = "1: the assembler takes the register", function(m, p, v) return m.accepted end },
    { "waves_per_simd", unit = "waves", axis = "right", help = "that the registers allow: 800 shared out in sixteens, vcc and the like among them",
      function(m, p, v) return m.code.waves_per_simd end },
    { "sgprs", unit = "registers", axis = "none", help = "that the hardware grants a wave", function(m, p, v) return m.code.sgprs end },
  },
}
