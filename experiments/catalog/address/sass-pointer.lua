local function rounded(p) return p.n // p.unroll * p.unroll end

return {
  title    = "Array index or incremented pointer",
  question = "How many instructions and cycles does p[i * 2] = 100 take, compared with an incremented pointer?",
  source   = "AMD GCN ISA and NVIDIA SASS address arithmetic (Fixstars tech blog, 2015)",
  -- The published listing is for NVIDIA sm_30: 22 instructions for 4 indexed stores, 9 with a incremented pointer. Today's
  -- compiler uses a incremented pointer for both; the third form shows what that saves.
  kernel   = { file = "addressing.hip", entry = function(p) return "store_" .. p.form end,
               defines = function(p) return p.unroll == 4 and "" or string.format("-DUNROLL=%d", p.unroll) end },
  params   = {
    { "unroll", unit = "stores", min = 1, max = 16, step = "x2", default = 4, sweep = { 1, 8 },
      help = "stores per loop trip" },
    { "form", choices = { "indexed", "pointer", "recomputed" }, default = "indexed",
      help = "indexed, pointer: as published; recomputed: a new address for every store, as in the published machine code" },
    { "n", unit = "stores", min = 64, max = 1 << 20, step = "x2", default = 4096,
      help = "elements per thread, rounded to whole trips" },
    { "threads", unit = "threads", min = 1, max = 64, step = "x2", default = 1,
      help = "threads in the single block: from one thread to a full wave, each with its own elements" },
  },
  presets  = { { "small", "form=indexed,pointer,recomputed", "unroll=4", "n=64", help = "all three forms" } },
  buffers  = { p = { type = "int", count = function(p) return 2 * p.n * p.threads end } },
  args     = { "int *p", "unsigned n" },
  values   = function(p) return { n = rounded(p) } end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "instructions_per_4_stores", unit = "instructions", axis = "left",
      help = "loop instructions for 4 stores, including the stores",
      function(m, p, v) return m.code.loop.instructions * 4 / m.code.loop.vmem end },
    { "cycles_per_store", unit = "cycles", axis = "right", help = "wave cycles per store",
      function(m, p, v) return m.seconds * m.sclk / v.n end },
    { "vector", unit = "instructions", axis = "none", help = "vector ALU instructions per store",
      function(m, p, v) return m.code.loop.valu / m.code.loop.vmem end },
    { "scalar", unit = "instructions", axis = "none", help = "scalar instructions, branches and waits per store",
      function(m, p, v) return (m.code.loop.salu + m.code.loop.branch + m.code.loop.internal) / m.code.loop.vmem end },
  },
  contract  = function(p)
    return { { hot_loop = { { "global_store_dword", count = p.unroll } } },
             { isa = "sm_", hot_loop = { { "STG", count = p.unroll } } } }
  end,
  reference = "store_every_other",
  lesson    = "addressing.md",
}
