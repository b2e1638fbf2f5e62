-- Can a block of this many threads get its registers? Not if no SIMD can hold its share of the waves.
local function resident(m) return m.accepted == 1 and m.code.waves_per_simd > 0 and 1 or 0 end

return {
  title    = "Vector registers per thread",
  question = "How many vector registers can a thread use, and how does that limit occupancy?",
  source   = "HIP performance optimization on Vega64, section 2.3",
  lesson   = "registers.md",
  compile_only = true,
  needs    = { arch = "gfx", text = "it names registers of AMD's GPUs" },
  kernel   = { entry = "vgpr_limit", defines = function(p) return string.format("-DVGPR=%d", p.register) end },
  variants = {
    { "declared", file = "registers.s" },
    { "declared-gfx11", file = "gfx11/registers_gfx11.s" },
    -- The asm text names the register, as in the source. This gives the same verdict without allocating the register.
    { "published", file = "registers_named.hip" },
  },
  params   = {
    { "register", min = 0, max = 511, step = 1, default = 255,
      sweep = { 3, 23, 24, 27, 28, 31, 32, 35, 36, 39, 40, 47, 48, 63, 64, 83, 84, 127, 128, 254, 255, 256, 257 },
      help = "index of the register that is written" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 64,
      help = "threads in a block, all resident at once" },
  },
  presets  = { { "small", "register=254..257", help = "around the last register" } },
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "accepted", axis = "left",
      help = "1: the assembler accepts the register", function(m, p, v) return m.accepted end },
    { "waves_per_simd", unit = "waves", axis = "right",
      help = "waves per SIMD that the registers allow: GCN: 256 in units of 4, RDNA3: 1536 in units of 24; 0: no block fits",
      function(m, p, v) return m.code.waves_per_simd end },
    { "resident", axis = "none",
      help = "1: accepted, and a block of `threads` fits in a CU", function(m, p, v) return resident(m) end },
    { "vgprs", unit = "registers", axis = "none",
      help = "vector registers per lane that the code asks for: in units of 4 on GCN, of 8 on RDNA3", function(m, p, v) return m.code.vgprs end },
  },
}
