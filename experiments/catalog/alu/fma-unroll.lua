-- The published loops have a fixed unroll factor; the other two take it from the parameter.
local published = { ["published-2a"] = 40, ["published-2b"] = 100, ["published-2c"] = 100 }

local function unroll(p) return published[p.variant] or p.unroll end

local function length(p) return p.fma_per_thread // unroll(p) * unroll(p) end

-- No defines when the object built with the project already fits.
local function defines(p)
  local d = ""
  if not published[p.variant] and p.unroll ~= 40 then d = string.format("-DUNROLL=%d", p.unroll) end
  if p.offset ~= 0 then d = d .. string.format("%s-DOFFSET=%d", d == "" and "" or " ", p.offset) end
  return d
end

local function fma(p) return p.threads * length(p) end

return {
  title    = "Multiply-add loop, by unrolling",
  question = "How do unrolling and code alignment affect the multiply-add rate of one CU (peak: 64 per cycle)?",
  source   = "HIP performance optimization on Vega64, sections 2.2.1 to 2.2.3",
  kernel   = { file = "fma_published.s" },
  variants = {
    { "compiled",     file = "fma.hip", entry = "fma_chain", defines = defines },
    { "published-2a", entry = "fma_2a", defines = defines },
    { "published-2b", entry = "fma_2b", defines = defines },
    { "published-2c", entry = "fma_2c", defines = defines },
    { "assembly",     entry = "fma_assembly", defines = defines },
  },
  params   = {
    { "unroll", unit = "FMA", min = 1, max = 400, step = 1, default = 40,
      sweep = { 1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 200 },
      help = "multiply-adds per loop trip; fixed at 40, 100 and 100 in the published variants" },
    { "offset", unit = "B", min = 0, max = 28, step = 4, default = 0,
      help = "shifts the start of the loop; 0 is the published alignment, or the start of a 32-byte window in variant assembly" },
    { "fma_per_thread", unit = "FMA", min = 10000, max = 100000000, step = "x2", default = 1000000,
      help = "length of each thread's dependent chain" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in the single block; 256 is one wave on each SIMD" },
  },
  presets  = { { "small", "unroll=40", "variant=compiled,published-2a,published-2b,published-2c,assembly", "fma_per_thread=10000",
    help = "the loops that are already built, short chain" } },
  buffers  = { out = { type = "float", count = function(p) return p.threads end } },
  args     = { "float *out", "int length" },
  values   = function(p) return { length = length(p) } end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "cycles_per_fma", unit = "cycles", axis = "left",
      help = "wave cycles per multiply-add, including loop overhead; the instruction alone takes 4 on GCN, 5 on RDNA3",
      function(m, p, v) return m.seconds * m.sclk / v.length end },
    { "fma_per_cycle", unit = "FMA/cycle", axis = "right", help = "one CU (peak: 64), or one WGP on RDNA (peak: 128, or 256 with dual issue)",
      function(m, p, v) return fma(p) / (m.seconds * m.sclk) end },
  },
  contract  = function(p)
    local name = p.variant == "compiled" and "v_fma_f32" or "v_mad_f32"
    return { hot_loop = { { name, count = unroll(p) } } }
  end,
  reference = function(p) return p.variant == "compiled" and "fma_fused" or "fma_unfused" end,
  lesson    = "unrolling.md",
}
