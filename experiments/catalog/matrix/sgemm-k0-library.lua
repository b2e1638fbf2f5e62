return {
  title    = "Matrix product, the vendor's library",
  question = "How fast is the vendor's own product of matrices, which the others are held against?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 0",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "the library's published time is its own" },
  -- The library is no kernel of this program: its time is measured with its own benchmark and given as a parameter. A library takes matrices by
  -- columns: fed with rows it computes B A, which a check with B = identity cannot tell from A B.
  formula  = true,
  params   = {
    { "time", unit = "ms", min = 0.0001, max = 1000000, step = 0.01, default = 4.4992,
      help = "of rocBLAS' sgemm, as its benchmark prints it; the default is the published one" },
    { "n", unit = "", min = 128, max = 65536, step = 128, default = 4096, help = "edge of the matrices" },
    { "simds", unit = "", min = 1, max = 4096, step = 1, default = 192, help = "of the device; an RX 7900 XTX has 2 in each of 96 CUs" },
    { "clock", unit = "MHz", min = 1, max = 10000, step = 1, default = 2500, help = "of the device" },
  },
  presets  = { { "small", "n=4096", help = "the published point" } },
  metrics  = {
    { "gflops", unit = "GFLOP/s", axis = "left", help = "2 n^3 of them", function(m, p) return 2 * p.n ^ 3 / (p.time / 1e3) / 1e9 end },
    { "share", unit = "%", axis = "right", help = "of the peak: two multiply-adds for each of a SIMD's 32 lanes a clock; one of two is 50 %",
      function(m, p) return 2 * p.n ^ 3 / (p.time / 1e3) / (p.simds * 128 * p.clock * 1e6) * 100 end },
  },
}
