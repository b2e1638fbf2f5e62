-- Banks of the second sources: as defined, shifted by the distance.
local function second(p, bank) return (bank + p.distance) % 4 end

local function check(p)
  if p.x0 == p.y0 then error("x0 and y0 are in the same bank; the instruction set requires different banks for the first sources of the two halves") end
  if p.x1 == p.y1 then error("x1 and y1 are in the same bank; the instruction set requires different banks for the second sources of the two halves") end
  if 8 % p.chains ~= 0 then error("chains must be 1, 2, 4 or 8") end
  return { instructions = p.trips * 256 }
end

return {
  title    = "Register banks of dual-issue multiply-adds",
  question = "How do register bank conflicts change the cycles that a dual-issue multiply-add takes?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 6 (started but not finished there)",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "dual issue needs RDNA3" },
  kernel   = { file = "gfx11/vgpr_bank.s", entry = "vgpr_bank",
               defines = function(p)
                 return string.format("-DX0=%d -DY0=%d -DX1=%d -DY1=%d -DCHAINS=%d -DREUSE=%d", p.x0, p.y0, second(p, p.x1), second(p, p.y1), p.chains,
                                      p.reuse == "on" and 1 or 0)
               end },
  params   = {
    { "distance", unit = "banks", min = 0, max = 3, step = 1, default = 0, sweep = true,
      help = "banks from the first to the second source of each half, where x1 = x0 and y1 = y0" },
    { "x0", unit = "", min = 0, max = 3, step = 1, default = 0,
      help = "bank of the X half's first source: the register number modulo 4" },
    { "y0", unit = "", min = 0, max = 3, step = 1, default = 1,
      help = "bank of the Y half's first source; must differ from x0" },
    { "x1", unit = "", min = 0, max = 3, step = 1, default = 0,
      help = "bank of the X half's second source, before the distance is added" },
    { "y1", unit = "", min = 0, max = 3, step = 1, default = 1,
      help = "bank of the Y half's second source; must differ from x1" },
    { "reuse", choices = { "off", "on" }, default = "off",
      help = "on: every instruction reads the same registers, which the operand caches can keep" },
    { "chains", unit = "", min = 1, max = 8, step = "x2", default = 8,
      help = "pairs of accumulators used in turn; with 1, each instruction waits for the previous one" },
    { "trips", unit = "trips", min = 1, max = 1024, step = "x2", default = 1000,
      help = "loop trips, 256 instructions each" },
  },
  presets  = { { "small", "trips=1",
    help = "short loop" }, { "reused", "reuse=off,on", help = "with and without reuse" } },
  buffers  = { x = { type = "float", count = 32, fill = "index" }, out = { type = "float", count = 32 } },
  args     = { "const float *x", "float *out", "int trips" },
  values   = check,
  contract  = { isa = "gfx11", hot_loop = { { "v_dual_fmac_f32", count = 256 } } },
  launch   = { grid = 1, block = 32 },
  metrics  = {
    { "cycles_per_instruction", unit = "cycles", axis = "left",
      help = "cycles per instruction of the single wave, including the loop",
      function(m, p, v) return m.seconds * m.sclk / v.instructions end },
    { "fma_per_cycle", unit = "FMA/cycle", axis = "right", help = "one SIMD; the peak is 64",
      function(m, p, v) return 64 * v.instructions / (m.seconds * m.sclk) end },
  },
  reference = "vgpr_bank",
}
