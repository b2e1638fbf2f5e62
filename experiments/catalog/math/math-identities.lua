local bits = { f64 = 64, f32 = 32 }

-- Instructions of the functions themselves, which the rewritten comparisons no longer contain.
local function contract(p)
  local t, rewritten = p.dtype, p.form == "rewritten"
  local root = t == "f64" and "v_rsq_f64" or "v_sqrt_f32"
  local exponential = t == "f64" and "v_ldexp_f64" or "v_exp_f32"
  if p.pair == "exp" then return { exponential, count = rewritten and 1 or 2 } end
  return { root, count = rewritten and 0 or nil }
end

-- One rounding of the sum and 3 ulp of the function, or two functions and a product; half an ulp in a sum of up to 2
-- changes the result by as much. A comparison of operands one ulp apart may go either way.
local function tolerance(p)
  if p.pair ~= "exp" then return { absolute = 1 } end
  return { relative = p.dtype == "f64" and 2 ^ -49 or 2 ^ -20 }
end

return {
  title    = "Algebraic rewrites",
  question = "How much time do algebraic rewrites save, and do they give the same results?",
  source   = "HIP performance optimization on Vega64, section 2.11 (described, without numbers)",
  lesson   = "math.md",
  kernel   = { file = "identities.hip", entry = "identities",
    defines = function(p) return string.format("-DPAIR=%s -DTYPE=%s", p.pair, p.dtype) .. (p.form == "rewritten" and " -DREWRITTEN" or "") end },
  params   = {
    { "pair", choices = { "exp", "sqrt", "asin" }, default = "exp", sweep = { "exp", "sqrt", "asin" },
      help = "exp(a) * exp(b) = exp(a + b); sqrt(a) < b as a < b * b; asin(a) < asin(b) as a < b" },
    { "form", choices = { "original", "rewritten" }, default = "original",
      help = "left side of the pair, or the rewritten right side" },
    { "dtype", choices = { "f64", "f32" }, default = "f64", help = "type of operands and result" },
    { "operands", choices = { "near", "apart" }, default = "near",
      help = "near: the two sides of a comparison differ by at most 2 ulp; otherwise anywhere" },
    { "calls", unit = "evaluations", min = 100, max = 100000000, step = "x2", default = 100000, soft = 1000,
      help = "calls per thread, one after another" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in the single block, each with its own operands from 0 to 1" },
  },
  presets  = { { "small", "calls=200", "pair=exp,sqrt", help = "two pairs, few evaluations" } },
  buffers  = {
    out = { type = "double", count = function(p) return p.threads end, tolerance = tolerance },
    -- Points where the forms disagree are counted, not rejected.
    differs = { type = "float", count = function(p) return p.threads end, tolerance = { absolute = 1 } },
  },
  args     = { "double *out", "float *differs", "double first", "double step", "int ulps", "unsigned mask", "unsigned calls", "unsigned bits" },
  values   = function(p)
    return { first = 1 / 2048, step = 1 / 1024.5, ulps = p.operands == "near" and 1 or 0, mask = 0, calls = p.calls, bits = bits[p.dtype] }
  end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "cycles_per_evaluation", unit = "cycles", axis = "left",
      help = "wave cycles per evaluation, including the 8 that serialize both operands and the loop overhead",
      function(m, p, v) return m.seconds * m.sclk / v.calls end },
    { "disagree", unit = "%", axis = "right",
      help = "share of threads for which the two forms give different results",
      function(m, p, v) return 100 * m.difference.differs.unequal / p.threads end },
    { "inexact", unit = "%", axis = "none",
      help = "share of threads whose result differs from the exact, rounded one",
      function(m, p, v) return 100 * m.difference.out.unequal / p.threads end },
  },
  contract  = function(p) return { hot_loop = { contract(p) } } end,
  reference = function(p) return "identity_" .. p.pair end,
}
