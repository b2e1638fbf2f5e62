-- Functions with a single hardware instruction; library functions take many.
local operator = { add = true, mul = true, fma = true }
local bits = { f64 = 64, f32 = 32, f16 = 16 }
-- v = f(v) stays in the function's domain: sin converges to 0, cos to 0.74, sqrt to 1; rsqrt and div alternate.
local iterable = { sin = true, cos = true, sqrt = true, rsqrt = true, add = true, mul = true, fma = true, div = true }
local turning = { sin = true, cos = true, tan = true }
-- The smallest argument, 1/2048 of these, still takes the slow reduction: from 2^30 in f64, from 2^17 in f32; f16 has
-- one path for all.
local large = { f64 = 2 ^ 50, f32 = 2 ^ 30, f16 = 2 ^ 12 }
local pole = { sqrt = true, rsqrt = true, div = true }
local second = { add = 2 ^ -20, mul = -1, fma = 0.5, div = 1 }

local function is_large(p) return p.range == "large" and turning[p["function"]] end

-- With -ffast-math the compiler folds two steps of an operator into one.
local function is_iterated(p)
  local name = p["function"]
  return p.chain == "iterated" and iterable[name] and not is_large(p) and not (operator[name] and p.fast == "on")
end

local function unroll(p)
  if p.unroll > 0 then return p.unroll end
  return operator[p["function"]] and 100 or 1
end

local function calls(p) return math.max(p.calls // unroll(p), 1) * unroll(p) end

local function defines(p)
  local d = string.format("-DFUNCTION=%s -DTYPE=%s -DUNROLL=%d", p["function"], p.dtype, unroll(p))
  if is_iterated(p) then d = d .. " -DITERATED" end
  if p.fast == "on" then d = d .. " -ffast-math" end
  return d
end

-- An instruction that must be in the loop if the function is: every call of an operator, at least one of the others.
local function instruction(p)
  local t = p.dtype
  local rcp = t == "f16" and p.fast == "on" and "v_rcp_f16" or t == "f64" and "v_rcp_f64" or "v_rcp_f32"
  local table_of = {
    add = "v_add_" .. t, mul = "v_mul_" .. t, fma = "v_fma_" .. t,
    sqrt = t == "f64" and "v_rsq_f64" or "v_sqrt_" .. t, rsqrt = "v_rsq_" .. t, div = rcp,
    log = t == "f64" and "v_ldexp_f64" or "v_log_f32", exp = t == "f64" and "v_ldexp_f64" or "v_exp_f32",
    asin = "v_fma_" .. t, tan = t == "f64" and "v_trig_preop_f64" or rcp,
    sin = t == "f64" and "v_trig_preop_f64" or "v_fma_" .. t, cos = t == "f64" and "v_trig_preop_f64" or "v_fma_" .. t,
  }
  return { table_of[p["function"]], count = operator[p["function"]] and unroll(p) or nil }
end

-- The f16 sin of ROCm 5's device libraries returns NaN for finite arguments (its test is inverted): a wrong result,
-- shown as such. The same holds for large f64 arguments with -ffast-math: reordering loses the compensation sums of the
-- reduction. Limits in ulp per call are OpenCL's for its library (section 7.4 of its specification); the operators are
-- exact.
local ulps = { sin = 4, cos = 4, tan = 5, asin = 4, log = 3, exp = 3, rsqrt = 2 }

-- Each step's error is carried into the next: at worst multiplied by the number of steps.
local function tolerance(p)
  local one = ulps[p["function"]] or 0
  if p.fast == "on" then one = math.max(one, 4) * 16 end
  if p.dtype == "f16" then one = one * 2 ^ 13 end -- an f16 is stored as a float, 13 bits longer
  return { ulp = is_iterated(p) and one * calls(p) or one }
end

return {
  title    = "Math functions",
  question = "How many cycles does a math library call take?",
  source   = "HIP performance optimization on Vega64, section 2.11",
  lesson   = "math.md",
  kernel   = { file = "math.hip", entry = "math_calls", defines = defines },
  params   = {
    { "function", choices = { "sin", "cos", "tan", "asin", "log", "exp", "sqrt", "rsqrt", "add", "mul", "fma", "div" }, default = "sin",
      sweep = { "sin", "cos", "tan", "asin", "log", "exp", "sqrt", "rsqrt", "add", "mul", "fma", "div" },
        help = "function that is called" },
    { "dtype", choices = { "f64", "f32", "f16" }, default = "f64", help = "type of argument and result" },
    { "fast", choices = { "off", "on" }, default = "off", help = "compiled with -ffast-math" },
    { "range", choices = { "unit", "large" }, default = "unit",
      help = "arguments from 0 to 1, or large enough for the slow reduction of sin, cos and tan (others keep their range)" },
    { "chain", choices = { "iterated", "repeated" }, default = "iterated",
      help = "iterated: v = f(v), except for tan, asin, log, exp; repeated: the same argument, serialized by v_and_or_b32" },
    { "calls", unit = "calls", min = 100, max = 100000000, step = "x2", default = 1000000, soft = 2000,
      help = "calls per thread, one after another" },
    { "unroll", unit = "calls", min = 0, max = 200, step = 1, default = 0,
      help = "calls per loop trip; 0: 100 for add, mul and fma, 1 for functions of many instructions" },
    { "lanes", unit = "lanes", min = 1, max = 64, step = 1, default = 1,
      help = "lanes of a single wave; the time does not depend on their number" },
    { "waves", unit = "waves", min = 1, max = 16, step = 1, default = 1,
      help = "waves in the single block, spread over four SIMDs" },
  },
  presets  = { { "small", "calls=200", "lanes=64", "function=sin,rsqrt", help = "two functions, few calls" } },
  buffers  = {
    out64 = { type = "double", count = function(p) return p.dtype == "f64" and p.waves * 64 or 1 end },
    out32 = { type = "float", count = function(p) return p.dtype == "f64" and 1 or p.waves * 64 end },
  },
  args     = { "double *out64", "float *out32", "double first", "double step", "double second", "double third", "unsigned mask", "unsigned calls", "unsigned bits",
    "unsigned iterated" },
  -- The source starts from gid / 256; functions with a pole at 0 start next to it.
  values   = function(p)
    local scale, iterated, name = is_large(p) and large[p.dtype] or 1, is_iterated(p), p["function"]
    return {
      first = iterated and not pole[name] and 0 or scale / 2048, step = iterated and 1 / 256 or scale / 1024,
      second = second[name] or 0, third = 0.25, mask = 0, calls = calls(p), bits = bits[p.dtype], iterated = iterated and 1 or 0,
    }
  end,
  launch   = { grid = 1, block = function(p) return p.waves == 1 and p.lanes or p.waves * 64 end },
  metrics  = {
    { "cycles_per_call", unit = "cycles", axis = "left", help = "wave cycles per call, including loop overhead",
      function(m, p, v) return m.seconds * m.sclk / v.calls end },
    { "instructions_per_call", unit = "instructions", axis = "right",
      help = "vector ALU instructions issued per call, from the hardware counter",
      function(m, p, v) return m.counters.SQ_INSTS_VALU / (p.waves * v.calls) end },
    { "ulp", unit = "ulp", axis = "none", help = "largest difference from the exact, rounded result",
      function(m, p, v) return p.dtype == "f64" and m.difference.out64.ulp or m.difference.out32.ulp / (p.dtype == "f16" and 8192 or 1) end },
  },
  counters = { "SQ_INSTS_VALU" },
  tolerance = tolerance,
  contract  = function(p) return { hot_loop = { instruction(p) } } end,
  reference = function(p) return "math_" .. p["function"] end,
}
