local unroll = 16
local bits = { u32 = 32, i32 = -32, u64 = 64 }

local function shift(d)
  local n = 0
  while 2 ^ n < d do n = n + 1 end
  return n
end

local function length(p) return p.length // unroll * unroll end

local function constant(p) return p.form == "const_div" or p.form == "const_mod" end

-- What the compiler has for each: no divider, but a reciprocal in f32 and multiplications; a constant's are a shift or a multiplication.
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
  question = "What does an integer division or remainder cost beside a shift or a mask, when the divisor is known and when it is not?",
  source   = "CUDA program optimization lecture notes, instruction throughput",
  lesson   = "math.md",
  kernel   = { file = "divmod.hip", entry = "divmod",
    defines = function(p)
      return string.format("-DFORM=%s -DTYPE=%s", p.form, p.type) .. (constant(p) and string.format(" -DDIVISOR=%d", p.divisor) or "")
    end },
  params   = {
    { "form", choices = { "div", "mod", "shift", "mask", "const_div", "const_mod" }, default = "div", sweep = { "div", "mod", "shift", "mask", "const_div", "const_mod" },
      help = "x / d, x % d, x >> n, x & (d - 1); a divisor that the compiler knows" },
    { "type", choices = { "u32", "i32", "u64" }, default = "u32", help = "of dividend, divisor and result" },
    { "divisor", min = 1, max = 1 << 30, step = 1, default = 8, help = "shift and mask stand for it only when it is a power of two" },
    { "sign", choices = { "positive", "mixed" }, default = "positive", help = "of the dividends: from 2^30 up (u64: 2^50), or about 0, where i32 has negative ones" },
    { "length", unit = "operations", min = 320, max = 100000000, step = "x2", default = 1000000, soft = 3200, help = "one after the other" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256, help = "of the one block; 256 are a wave on each SIMD" },
  },
  presets  = { { "small", "length=320", "form=div,shift", help = "two forms, few operations" } },
  buffers  = {
    out = { type = "long long", count = function(p) return p.threads end },
    -- The forms' disagreements are counted, not refused.
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
    { "cycles_per_op", unit = "cycles", axis = "left", help = "of a wave, with the 4 (u64: 8) that make it wait and the loop's share",
      function(m, p, v) return m.seconds * m.sclk / v.length end },
    { "instructions_per_op", unit = "instructions", axis = "right", help = "of the vector ALU that were issued, by the hardware's count",
      function(m, p, v) return m.counters.SQ_INSTS_VALU / (p.threads // 64 * v.length) end },
    { "disagree", unit = "%", axis = "none", help = "of the dividends have another result than by division or remainder",
      function(m, p, v) return 100 * m.difference.differs.unequal / p.threads end },
  },
  counters = { "SQ_INSTS_VALU" },
  contract = function(p) return { hot_loop = contract(p) } end,
  reference = function(p)
    local of = { div = "div", mod = "mod", shift = "shift", mask = "mask", const_div = "div", const_mod = "mod" }
    return "divmod_" .. of[p.form]
  end,
}
