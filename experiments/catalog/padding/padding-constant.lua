local padding = shared("padding")

-- The kernels were built with the project for the published sizes; others are constants, too, of a kernel compiled for them.
local function define(name, value, published) return value == published and "" or " -D" .. name .. "=" .. value end

return {
  title    = "Padding with constant sizes",
  question = "What is gained when every size is known to the compiler?",
  source   = "HIP performance optimization on Vega64, section 2.13.2",
  kernel   = { file = "padding.hip", entry = function(p) return "pad_constant_" .. p.channels_per_thread end,
               defines = function(p) return define("SIDE", p.side, 7) .. define("PAD", p.pad, 3) .. define("CHANNELS", p.c, 1024) end },
  params   = {
    { "channels_per_thread", unit = "channels", min = 1, max = 16, step = "x2", default = 16, sweep = true,
      help = "held in registers; the source has 16" },
    padding.n, padding.c, padding.side, padding.pad,
  },
  buffers  = padding.buffers,
  args     = padding.args,
  values   = padding.values,
  launch   = padding.launch,
  metrics  = { padding.time, padding.counted, padding.moved },
  contract  = function(p)
    return { kernel = { { "global_load_dword", count = p.channels_per_thread }, { "global_store_dword", count = p.channels_per_thread },
                        { "buffer_load_dword", count = 0 } } }
  end,
  reference = "pad",
  tolerance = 0,
  presets  = { { "small", "n=1" } },
  lesson   = "padding.md",
}
