-- One instruction each, except imad, a product and a sum, and the last two: there is no divide instruction, and an integer
-- quotient takes about twenty.
local instructions = {
  iadd = "v_add_u32", imul = "v_mul_lo_u32", imad = "v_mul_lo_u32", mad24 = "v_mad_i32_i24", shift = "v_lshlrev_b32",
  fadd = "v_add_f32", ffma = "v_fma_f32", hfma2 = "v_pk_fma_f16", dadd = "v_add_f64", dfma = "v_fma_f64",
  rsqrt = "v_rsq_f32", sin = "v_sin_f32", exp = "v_exp_f32", cvt = "v_cvt_f32_u32", idiv = "v_rcp_iflag_f32", imod = "v_rcp_iflag_f32",
}
local composed = { idiv = true, imod = true }

-- Operations per trip, so that the loop fills at most half of a 32 KiB instruction cache.
local function operations(p) return composed[p.op] and 64 or 1024 end

local function trips(p) return math.max(p.length // operations(p), 1) end

return {
  title    = "Instruction throughput",
  question = "How many SIMD cycles does each kind of instruction take per wave?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), instruction throughput",
  lesson   = "instruction-throughput.md",
  kernel   = { file = "throughput.hip", entry = "throughput",
    defines = function(p) return string.format("-DOP=%s -DCHAINS=%d -DOPERATIONS=%d", p.op, p.chains, operations(p)) end },
  params   = {
    { "op", choices = { "iadd", "imul", "imad", "mad24", "shift", "fadd", "ffma", "hfma2", "dadd", "dfma", "rsqrt", "sin", "exp", "cvt", "idiv", "imod" },
      default = "ffma",
      sweep = { "iadd", "imul", "imad", "mad24", "shift", "fadd", "ffma", "hfma2", "dadd", "dfma", "rsqrt", "sin", "exp", "cvt", "idiv", "imod" },
      help = "32-bit; d: 64-bit, h: two of 16 bits; mad24: 24-bit factors; rsqrt, sin, exp: hardware; idiv, imod: run-time divisor" },
    { "chains", unit = "chains", min = 1, max = 16, step = 1, default = 8, help = "independent chains per thread" },
    { "waves", unit = "waves", min = 1, max = 4, step = 1, default = 4,
      help = "waves on each SIMD, in one block per CU; on RDNA pairs of waves" },
    { "blocks", unit = "blocks", min = 1, max = 4096, step = "x2", default = 1,
      help = "blocks in the grid; two per CU give eight waves per SIMD" },
    { "length", unit = "operations", min = 1024, max = 100000000, step = "x2", default = 1048576, soft = 8192,
      help = "operations per thread, over all of its chains" },
  },
  presets  = { { "small", "op=iadd,idiv", "waves=1", "length=1024", help = "a cheap and an expensive operation" } },
  buffers  = { out = { type = "double", count = function(p) return p.blocks * p.waves * 256 end } },
  args     = { "double *out", "unsigned i", "float f", "double d", "unsigned trips", "int chains", "int operations" },
  values   = function(p) return { i = 1, f = 0.5, d = 0.5, trips = trips(p), operations = operations(p) } end,
  launch   = { grid = function(p) return p.blocks end, block = function(p) return p.waves * 256 end },
  metrics  = {
    { "cycles_per_instruction", unit = "cycles", axis = "left",
      help = "SIMD cycles per operation of a wave (32 lanes on RDNA, otherwise 64), with one block per CU or WGP",
      function(m, p, v) return m.seconds * m.sclk / (v.trips * v.operations * p.waves * 64 / m.code.wave_size) end },
    { "operations_per_cycle", unit = "operations/cycle", axis = "right",
      help = "operations of all lanes on the whole device; 64 per CU for operations of 4 cycles, 128 per WGP for those of 1",
      function(m, p, v) return p.blocks * p.waves * 256 * v.trips * v.operations / (m.seconds * m.sclk) end },
    { "instructions_per_operation", unit = "instructions", axis = "none",
      help = "vector ALU instructions per operation in the loop",
      function(m, p, v) return m.code.loop.valu / v.operations end },
  },
  tolerance = function(p) return p.op == "rsqrt" and { relative = 2 ^ -22 } or 0 end,
  contract  = function(p) return { hot_loop = { { instructions[p.op], count = operations(p) } } } end,
  reference = function(p) return "throughput_" .. p.op end,
}
