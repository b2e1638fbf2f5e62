return {
  title    = "Matrix product, dual-issue multiply-adds",
  question = "What does an inner loop of nothing but dual-issue multiply-adds gain, with operands from register banks that do not conflict?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 6",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "the published loop is its machine code" },
  -- The published loop is kernel 5's with 64 dual multiply-adds a step: columns of A in banks 2 and 3, rows of B in banks 0 and 1, accumulators
  -- through all banks. What a compiler pairs by itself is what there is here; the machine code is the source's own.
  kernel   = { file = "sgemm_patch.hip", entry = "sgemm_k5" },
  params   = {
    { "mix", choices = { "compiler", "dual", "dual-banks" }, default = "compiler",
      help = "who pairs: the compiler; machine code, all pairs; machine code, and pairs without bank conflicts" },
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
    if p.mix ~= "compiler" then
      error(string.format("mix = %s is the machine code of the source's kernel 6, which is no part of this program; take mix = compiler", p.mix))
    end
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
