local unroll = 32

local function length(p) return p.length // unroll * unroll end

local function f64_instructions(m)
  local n = m.code.loop.named
  return (n["v_fma_f64"] + n["v_mul_f64"] + n["v_add_f64"] + n["v_cvt_f64_f32"] + n["v_cvt_f32_f64"]) / unroll
end

return {
  title    = "Literals without a suffix",
  question = "How much slower is x * 1.1 + 0.5 for a float x, because literals without an f suffix are double precision?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), instruction throughput",
  lesson   = "math.md",
  kernel   = { file = "literal.hip", entry = "double_literal", defines = function(p) return p.suffix == "on" and "-DSUFFIX" or "" end },
  params   = {
    { "suffix", choices = { "off", "on" }, default = "off", sweep = { "off", "on" },
      help = "off: 1.1 and 0.5; on: 1.1f and 0.5f" },
    { "length", unit = "operations", min = 320, max = 100000000, step = "x2", default = 1000000, soft = 10000,
      help = "operations per thread, one after another" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in the single block; 256 is one wave on each SIMD" },
  },
  presets  = { { "small", "length=320", help = "ten loop trips" } },
  buffers  = { out = { type = "float", count = function(p) return p.threads end } },
  args     = { "float *out", "unsigned mask", "unsigned length" },
  values   = function(p) return { mask = 0, length = length(p) } end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "cycles_per_op", unit = "cycles", axis = "left",
      help = "wave cycles per operation, including the 4 that serialize the chain and the loop overhead",
      function(m, p, v) return m.seconds * m.sclk / v.length end },
    { "f64_per_op", unit = "instructions", axis = "right",
      help = "double-precision instructions per operation: conversion to double, multiply-add, conversion back", function(m, p, v) return f64_instructions(m) end },
  },
  contract  = function(p)
    local f64 = p.suffix == "off" and unroll or 0
    return { hot_loop = { { "v_fma_f64", count = f64 }, { "v_cvt_f64_f32", count = f64 }, { "v_cvt_f32_f64", count = f64 }, { "v_fma_f32", count = unroll - f64 } } }
  end,
  reference = function(p) return p.suffix == "on" and "literal_f32" or "literal_f64" end,
}
