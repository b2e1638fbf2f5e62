local entries = { on = "", waves = "_waves", faulty = "_faulty" }

-- A block is a power of the radix.
local function block(p) return p.radix == 8 and 512 or 256 end

return {
  title    = "LDS tree reduction, by radix",
  question = "Is a radix-4 tree reduction faster than a radix-2 one?",
  source   = "HIP performance optimization on Vega64, section 2.12",
  -- The source has a barrier in every step of radix 2 and none in radix 4, and its buffer of zeros would hide a wrong
  -- sum. Here every radix has its barriers, and the sums of an index are checked.
  kernel   = { file = "reduction.hip", entry = function(p) return "reduce_" .. p.radix .. entries[p.barriers] end,
               defines = function(p) return p.items_per_thread > 1 and "-DITEMS=" .. p.items_per_thread or "" end },
  params   = {
    { "radix", unit = "values", min = 2, max = 16, step = "x2", default = 2, sweep = true,
      help = "values added per step; 8 uses blocks of 512 threads, the others 256" },
    { "barriers", choices = { "on", "waves", "faulty" }, default = "on",
      help = "on: every step; waves: after steps of several waves; faulty: none, as published for radix 4, correct only for wave64" },
    { "items_per_thread", unit = "items", min = 1, max = 32, step = "x2", default = 1,
      help = "items added by each thread before the tree; with 1, wave creation is the limit" },
    { "elements", unit = "elements", min = 1 << 14, max = 1 << 30, step = "x2", default = 1 << 28, soft = 1 << 22,
      help = "4-byte elements; 2^28 is the published 2^20 blocks of 256. Fewer reach nearly that rate while they exceed the L2" },
    { "store", choices = { "every", "guarded" }, default = "every",
      help = "every: store each block's sum; guarded, as published: only sums above 9999, and the input is zeros, so none" },
  },
  buffers  = { buf = { type = "int", count = function(p, v) return v.elements end, fill = function(p) return p.store == "every" and "index" or 0 end },
               out = { type = "int", count = function(p, v) return v.blocks end } },
  args     = { "const int *buf", "unsigned elements", "int least", "int *out" },
  values   = function(p)
    local blocks = math.max(1, p.elements // (block(p) * p.items_per_thread))
    return { blocks = blocks, elements = blocks * block(p) * p.items_per_thread, least = p.store == "every" and -2147483648 or 10000 }
  end,
  launch   = { grid = function(p, v) return v.blocks end, block = block },
  metrics  = {
    { "time", unit = "ms", axis = "left", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    { "bandwidth", unit = "GB/s", axis = "right", help = "elements read; 1 GB is 10^9 bytes",
      function(m, p, v) return 4 * v.elements / m.seconds / 1e9 end },
    { "cycles_per_block", unit = "cycles", axis = "none",
      help = "chip cycles per block; creating a block takes a cycle per wave",
      function(m, p, v) return m.seconds * m.sclk / v.blocks end },
  },
  contract  = function(p)
    local steps = { [2] = 8, [4] = 4, [8] = 3, [16] = 2 }
    return { kernel = { { "s_barrier", count = p.barriers == "on" and 1 + steps[p.radix] or nil }, { "ds_write_b32" } } }
  end,
  reference = "reduce",
  presets  = { { "small", "elements=65536" } },
  lesson   = "reduction.md",
}
