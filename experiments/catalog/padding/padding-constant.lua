local padding = shared("padding")

-- The kernels built with the project have the published sizes as constants; for other sizes a kernel is compiled with
-- those constants.
local function define(name, value, published) return value == published and "" or " -D" .. name .. "=" .. value end

return {
  title    = "Padding with constant sizes",
  question = "How much faster is the kernel when all sizes are compile-time constants?",
  source   = "HIP performance optimization on Vega64, section 2.13.2",
  kernel   = { file = "padding.hip", entry = function(p) return "pad_constant_" .. p.channels_per_thread end,
               defines = function(p) return define("SIDE", p.side, 7) .. define("PAD", p.pad, 3) .. define("CHANNELS", p.c, 1024) end },
  params   = {
    { "channels_per_thread", unit = "channels", min = 1, max = 16, step = "x2", default = 16, sweep = true,
      help = "channels that each thread holds in registers; published: 16" },
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
