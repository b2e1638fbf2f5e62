local ladder = { ["k1-naive"] = "sgemm-k1-naive", ["k2-lds-tile"] = "sgemm-k2-lds-tile", ["k3-register-tile"] = "sgemm-k3-register-tile",
  ["k4-global-prefetch"] = "sgemm-k4-global-prefetch", ["k5-lds"] = "sgemm-k5-lds", ["k6-dual-issue"] = "sgemm-k6-dual-issue",
  ["k7-unroll"] = "sgemm-k7-unroll", ["k8-batched-gmem"] = "sgemm-k8-batched-gmem" }
local edge = { ["k1-naive"] = 16, ["k2-lds-tile"] = 32 } -- size of a block's result tile; 128 from kernel 3 on
local threads = { ["k1-naive"] = 256, ["k2-lds-tile"] = 1024, ["k3-register-tile"] = 256, ["k4-global-prefetch"] = 256 } -- threads in a block; 128 from kernel 3 on

-- SIMDs that get a wave of the launch.
local function busy(p)
  local blocks = ((p.n + (edge[p.kernel] or 128) - 1) // (edge[p.kernel] or 128)) ^ 2
  return math.min(p.simds, blocks * ((threads[p.kernel] or 128) / p.wave))
end

return {
  title    = "Matrix product, step by step",
  question = "How much does each optimization step gain, from one result per thread to the limit of the ALUs?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), results",
  lesson   = "sgemm.md",
  params   = {
    { "kernel", choices = { "k1-naive", "k2-lds-tile", "k3-register-tile", "k4-global-prefetch", "k5-lds",
      "k6-dual-issue", "k7-unroll", "k8-batched-gmem" },
      default = "k5-lds", sweep = { "k1-naive", "k2-lds-tile", "k3-register-tile", "k4-global-prefetch", "k5-lds" },
      help = "the experiment sgemm-KERNEL with its defaults; k6 and later need gfx1100" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 256,
      help = "matrix size, a multiple of 128" },
    { "library", unit = "GFLOP/s", min = 0, max = 1000000, step = 0.5, default = 30547.4, soft = 0,
      help = "rate of the vendor library on this device; 0: not known. The published rate is for an RX 7900 XTX" },
    { "simds", unit = "", min = 1, max = 4096, step = 1, default = 192, soft = 256,
      help = "SIMDs of the device; an RX 7900 XTX has 192, a Radeon Instinct MI25 256" },
    { "flop", unit = "FLOP/cycle", min = 1, max = 1024, step = "x2", default = 128, soft = 32,
      help = "operations per SIMD and cycle at peak; 128 on RDNA3, 32 on GCN" },
    { "wave", unit = "lanes", min = 32, max = 64, step = 32, default = 32, soft = 64,
      help = "lanes in a wave; 32 on RDNA3, 64 on GCN" },
    { "fill", choices = { "random", "zeros" }, default = "random", help = "values of matrix B" },
  },
  presets  = { { "small", "n=128", help = "small matrices" },
               { "grid", "n=1024", help = "64 blocks from kernel 3 on; takes minutes on the software GPU" } },
  measures = function(p) return ladder[p.kernel], { n = p.n, fill = p.fill } end,
  metrics  = {
    { "gflops", unit = "GFLOP/s", axis = "left",
      help = "2 n^3 operations; with a small n, most of the device is idle",
      function(m, p, v) return 2 * p.n ^ 3 / m.seconds / 1e9 end },
    { "share", unit = "%", axis = "right",
      help = "share of the peak of the SIMDs that get a wave: the kernel's quality at any n",
      function(m, p, v) return 2 * p.n ^ 3 / (m.seconds * m.sclk) / (busy(p) * p.flop) * 100 end },
    { "relative", unit = "%", axis = "none", help = "share of the library's rate",
      function(m, p, v)
        if p.library == 0 then return nil end
        return 2 * p.n ^ 3 / m.seconds / 1e7 / p.library
      end },
    { "time", unit = "ms", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e3 end },
    { "busy", unit = "SIMDs", axis = "none", help = "SIMDs that get a wave", function(m, p, v) return busy(p) end },
  },
}
