-- The hardware instruction that each form uses in the end; the library's sine of a small argument is a polynomial.
local hardware = {
  sin = "v_sin_f32", cos = "v_cos_f32", sincos = "v_sin_f32", exp = "v_exp_f32", pow = "v_exp_f32", rcp = "v_rcp_f32", sqrt = "v_sqrt_f32", div = "v_rcp_f32",
}
local polynomial = { sin = true, cos = true, sincos = true }

local function defines(p)
  local d = string.format("-DFUNCTION=%s -DTYPE=f32", p["function"])
  if p.form == "intrinsic" then d = d .. " -DINTRINSIC" end
  if p.form == "flag" then d = d .. " -ffast-math" end
  if p.denormals == "flushed" then d = d .. " -fgpu-flush-denormals-to-zero" end
  if p.divide == "approximate" then d = d .. " -fno-hip-fp32-correctly-rounded-divide-sqrt" end
  return d
end

local function instruction(p)
  -- pow contains several paths in its loop; the hot loop is one of them.
  if p["function"] == "pow" and p.form == "library" then return "v_ldexp_f32" end
  if p["function"] == "pow" and p.form == "flag" then return p.denormals == "kept" and "v_log_f32" or "v_cndmask_b32" end
  if p["function"] == "sqrt" and p.denormals == "flushed" and p.divide == "precise" and p.form ~= "intrinsic" then return "v_rsq_f32" end
  return p.form ~= "intrinsic" and polynomial[p["function"]] and (p.denormals == "flushed" and "v_mad_f32" or "v_fma_f32") or hardware[p["function"]]
end

-- The library follows OpenCL's limits (section 7.4 of its specification). The other forms guarantee nothing: allowed is
-- 2^-14 of the result, or the error of the hardware sine, whose argument is in turns and rounded, so that its error
-- grows with the argument.
local ulps = { sin = 4, cos = 4, sincos = 4, exp = 3, pow = 16, rcp = 0, sqrt = 0, div = 0 }

local function tolerance(p)
  local rough = { ulp = 2 ^ 10, absolute = polynomial[p["function"]] and 2 ^ -20 + (p.first + p.span) * 2 ^ -22 or 0 }
  if p.form ~= "library" then return rough end
  if p.divide == "approximate" or p.denormals == "flushed" then return { ulp = ulps[p["function"]] + 3 } end
  return { ulp = ulps[p["function"]] }
end

return {
  title    = "Fast math",
  question = "How many cycles do intrinsics and compiler flags save, and how much accuracy do they cost?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), mathematical functions",
  lesson   = "math.md",
  kernel   = { file = "math.hip", entry = "math_calls", defines = defines },
  params   = {
    { "function", choices = { "sin", "cos", "exp", "pow", "rcp", "sqrt", "div", "sincos" }, default = "sin",
      sweep = { "sin", "cos", "exp", "pow", "rcp", "sqrt", "div", "sincos" },
        help = "f32 function; pow: to the power of 2.5; div: 2.5 divided by x; sincos: the larger of sine and cosine" },
    { "form", choices = { "library", "intrinsic", "flag" }, default = "library",
      help = "library call, hardware intrinsic, or library call compiled with -ffast-math, which changes every call" },
    { "denormals", choices = { "kept", "flushed" }, default = "kept",
      help = "flushed: -fgpu-flush-denormals-to-zero, so v_mad_f32 instead of v_fma_f32" },
    { "divide", choices = { "precise", "approximate" }, default = "precise",
      help = "approximate: -fno-hip-fp32-correctly-rounded-divide-sqrt, so quotients to 2.5 ulp and roots to 3 ulp" },
    { "first", min = 0, max = 1000000, default = 0.25, help = "argument of the first thread" },
    { "span", min = 0, max = 1000000, default = 8,
      help = "range over which the arguments of the threads are spread" },
    { "calls", unit = "calls", min = 100, max = 100000000, step = "x2", default = 100000, soft = 1000,
      help = "calls per thread, one after another" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in the single block, each with its own argument" },
  },
  presets  = { { "small", "calls=200", "function=sin,sqrt", help = "two functions, few calls" } },
  buffers  = { out64 = { type = "double", count = 1 }, out32 = { type = "float", count = function(p) return p.threads end } },
  args     = { "double *out64", "float *out32", "double first", "double step", "double second", "double third", "unsigned mask", "unsigned calls", "unsigned bits",
    "unsigned iterated" },
  values   = function(p)
    return { first = p.first, step = p.span / p.threads, second = 2.5, third = 0, mask = 0, calls = p.calls, bits = 32, iterated = 0 }
  end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "cycles_per_call", unit = "cycles", axis = "left",
      help = "wave cycles per call, each wave alone on its SIMD up to 256 threads; includes 37 cycles of loop overhead",
      function(m, p, v) return m.seconds * m.sclk / v.calls end },
    { "ulp", unit = "ulp", axis = "right",
      help = "largest difference from the exact, rounded result over all threads",
      function(m, p, v) return m.difference.out32.ulp end },
    { "inexact", unit = "%", axis = "none",
      help = "share of threads whose result differs from the exact, rounded one",
      function(m, p, v) return 100 * m.difference.out32.unequal / p.threads end },
  },
  tolerance = tolerance,
  contract  = function(p) return { hot_loop = { { instruction(p) } } } end,
  reference = function(p) return "math_" .. p["function"] end,
}
