local arrays = { copy = 2, mul = 2, add = 3, triad = 3, dot = 2 } -- arrays that are read or written
local bytes = { f32 = 4, f64 = 8 }

-- Whole blocks, at least one.
local function blocks(p) return math.max(1, p.n // (p.block * p.items_per_thread)) end
local function elements(p) return blocks(p) * p.block * p.items_per_thread end
local function words(p) return elements(p) * bytes[p.type] // 4 end

return {
  title    = "Attained bandwidth",
  question = "How much bandwidth does memory deliver in practice (the slope of a roofline)?",
  source   = "Instruction roofline for AMD GPUs, preparation (BabelStream)",
  kernel   = { file = "stream.hip", entry = function(p) return string.format("stream_%s_%s_%d", p.loop, p.type, p.items_per_thread) end },
  params   = {
    { "n", unit = "elements", min = 1 << 10, max = 1 << 28, step = "x2", default = 1 << 25, soft = 1 << 21, sweep = { 1 << 10, 1 << 22 },
      help = "elements in each array" },
    { "loop", choices = { "copy", "mul", "add", "triad", "dot" }, default = "copy",
      help = "copy: c = a; mul: b = s c; add: c = a + b; triad: a = b + s c; dot: sum of a b" },
    { "type", choices = { "f64", "f32" }, default = "f64", help = "type of an element" },
    { "items_per_thread", unit = "items", min = 1, max = 8, step = "x2", default = 1,
      help = "elements per thread; with 1, wave creation may limit (256 B per cycle for f32)" },
    { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 1024, help = "threads in a block" },
  },
  presets  = { { "small", "n=2^15", "loop=copy,mul,add,triad,dot", "type=f64,f32",
    help = "all loops on small arrays" } },
  -- An f64 element is a pair of these words, which gives doubles from 2^-150 to 2.
  buffers  = { a = { type = "float", count = words, fill = "random" },
               b = { type = "float", count = words, fill = "random" },
               c = { type = "float", count = words, fill = "random" },
               sums = { type = "float", count = function(p) return blocks(p) * bytes[p.type] // 4 end } },
  args     = { "void *a", "void *b", "void *c", "void *sums", "float s", "unsigned items" },
  values   = function(p) return { s = 0.4, items = p.items_per_thread, bytes = arrays[p.loop] * bytes[p.type] * elements(p) } end,
  launch   = { grid = blocks, block = function(p) return p.block end },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "arrays read plus written, each once; 1 GB is 10^9 bytes",
      function(m, p, v) return v.bytes / m.seconds / 1e9 end },
    { "time", unit = "us", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e6 end },
  },
  contract  = function(p)
    local wide = p.type == "f64" and "dwordx2" or "dword"
    local loads, stores = (p.loop == "copy" or p.loop == "mul") and 1 or 2, p.loop == "dot" and 1 or p.items_per_thread
    return { kernel = { { "global_load_" .. wide, count = loads * p.items_per_thread }, { "global_store_" .. wide, count = stores } } }
  end,
  reference = function(p) return "stream_" .. p.loop .. "_" .. p.type end,
  lesson    = "roofline.md",
}
