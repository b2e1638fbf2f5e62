return {
  title    = "Scalar registers per wave",
  question = "How many scalar registers can a wave use, and are as many available to each of ten waves per SIMD?",
  source   = "HIP performance optimization on Vega64, section 2.4",
  lesson   = "registers.md",
  compile_only = true,
  needs    = { arch = "gfx", text = "it names registers of AMD's GPUs" },
  kernel   = { entry = "sgpr_limit", defines = function(p) return string.format("-DSGPR=%d", p.register) end },
  variants = {
    { "declared", file = "registers.s" },
    { "declared-gfx11", file = "gfx11/registers_gfx11.s" },
    -- The asm text names the register, as in the source. This gives the same verdict without allocating the register.
    { "published", file = "registers_named.hip" },
  },
  params   = {
    { "register", min = 0, max = 127, step = 1, default = 101, sweep = { 95, 109 },
      help = "index of the register that is written" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 64,
      help = "threads in a block, all resident at once" },
  },
  presets  = { { "small", "register=100..103", help = "around the last register" } },
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "accepted", axis = "left",
      help = "1: the assembler accepts the register", function(m, p, v) return m.accepted end },
    { "waves_per_simd", unit = "waves", axis = "right",
      help = "waves per SIMD that the registers allow; GCN: 800 in units of 16, with vcc and similar; RDNA: always the same",
      function(m, p, v) return m.code.waves_per_simd end },
    { "sgprs", unit = "registers", axis = "none",
      help = "scalar registers per wave that the code asks for: in units of 16 on GCN", function(m, p, v) return m.code.sgprs end },
  },
}
