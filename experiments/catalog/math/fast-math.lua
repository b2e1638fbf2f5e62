-- The hardware's own instruction, which each form comes to in the end; the library's sine of a small argument is a polynomial.
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
  -- pow has several ways in its loop, of which the hot loop is one.
  if p["function"] == "pow" and p.form == "library" then return "v_ldexp_f32" end
  if p["function"] == "pow" and p.form == "flag" then return p.denormals == "kept" and "v_log_f32" or "v_cndmask_b32" end
  if p["function"] == "sqrt" and p.denormals == "flushed" and p.divide == "precise" and p.form ~= "intrinsic" then return "v_rsq_f32" end
  return p.form ~= "intrinsic" and polynomial[p["function"]] and (p.denormals == "flushed" and "v_mad_f32" or "v_fma_f32") or hardware[p["function"]]
end

-- Of the library OpenCL's limits (7.4 of its specification); the others promise nothing: what is tolerated is a part of 2^-14 of the result, or
-- as much as the sine of the hardware may be off: its argument is in turns, rounded, and what is lost grows with it.
local ulps = { sin = 4, cos = 4, sincos = 4, exp = 3, pow = 16, rcp = 0, sqrt = 0, div = 0 }

local function tolerance(p)
  local rough = { ulp = 2 ^ 10, absolute = polynomial[p["function"]] and 2 ^ -20 + (p.first + p.span) * 2 ^ -22 or 0 }
  if p.form ~= "library" then return rough end
  if p.divide == "approximate" or p.denormals == "flushed" then return { ulp = ulps[p["function"]] + 3 } end
  return { ulp = ulps[p["function"]] }
end

return {
  title    = "Fast mathematics",
  question = "What do the intrinsics and the compiler's flags gain in cycles, and what do they cost in accuracy?",
  source   = "CUDA program optimization lecture notes, mathematical functions",
  lesson   = "math.md",
  kernel   = { file = "math.hip", entry = "math_calls", defines = defines },
  params   = {
    { "function", choices = { "sin", "cos", "exp", "pow", "rcp", "sqrt", "div", "sincos" }, default = "sin",
      sweep = { "sin", "cos", "exp", "pow", "rcp", "sqrt", "div", "sincos" }, help = "of one f32; pow to the 2.5th, 2.5 divided by it, the larger of sine and cosine" },
    { "form", choices = { "library", "intrinsic", "flag" }, default = "library",
      help = "the library's, the hardware's instructions, or the library's compiled with -ffast-math, which changes every call" },
    { "denormals", choices = { "kept", "flushed" }, default = "kept", help = "-fgpu-flush-denormals-to-zero: v_mad_f32 instead of v_fma_f32" },
    { "divide", choices = { "precise", "approximate" }, default = "precise", help = "-fno-hip-fp32-correctly-rounded-divide-sqrt: quotients to 2.5 ulp, roots to 3" },
    { "first", min = 0, max = 1000000, default = 0.25, help = "the first work-item's argument" },
    { "span", min = 0, max = 1000000, default = 8, help = "over which those of all work-items are spread" },
    { "calls", unit = "calls", min = 100, max = 100000000, step = "x2", default = 100000, soft = 1000, help = "of a work-item, one after the other" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256, help = "of the one block, each with an argument of its own" },
  },
  presets  = { { "small", "calls=200", "function=sin,sqrt", help = "two functions, a few calls" } },
  buffers  = { out64 = { type = "double", count = 1 }, out32 = { type = "float", count = function(p) return p.threads end } },
  args     = { "double *out64", "float *out32", "double first", "double step", "double second", "double third", "unsigned mask", "unsigned calls", "unsigned bits",
    "unsigned iterated" },
  values   = function(p)
    return { first = p.first, step = p.span / p.threads, second = 2.5, third = 0, mask = 0, calls = p.calls, bits = 32, iterated = 0 }
  end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "cycles_per_call", unit = "cycles", axis = "left", help = "of a wave, alone on its SIMD while there are four; the loop's own 37 included",
      function(m, p, v) return m.seconds * m.sclk / v.calls end },
    { "ulp", unit = "ulp", axis = "right", help = "the worst difference from the exact result, rounded, of all work-items",
      function(m, p, v) return m.difference.out32.ulp end },
    { "inexact", unit = "%", axis = "none", help = "of the work-items have another result than the exact one, rounded",
      function(m, p, v) return 100 * m.difference.out32.unequal / p.threads end },
  },
  tolerance = tolerance,
  contract  = function(p) return { hot_loop = { { instruction(p) } } } end,
  reference = function(p) return "math_" .. p["function"] end,
}
