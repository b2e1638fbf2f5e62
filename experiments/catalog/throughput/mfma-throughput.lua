-- The names and sizes of AMD's instructions: by shape the depth of a product, by type the elements of a factor that a lane has.
local shapes = {
  ["32x32"]        = { side = 32, blocks = 1 },
  ["16x16"]        = { side = 16, blocks = 1 },
  ["32x32-blocks"] = { side = 32, blocks = 2 },
  ["16x16-blocks"] = { side = 16, blocks = 4 },
  ["4x4-blocks"]   = { side = 4, blocks = 16 },
}
local types = {
  f32     = { name = "f32", each = 1, result = "f32" },
  f16     = { name = "f16", each = 4, result = "f32" },
  bf16    = { name = "bf16", each = 2, result = "f32" },
  bf16_1k = { name = "bf16_1k", each = 4, result = "f32", cdna2 = true },
  i8      = { name = "i8", each = 4, result = "i32" },
  f64     = { name = "f64", each = 1, result = "f64", cdna2 = true },
}
local products = 64 -- in a trip of the loop

local function shape_of(p)
  if p.type ~= "f64" then return shapes[p.shape] end
  if p.shape == "16x16" then return { side = 16, blocks = 1 } end
  if p.shape == "4x4-blocks" then return { side = 4, blocks = 4 } end
  error(string.format("f64 has no shape %s; it has 16x16 and 4x4-blocks", p.shape))
end

-- Elements of a row of A that are multiplied and added for one of the result: all lanes' factors, over all rows.
local function depth(p)
  local s = shape_of(p)
  return 64 * types[p.type].each // (s.side * s.blocks)
end

local function instruction(p)
  local s, t = shape_of(p), types[p.type]
  return string.format("%s_%dx%dx%d%s", t.result, s.side, s.side, depth(p), t.name)
end

local function registers(p)
  local s = shape_of(p)
  return s.side * s.side * s.blocks // 64
end

local function trips(p) return math.max(p.length // products, 1) end

-- Multiplications and additions of one instruction.
local function operations(p)
  local s = shape_of(p)
  return 2 * s.side * s.side * depth(p) * s.blocks
end

local function instructions(p) return p.blocks * p.waves * 4 * trips(p) * products end

return {
  title    = "Matrix core throughput",
  question = "How many operations does a matrix core do in a cycle, by type and shape, and how many waves and chains does it need?",
  source   = "AMD Instinct MI100 and CDNA 2 white papers; AMD Matrix Instruction Calculator",
  lesson   = "matrix-cores.md",
  needs    = { arch = { "gfx908", "gfx90a" }, text = "others have no v_mfma" },
  kernel   = { file = "mfma.hip", entry = "mfma",
    defines = function(p)
      return string.format("-DPRODUCT=__builtin_amdgcn_mfma_%s -DFACTOR=%s -DREGISTERS=%d -DCHAINS=%d -DPRODUCTS=%d -DTHREADS=%d -DFMAS=%d",
                           instruction(p), p.type, registers(p), p.chains, products, p.waves * 256, p.fmas)
    end },
  params   = {
    { "type", choices = { "f32", "f16", "bf16", "i8", "bf16_1k", "f64" }, default = "f32", sweep = { "f32", "f16", "bf16", "i8" },
      help = "type of the factors; gfx90a also has bf16_1k, with four of them in a lane, and f64" },
    { "shape", choices = { "32x32", "16x16", "32x32-blocks", "16x16-blocks", "4x4-blocks" }, default = "32x32",
      help = "size of the result; blocks: 2, 4 or 16 products at once" },
    { "chains", unit = "chains", min = 1, max = 4, step = 1, default = 1,
      help = "sums of each wave that do not depend on each other" },
    { "waves", unit = "waves", min = 1, max = 4, step = 1, default = 1, help = "waves on each SIMD, in one block per CU" },
    { "fmas", unit = "FMAs", min = 0, max = 32, step = 1, default = 0, help = "multiply-adds on the vector ALU after each product" },
    { "blocks", unit = "blocks", min = 1, max = 4096, step = "x2", default = 1, help = "blocks in the grid" },
    { "length", unit = "products", min = products, max = 65536, step = "x2", default = 65536, soft = 1024,
      help = "matrix instructions of each wave" },
  },
  presets  = { { "small", "type=f32,f16,bf16,i8", "shape=16x16,4x4-blocks", "length=64", help = "few products" },
               { "shapes", "type=f32,f16,bf16,i8", "shape=32x32,16x16,32x32-blocks,16x16-blocks,4x4-blocks", help = "all shapes" } },
  buffers  = { out = { type = "double", count = function(p) return p.blocks * p.waves * 256 * registers(p) end } },
  args     = { "double *out", "unsigned trips", "unsigned products", "unsigned side", "unsigned depth", "unsigned number", "unsigned each", "unsigned wide" },
  values   = function(p)
    local s = shape_of(p)
    return { trips = trips(p), products = products, side = s.side, depth = depth(p), number = s.blocks, each = types[p.type].each,
             wide = p.type == "f64" and 1 or 0 }
  end,
  launch   = { grid = function(p) return p.blocks end, block = function(p) return p.waves * 256 end },
  work     = function(p) return instructions(p) end,
  metrics  = {
    { "flop_per_cycle", unit = "FLOP/cycle", axis = "left", help = "multiplications and additions of a CU in a cycle, with one block per CU",
      function(m, p, v) return operations(p) * instructions(p) / p.blocks / (m.seconds * m.sclk) end },
    { "cycles", unit = "cycles", axis = "right", help = "cycles of a SIMD for a matrix instruction",
      function(m, p, v) return m.seconds * m.sclk / (p.waves * trips(p) * products) end },
    { "busy", unit = "%", axis = "none", help = "part of the time in which the matrix cores of the CUs with a block multiply",
      function(m, p, v) return 100 * m.counters.SQ_VALU_MFMA_BUSY_CYCLES / (m.seconds * m.sclk * 4 * p.blocks) end },
    { "flop", unit = "FLOP", axis = "none", help = "multiplications and additions of one instruction",
      function(m, p, v) return operations(p) end },
    { "gflops", unit = "GFLOP/s", axis = "none", help = "of all blocks",
      function(m, p, v) return operations(p) * instructions(p) / m.seconds / 1e9 end },
  },
  counters  = { "SQ_VALU_MFMA_BUSY_CYCLES" },
  contract  = function(p)
    return { hot_loop = { { "v_mfma_" .. instruction(p), count = products }, { "v_fma_f32", count = products * p.fmas } } }
  end,
  reference = "mfma",
}
