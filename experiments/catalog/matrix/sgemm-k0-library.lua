return {
  title    = "Matrix product, vendor library",
  question = "How fast is the vendor's library, the baseline for the other kernels?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 0",
  lesson   = "sgemm.md",
  needs    = { arch = "gfx1100", text = "the published time is rocBLAS on gfx1100" },
  -- The library is not a kernel of this program: measure it with its own benchmark and enter the time as a parameter. A
  -- library takes matrices in column-major order: given row-major data it computes B A, which a check with B = identity
  -- cannot tell from A B.
  formula  = true,
  params   = {
    { "time", unit = "ms", min = 0.0001, max = 1000000, step = 0.01, default = 4.4992,
      help = "time of rocBLAS sgemm as printed by its benchmark; the default is the published time" },
    { "n", unit = "", min = 128, max = 65536, step = 128, default = 4096, help = "matrix size" },
    { "simds", unit = "", min = 1, max = 4096, step = 1, default = 192,
      help = "SIMDs of the device; an RX 7900 XTX has 2 in each of 96 CUs" },
    { "clock", unit = "MHz", min = 1, max = 10000, step = 1, default = 2500, help = "clock of the device" },
  },
  presets  = { { "small", "n=4096", help = "the published point" } },
  metrics  = {
    { "gflops", unit = "GFLOP/s", axis = "left",
      help = "2 n^3 operations per launch", function(m, p) return 2 * p.n ^ 3 / (p.time / 1e3) / 1e9 end },
    { "share", unit = "%", axis = "right",
      help = "share of the peak of two multiply-adds per lane (32 per SIMD) and cycle; single issue reaches 50 %",
      function(m, p) return 2 * p.n ^ 3 / (p.time / 1e3) / (p.simds * 128 * p.clock * 1e6) * 100 end },
  },
}
