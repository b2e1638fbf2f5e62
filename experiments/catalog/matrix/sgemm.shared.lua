-- Shared by the matrix products: C = alpha A B + beta C of n x n floats.
local function elements(p) return p.n * p.n end

local function flop(p) return 2 * p.n ^ 3 end

local operations = "2 n^3 operations per launch"

return {
  -- parameters
  alpha = { "alpha", unit = "", min = 0, max = 100, step = 0.5, default = 1, help = "alpha in alpha A B + beta C" },
  beta  = { "beta", unit = "", min = 0, max = 100, step = 0.5, default = 0, help = "beta in alpha A B + beta C" },
  fill  = { "fill", choices = { "random", "zeros" }, default = "random",
            help = "values of matrix B; zeros, like most of the published identity matrix, save power: the multipliers do not switch" },
  library = { "library", unit = "GFLOP/s", min = 0, max = 1000000, step = 0.5, default = 30547.4,
              help = "rate of the vendor library on this device; 0: not known. The published rate is for an RX 7900 XTX" },

  buffers = { a = { type = "float", count = elements, fill = "random" },
              b = { type = "float", count = elements, fill = function(p) return p.fill == "zeros" and 0 or "random" end },
              c = { type = "float", count = elements, fill = "random" } },
  args    = { "const float *a", "const float *b", "float *c", "int n", "float alpha", "float beta" },

  work    = flop,

  -- for kernels whose block computes 128 x 128 results
  values128 = function(p)
    if p.n % 128 ~= 0 then error(string.format("n = %d must be a multiple of the block's tile, 128", p.n)) end
    return { tile = 128 }
  end,
  grid128   = function(p) return { p.n // 128, p.n // 128 } end,

  -- metrics
  gflops = { "gflops", unit = "GFLOP/s", axis = "left", help = operations, function(m, p, v) return flop(p) / m.seconds / 1e9 end },
  flop_per_cycle = { "flop_per_cycle", unit = "FLOP/cycle", axis = "right",
    help = "whole device; the peak of GCN is 128 per CU",
                     function(m, p, v) return flop(p) / (m.seconds * m.sclk) end },
  relative = { "relative", unit = "%", axis = "right", help = "share of the library's rate",
               function(m, p, v) return p.library ~= 0 and flop(p) / m.seconds / 1e7 / p.library or nil end },
  time   = { "time", unit = "ms", axis = "none",
    help = "time of the launch", function(m, p, v) return m.seconds * 1e3 end },
  blocks = { "blocks", unit = "blocks", axis = "none", help = "blocks launched; fewer than CUs leave some CUs idle",
             function(m, p, v) return (p.n / v.tile) ^ 2 end },
  vgprs  = { "vgprs", unit = "registers", axis = "none",
    help = "vector registers per lane", function(m, p, v) return m.code.vgprs end },
  sgprs  = { "sgprs", unit = "registers", axis = "none",
    help = "scalar registers per wave", function(m, p, v) return m.code.sgprs end },
  scratch = { "scratch", unit = "B", axis = "none",
    help = "scratch memory per lane, for values that did not fit in registers",
              function(m, p, v) return m.code.scratch_bytes end },
  lds    = { "lds", unit = "B", axis = "none", help = "LDS per block", function(m, p, v) return m.code.lds_bytes end },
  waves_per_simd = { "waves_per_simd", unit = "waves", axis = "none",
    help = "waves per SIMD that registers, LDS and the block size allow",
                     function(m, p, v) return m.code.waves_per_simd end },

  -- A sum of n terms, added one by one: its error grows with the square root of n.
  tolerance = function(p) return 8 * math.sqrt(p.n) / (1 << 24) end,
}
