-- Products that are summed before they are added to the result.
local each = { fma = 1, f32 = 1, bf16 = 2, f16 = 4 }
local instruction = { fma = "v_fmac_f32", f32 = "v_mfma_f32_32x32x2f32", bf16 = "v_mfma_f32_32x32x4bf16", f16 = "v_mfma_f32_32x32x8f16" }

-- The small products: 1/64 and 1/32 in turn, after the first one of 2^20.
local function exact(p) return (p.products // 2 - 1) / 64 + p.products // 2 / 32 end

return {
  title    = "Matrix cores, rounding",
  question = "What do the vector ALU and the matrix core give for the same sum of products, a large one and many small ones?",
  -- FTTN reports 255.875 for an MI100, and 0 for an MI250X, which contradicts MMA-Sim: softgpu/isa/semantics_mfma.h.
  source   = "FTTN: Feature-Targeted Testing for Numerical Properties of GPU Matrix Accelerators (Li and others, arXiv 2403.00232)",
  lesson   = "matrix-cores.md",
  needs    = { arch = { "gfx908", "gfx90a" }, text = "others have no v_mfma" },
  kernel   = { file = "mfma_rounding.hip", entry = "mfma_rounding", defines = function(p) return "-DUNIT=" .. p.unit end },
  params   = {
    { "unit", choices = { "fma", "f32", "bf16", "f16" }, default = "f16", sweep = { "fma", "f32", "bf16", "f16" },
      help = "fma: on the vector ALU; else the matrix core, by the type of the factors" },
    { "products", unit = "products", min = 8, max = 8192, step = "x2", default = 8192, help = "2^20, minus so many less one" },
  },
  presets  = { { "small", "products=64", help = "few products" } },
  buffers  = {
    out   = { type = "float", count = 1024 },
    -- Its reference is 0, and so many units in the last place away from it is the number that was found.
    units = { type = "float", count = 1, tolerance = { absolute = 1 } },
  },
  args     = { "float *out", "unsigned *units", "unsigned depth", "unsigned each" },
  values   = function(p) return { depth = p.products, each = each[p.unit] } end,
  launch   = { grid = 1, block = 64 },
  work     = function(p) return p.products end,
  metrics  = {
    { "result", unit = "", axis = "left", help = "2^20 less the sum, which is what the small products add up to", function(m, p, v) return m.difference.units.ulp / 128 end },
    { "exact", unit = "", axis = "right", help = "what they add up to without rounding", function(m, p, v) return exact(p) end },
    { "error", unit = "", axis = "none", help = "result less exact", function(m, p, v) return m.difference.units.ulp / 128 - exact(p) end },
  },
  contract  = function(p) return { hot_loop = { { instruction[p.unit] } } } end,
  reference = "mfma_rounding",
}
