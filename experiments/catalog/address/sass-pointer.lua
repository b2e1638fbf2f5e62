local function rounded(p) return p.n // p.unroll * p.unroll end

return {
  title    = "Index against moving pointer",
  question = "How many instructions and cycles does p[i * 2] = 100 take against a pointer that moves on?",
  source   = "AMD GCN ISA and NVIDIA SASS address arithmetic (Fixstars tech blog, 2015)",
  -- The published listing is of NVIDIA's sm_30: 22 instructions for 4 indexed stores, 9 with a moving pointer. Today's compiler moves a pointer in
  -- both forms; the third one shows what it saves.
  kernel   = { file = "addressing.hip", entry = function(p) return "store_" .. p.form end,
               defines = function(p) return p.unroll == 4 and "" or string.format("-DUNROLL=%d", p.unroll) end },
  params   = {
    { "unroll", unit = "stores", min = 1, max = 16, step = "x2", default = 4, sweep = { 1, 8 }, help = "of a loop trip" },
    { "form", choices = { "indexed", "pointer", "recomputed" }, default = "indexed",
      help = "as the two sources are written; the index with its address computed anew for every store, as the published compiler did" },
    { "n", unit = "stores", min = 64, max = 1 << 20, step = "x2", default = 4096, help = "of a work-item; whole trips of them" },
    { "threads", unit = "threads", min = 1, max = 64, step = "x2", default = 1, help = "of the one block: one work-item or up to a wave, each with elements of its own" },
  },
  presets  = { { "small", "form=indexed,pointer,recomputed", "unroll=4", "n=64", help = "the three forms" } },
  buffers  = { p = { type = "int", count = function(p) return 2 * p.n * p.threads end } },
  args     = { "int *p", "unsigned n" },
  values   = function(p) return { n = rounded(p) } end,
  launch   = { grid = 1, block = function(p) return p.threads end },
  metrics  = {
    { "instructions_per_4_stores", unit = "instructions", axis = "left", help = "of the loop, the stores among them",
      function(m, p, v) return m.code.loop.instructions * 4 / m.code.loop.vmem end },
    { "cycles_per_store", unit = "cycles", axis = "right", help = "of the wave",
      function(m, p, v) return m.seconds * m.sclk / v.n end },
    { "vector", unit = "instructions", axis = "none", help = "on the vector ALU, for each store",
      function(m, p, v) return m.code.loop.valu / m.code.loop.vmem end },
    { "scalar", unit = "instructions", axis = "none", help = "scalar ones, branches and waits, for each store",
      function(m, p, v) return (m.code.loop.salu + m.code.loop.branch + m.code.loop.internal) / m.code.loop.vmem end },
  },
  contract  = function(p) return { hot_loop = { { "global_store_dword", count = p.unroll } } } end,
  reference = "store_every_other",
  lesson    = "addressing.md",
}
