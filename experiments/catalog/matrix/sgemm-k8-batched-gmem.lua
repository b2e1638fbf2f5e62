return {
  title    = "Matrix product, cheap addresses",
  question = "What does it gain to address global loads by a scalar base and a lane's offset, and to spread them over the steps?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 8",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "it goes on from dual-issue multiply-adds" },
  -- The published one is machine code with 16 scalar bases for n = 4096 alone; here the same is asked of the compiler, for any n.
  kernel   = { file = "sgemm_patch.hip", entry = "sgemm_patch",
               defines = function(p)
                 return string.format("-DSHAPED -DUNROLLED=8 -DPRIORITY=1 -DSCALAR_BASE=%d -DSPREAD=%d",
                                      p.addressing == "scalar" and 1 or 0, p.spread == "on" and 1 or 0)
               end },
  params   = {
    { "spread", choices = { "off", "on" }, default = "on", sweep = { "off", "on" },
      help = "off: all 16 loads before the steps; on: two before each of the 8" },
    { "addressing", choices = { "vector", "scalar" }, default = "scalar", help = "64 bits in each lane; a scalar base and an offset in each lane" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 256, help = "edge of the matrices; a multiple of 128" },
    { "library", unit = "GFLOP/s", min = 0, max = 1000000, step = 0.5, default = 30547.4,
      help = "of the vendor's library on this device; 0: not known. The published one is an RX 7900 XTX's" },
    { "alpha", unit = "", min = 0, max = 100, step = 0.5, default = 1, help = "of alpha A B + beta C" },
    { "beta", unit = "", min = 0, max = 100, step = 0.5, default = 0, help = "of alpha A B + beta C" },
    { "fill", choices = { "random", "zeros" }, default = "random",
      help = "of B; with zeros, as nearly all of the source's identity, the multipliers have nothing to switch" },
  },
  presets  = { { "small", "n=128", "alpha=1.5", "beta=0.5", help = "soon done" } },
  buffers  = { a = { type = "float", count = function(p) return p.n * p.n end, fill = "random" },
               b = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return p.fill == "random" and "random" or 0 end },
               c = { type = "float", count = function(p) return p.n * p.n end, fill = "random" } },
  args     = { "const float *a", "const float *b", "float *c", "int n", "float alpha", "float beta" },
  values   = function(p)
    if p.n % 128 ~= 0 then error(string.format("n = %d is no multiple of the block's tile, 128", p.n)) end
    return {}
  end,
  launch   = { grid = function(p) return { p.n // 128, p.n // 128 } end, block = 128 },
  reset    = true,
  metrics  = {
    { "gflops", unit = "GFLOP/s", axis = "left", help = "2 n^3 of them",
      function(m, p, v) return 2 * p.n ^ 3 / m.seconds / 1e9 end },
    { "relative", unit = "%", axis = "right", help = "of the rate of the library",
      function(m, p, v)
        if p.library == 0 then return nil end
        return 2 * p.n ^ 3 / m.seconds / 1e7 / p.library
      end },
    { "time", unit = "ms", axis = "none", help = "of the launch", function(m, p, v) return m.seconds * 1e3 end },
    { "vgprs", unit = "registers", axis = "none", help = "of a lane", function(m, p, v) return m.code.vgprs end },
    { "sgprs", unit = "registers", axis = "none", help = "of a wave", function(m, p, v) return m.code.sgprs end },
  },
  tolerance = function(p) return 8 * math.sqrt(p.n) / (1 << 24) end,
  reference = "sgemm",
}
