local unroll = 40 -- multiply-adds per loop trip, in every form

-- Threads that compute s = a * s + b; the others have the operands swapped.
local function straight(p)
  if p.form == "plain" or p.form == "divergent" and p.paths == 1 then return p.threads end
  return p.diverging_lanes
end

local entries = { plain = "divergence_plain", divergent = "divergence_split", merged = "divergence_merged" }

return {
  title    = "Divergence within a wave",
  question = "How much time does one divergent lane cost, and does swapping operands avoid the divergence?",
  source   = "HIP performance optimization on Vega64, section 2.5",
  -- The source's merged kernel swaps through a wrong temporary and swaps the wrong lane; this one computes the same as
  -- the divergent form.
  kernel   = { entry = function(p) return entries[p.form] end },
  variants = {
    { "published", file = "fma_published.s" },
    { "compiled", file = "fma.hip" },
  },
  params   = {
    { "form", choices = { "plain", "divergent", "merged" }, default = "plain", sweep = { "plain", "divergent", "merged" },
      help = "plain: one path; divergent: one loop per path; merged: operands swapped before a common loop" },
    { "diverging_lanes", unit = "lanes", min = 0, max = 64, step = 1, default = 1,
      help = "lanes of the block's first wave that take the first path" },
    { "paths", unit = "paths", min = 1, max = 64, step = "x2", default = 2,
      help = "paths of the divergent form: the first one, and the ones the other lanes are spread over" },
    { "fma_per_thread", unit = "FMA", min = 10000, max = 100000000, step = "x2", default = 1000000,
      help = "length of the dependent chain" },
    { "threads", unit = "threads", min = 64, max = 1024, step = 64, default = 256,
      help = "threads in the single block; with 2 paths only its first wave diverges" },
  },
  presets  = { { "small", "form=plain,divergent,merged", "variant=published,compiled", "fma_per_thread=10000",
    help = "all forms, short chain" } },
  buffers  = { out = { type = "float", count = function(p) return p.threads end } },
  args     = { "float *out", "int length", "unsigned lanes", "unsigned paths" },
  values   = function(p) return { length = p.fma_per_thread // unroll * unroll, lanes = straight(p), paths = p.paths } end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "time", unit = "ms", axis = "left", help = "time of the launch: that of its slowest wave",
      function(m, p, v) return m.seconds * 1e3 end },
    { "fma_per_cycle", unit = "FMA/cycle", axis = "right",
      help = "useful multiply-adds: each thread's own chain, counted once; the peak is 64, or 128 on RDNA",
      function(m, p, v) return p.threads * v.length / (m.seconds * m.sclk) end },
  },
  contract  = function(p)
    return { hot_loop = { { p.variant == "compiled" and "v_fma_f32" or "v_mad_f32", count = unroll } } }
  end,
  reference = function(p) return p.variant == "compiled" and "divergence_fused" or "divergence_unfused" end,
  lesson    = "divergence.md",
}
