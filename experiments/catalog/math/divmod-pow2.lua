local unroll = 16
local bits = { u32 = 32, i32 = -32, u64 = 64 }

local function shift(d)
  local n = 0
  while 2 ^ n < d do n = n + 1 end
  return n
end

local function length(p) return p.length // unroll * unroll end

local function constant(p) return p.form == "const_div" or p.form == "const_mod" end

-- What the compiler generates for each form. There is no divide instruction: a runtime divisor takes an f32 reciprocal
-- and multiplications, a constant one a shift or a multiplication.
local function contract(p)
  local runtime = p.form == "div" or p.form == "mod"
  if runtime then return { { "v_mul_hi_u32" } } end
  if p.form == "shift" then return { { p.type == "u64" and "v_lshrrev_b64" or p.type == "i32" and "v_ashrrev_i32" or "v_lshrrev_b32", count = unroll } } end
  if p.form == "mask" then return { { "v_and_b32" } } end
  local multiply = p.type == "i32" and "v_mul_hi_i32" or "v_mul_hi_u32"
  return { 2 ^ shift(p.divisor) == p.divisor and { multiply, count = 0 } or { multiply } }
end

return {
  title    = "Division by powers of two",
  question = "How much slower are integer division and remainder than a shift or mask, with compile-time and run-time divisors?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), instruction throughput",
  lesson   = "math.md",
  kernel   = { file = "divmod.hip", entry = "divmod",
    defines = function(p)
      return string.format("-DFORM=%s -DTYPE=%s", p.form, p.type) .. (constant(p) and string.format(" -DDIVISOR=%d", p.divisor) or "")
    end },
  params   = {
    { "form", choices = { "div", "mod", "shift", "mask", "const_div", "const_mod" }, default = "div", sweep = { "div", "mod", "shift", "mask", "const_div", "const_mod" },
      help = "x / d; x % d; x >> n; x & (d - 1); / and % with a compile-time divisor" },
    { "type", choices = { "u32", "i32", "u64" }, default = "u32", help = "type of dividend, divisor and result" },
    { "divisor", min = 1, max = 1 << 30, step = 1, default = 8,
      help = "shift and mask are equivalent only for powers of two" },
    { "sign", choices = { "positive", "mixed" }, default = "positive",
      help = "positive: dividends from 2^30 up (u64: from 2^50); mixed: around 0, so i32 has negative ones" },
    { "length", unit = "operations", min = 320, max = 100000000, step = "x2", default = 1000000, soft = 3200,
      help = "operations per thread, one after another" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in the single block; 256 is one wave on each SIMD" },
  },
  presets  = { { "small", "length=320", "form=div,shift", help = "two forms, few operations" } },
  buffers  = {
    out = { type = "long long", count = function(p) return p.threads end },
    -- Points where the forms disagree are counted, not rejected.
    differs = { type = "float", count = function(p) return p.threads end, tolerance = { absolute = 1 } },
  },
  args     = { "long long *out", "float *differs", "long long first", "long long step", "long long divisor", "unsigned shift", "unsigned mask", "unsigned length",
    "int bits" },
  values   = function(p)
    local step = 1234567
    return { first = p.sign == "mixed" and -step * (p.threads // 2) or p.type == "u64" and 1 << 50 or 1 << 30, step = p.sign == "mixed" and step or 1003, divisor = p.divisor,
      shift = shift(p.divisor), mask = 0, length = length(p), bits = bits[p.type] }
  end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "cycles_per_op", unit = "cycles", axis = "left",
      help = "wave cycles per operation, including the 4 (u64: 8) that serialize the chain and the loop overhead",
      function(m, p, v) return m.seconds * m.sclk / v.length end },
    { "instructions_per_op", unit = "instructions", axis = "right",
      help = "vector ALU instructions issued per operation, from the hardware counter",
      function(m, p, v) return m.counters.SQ_INSTS_VALU / (p.threads // 64 * v.length) end },
    { "disagree", unit = "%", axis = "none",
      help = "share of dividends whose result differs from division or remainder",
      function(m, p, v) return 100 * m.difference.differs.unequal / p.threads end },
  },
  counters = { "SQ_INSTS_VALU" },
  contract = function(p) return { hot_loop = contract(p) } end,
  reference = function(p)
    local of = { div = "div", mod = "mod", shift = "shift", mask = "mask", const_div = "div", const_mod = "mod" }
    return "divmod_" .. of[p.form]
  end,
}
