local padding = shared("padding")

return {
  title    = "Padding through a private array",
  question = "How much does a private array cost when the compiler has to place it in scratch memory?",
  source   = "HIP performance optimization on Vega64, section 2.13.1",
  -- Today's compilers keep the source's array in registers. The dynamic form forces it into scratch, as with the
  -- source's compiler.
  kernel   = { file = "padding.hip", entry = function(p) return p.private_array == "dynamic" and "pad_scratch" or "pad_static" end },
  params   = {
    { "channels_per_thread", unit = "channels", min = 1, max = 16, step = "x2", default = 16, sweep = true,
      help = "channels that each thread holds in the array, which always has 16 elements" },
    { "private_array", choices = { "dynamic", "static" }, default = "dynamic",
      help = "dynamic: index known only at run time, array in scratch; static: constant indices after unrolling, array in registers" },
    padding.n, padding.c, padding.side, padding.pad,
  },
  buffers  = padding.buffers,
  args     = padding.args,
  values   = padding.values,
  launch   = padding.launch,
  metrics  = {
    padding.time, padding.counted, padding.moved,
    { "scratch", unit = "B", axis = "none", help = "scratch memory per lane",
      function(m, p, v) return m.code.scratch_bytes end },
  },
  contract  = function(p)
    local scratch = p.private_array == "static" and 0 or nil
    return { kernel = { { "buffer_store_dword", count = scratch }, { "buffer_load_dword", count = scratch }, { "global_store_dword" } } }
  end,
  reference = "pad",
  tolerance = 0,
  presets  = { { "small", "n=1", "c=64" } },
  lesson   = "padding.md",
}
