local units = { fma = "sgemm-k5-lds", mfma = "sgemm-mfma", library = "sgemm-k0-library" }

return {
  title    = "Matrix product, by unit",
  question = "How fast is the same product of floats on the vector ALUs, on the matrix cores, and in the vendor's library?",
  source   = "AMD CDNA white paper: 23.1 TFLOP/s on the vector ALUs of an MI100, 46.1 on its matrix cores",
  lesson   = "matrix-cores.md",
  needs    = { arch = { "gfx908", "gfx90a" }, text = "others have no v_mfma" },
  params   = {
    { "unit", choices = { "fma", "mfma", "library" }, default = "mfma", sweep = { "fma", "mfma" },
      help = "vector ALUs: sgemm-k5-lds; matrix cores: sgemm-mfma; library: rocBLAS, where it is installed" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 256, help = "matrix size, a multiple of 128" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 120, on = { gfx90a = 104 }, device = "cus", help = "CUs of the device" },
    { "fill", choices = { "random", "zeros" }, default = "random", help = "values of matrix B" },
  },
  presets  = { { "small", "n=128", "unit=fma,mfma", help = "small matrices" },
               { "all", "unit=fma,mfma,library", "n=1024", help = "with rocBLAS; takes minutes on the software GPU" } },
  work     = function(p) return 2 * p.n ^ 3 end,
  measures = function(p) return units[p.unit], { n = p.n, fill = p.fill } end,
  metrics  = {
    { "gflops", unit = "GFLOP/s", axis = "left", help = "2 n^3 operations", function(m, p, v) return 2 * p.n ^ 3 / m.seconds / 1e9 end },
    { "flop_per_cycle", unit = "FLOP/cycle", axis = "right",
      help = "operations of a CU in a cycle, if all CUs work; peaks: 128 on the vector ALUs of gfx908, 256 on the matrix cores",
      function(m, p, v) return 2 * p.n ^ 3 / (m.seconds * m.sclk) / p.cus end },
    { "time", unit = "ms", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e3 end },
    { "vgprs", unit = "registers", axis = "none", help = "vector registers per lane; - in a library", function(m, p, v) return m.code and m.code.vgprs end },
  },
}
