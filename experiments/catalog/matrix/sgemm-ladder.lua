local ladder = { ["k1-naive"] = "sgemm-k1-naive", ["k2-lds-tile"] = "sgemm-k2-lds-tile", ["k3-register-tile"] = "sgemm-k3-register-tile",
  ["k4-global-prefetch"] = "sgemm-k4-global-prefetch", ["k5-lds"] = "sgemm-k5-lds", ["k6-dual-issue"] = "sgemm-k6-dual-issue",
  ["k7-unroll"] = "sgemm-k7-unroll", ["k8-batched-gmem"] = "sgemm-k8-batched-gmem" }
local edge = { ["k1-naive"] = 16, ["k2-lds-tile"] = 32 } -- size of a block's result tile; 128 from kernel 3 on
local threads = { ["k1-naive"] = 256, ["k2-lds-tile"] = 1024, ["k3-register-tile"] = 256, ["k4-global-prefetch"] = 256 } -- threads in a block; 128 from kernel 3 on

-- GFLOP/s of the source, for an RX 7900 XTX and n = 4096. Its 49047.3 for kernel 8 count 3 n^2 operations more.
local published = { ["k1-naive"] = 1010.54, ["k2-lds-tile"] = 4017.99, ["k3-register-tile"] = 22777, ["k4-global-prefetch"] = 25559.6,
  ["k5-lds"] = 33526.6, ["k6-dual-issue"] = 37791.2, ["k7-unroll"] = 41255.6, ["k8-batched-gmem"] = 49029.3, library = 30547.4 }

-- RDNA has waves of 32 lanes and does 128 operations per SIMD and cycle, GCN 64 and 32.
local function is_rdna(m) return m.code.wave_size == 32 end

-- SIMDs that get a wave of the launch.
local function busy(m, p)
  local blocks = ((p.n + (edge[p.kernel] or 128) - 1) // (edge[p.kernel] or 128)) ^ 2
  return math.min(p.simds > 0 and p.simds or is_rdna(m) and 192 or 256, blocks * ((threads[p.kernel] or 128) / m.code.wave_size))
end

local function gflops(m, p) return 2 * p.n ^ 3 / m.seconds / 1e9 end

return {
  title    = "Matrix product, step by step",
  question = "How much does each optimization step gain, from one result per thread to the limit of the ALUs?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), results",
  lesson   = "sgemm.md",
  params   = {
    { "kernel", choices = { "k1-naive", "k2-lds-tile", "k3-register-tile", "k4-global-prefetch", "k5-lds",
      "k6-dual-issue", "k7-unroll", "k8-batched-gmem" },
      default = "k5-lds", sweep = true,
      help = "the experiment sgemm-KERNEL with its defaults; k6 and later need gfx1100" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 256,
      help = "matrix size, a multiple of 128" },
    { "library", unit = "GFLOP/s", min = 0, max = 1000000, step = 0.5, default = 0,
      help = "rate of the vendor library on this device; 0: the published one on RDNA, otherwise not known" },
    { "simds", unit = "", min = 0, max = 4096, step = 1, default = 0,
      help = "SIMDs of the device; 0: 192 on RDNA, as an RX 7900 XTX, otherwise 256, as a Radeon Instinct MI25" },
    { "fill", choices = { "random", "zeros" }, default = "random", help = "values of matrix B" },
  },
  presets  = { { "small", "n=128", help = "small matrices" },
               { "grid", "n=1024", help = "64 blocks from kernel 3 on; takes minutes on the software GPU" } },
  work     = function(p) return 2 * p.n ^ 3 end,
  measures = function(p) return ladder[p.kernel], { n = p.n, fill = p.fill } end,
  metrics  = {
    { "gflops", unit = "GFLOP/s", axis = "left",
      help = "2 n^3 operations; with a small n, most of the device is idle", gflops },
    { "published", unit = "GFLOP/s", axis = "none", help = "the source's rate, for an RX 7900 XTX and n = 4096",
      function(m, p, v) return is_rdna(m) and published[p.kernel] or nil end },
    { "share", unit = "%", axis = "right",
      help = "share of the peak of the SIMDs that get a wave: the kernel's quality at any n",
      function(m, p, v) return 2 * p.n ^ 3 / (m.seconds * m.sclk) / (busy(m, p) * (is_rdna(m) and 128 or 32)) * 100 end },
    { "relative", unit = "%", axis = "none", help = "share of the library's rate",
      function(m, p, v)
        local library = p.library > 0 and p.library or is_rdna(m) and published.library
        return library and gflops(m, p) / library * 100 or nil
      end },
    { "time", unit = "ms", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e3 end },
    { "busy", unit = "SIMDs", axis = "none", help = "SIMDs that get a wave", function(m, p, v) return busy(m, p) end },
    { "vgprs", unit = "registers", axis = "none", help = "vector registers per lane", function(m, p, v) return m.code.vgprs end },
    { "scratch", unit = "B", axis = "none", help = "scratch memory per lane, for values that did not fit in registers",
      function(m, p, v) return m.code.scratch_bytes end },
  },
}
