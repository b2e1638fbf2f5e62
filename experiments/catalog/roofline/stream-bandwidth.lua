local arrays = { copy = 2, mul = 2, add = 3, triad = 3, dot = 2, read = 1 } -- arrays that are read or written
local bytes = { f32 = 4, f64 = 8, f32x2 = 8, f32x4 = 16 }
local sum_bytes = { f32 = 4, f64 = 8, f32x2 = 4, f32x4 = 4 }

-- A dot product with a grid-stride loop: the blocks are given, and each thread has as many elements as there are for it.
local function given_blocks(p) return p.loop == "dot" and p.stride == "grid" end
local function items(p) return given_blocks(p) and math.max(1, p.n // (p.block * p.blocks)) or p.items_per_thread end

-- Whole blocks, at least one.
local function blocks(p) return given_blocks(p) and p.blocks or math.max(1, p.n // (p.block * p.items_per_thread)) end
local function elements(p) return blocks(p) * p.block * items(p) end
local function words(p) return elements(p) * bytes[p.type] // 4 end
local function other_words(p) return p.loop == "read" and 1 or words(p) end -- of the arrays that reads have no use for

return {
  title    = "Attained bandwidth",
  question = "How much bandwidth does memory deliver in practice (the slope of a roofline)?",
  source   = "Instruction roofline for AMD GPUs, preparation (BabelStream); clpeak, global memory bandwidth",
  kernel   = { file = "stream.hip", entry = function(p)
    local loop = p.loop .. (p.stride == "grid" and "_grid" or "")
    return given_blocks(p) and string.format("stream_%s_%s", loop, p.type) or string.format("stream_%s_%s_%d", loop, p.type, p.items_per_thread)
  end },
  params   = {
    { "n", unit = "elements", min = 1 << 10, max = 1 << 29, step = "x2", default = 1 << 25, soft = 1 << 21, sweep = { 1 << 10, 1 << 22 },
      help = "elements in each array" },
    { "loop", choices = { "copy", "mul", "add", "triad", "dot", "read" }, default = "copy",
      help = "copy: c = a; mul: b = s c; add: c = a + b; triad: a = b + s c; dot: sum of a b; read: each thread's sum of a" },
    { "type", choices = { "f64", "f32", "f32x2", "f32x4" }, default = "f64",
      help = "type of an element; f32x2 and f32x4, vectors of floats, are for loop=read" },
    { "items_per_thread", unit = "items", min = 1, max = 16, step = "x2", default = 1,
      help = "elements per thread; with 1, wave creation may limit (256 B per cycle for f32)" },
    { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 1024, help = "threads in a block" },
    { "stride", choices = { "block", "grid" }, default = "block",
      help = "distance of a thread's elements; grid, the threads of the whole grid, is for loop=read and dot" },
    { "blocks", unit = "blocks", min = 1, max = 1 << 16, step = "x2", default = 256, on = { gfx906 = 240, gfx908 = 480 },
      help = "blocks of loop=dot stride=grid, each thread with as many elements as it takes; BabelStream has four for each CU" },
  },
  presets  = { { "small", "n=2^15", "loop=copy,mul,add,triad,dot", "type=f64,f32",
    help = "all loops on small arrays" },
    { "reads", "n=2^15", "loop=read", "type=f32,f32x2,f32x4", "items_per_thread=16", "block=256", "stride=block,grid",
      help = "reads of small arrays, by type and stride" },
    { "dots", "n=2^17", "loop=dot", "type=f64,f32", "block=256", "stride=block,grid", help = "dot products of small arrays" } },
  -- An f64 element is a pair of these words, which gives doubles from 2^-150 to 2.
  buffers  = { a = { type = "float", count = words, fill = "random" },
               b = { type = "float", count = other_words, fill = "random" },
               c = { type = "float", count = other_words, fill = "random" },
               sums = { type = "float", count = function(p)
                 return blocks(p) * (p.loop == "read" and p.block or 1) * sum_bytes[p.type] // 4
               end } },
  args     = { "void *a", "void *b", "void *c", "void *sums", "float s", "unsigned items" },
  values   = function(p)
    if p.loop ~= "read" and (p.type == "f32x2" or p.type == "f32x4") then error("type=" .. p.type .. " is for loop=read") end
    if p.loop ~= "read" and p.loop ~= "dot" and p.stride == "grid" then error("stride=grid is for loop=read and loop=dot") end
    return { s = 0.4, items = items(p), bytes = arrays[p.loop] * bytes[p.type] * elements(p) }
  end,
  launch   = { grid = blocks, block = function(p) return p.block end },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "arrays read plus written, each once; 1 GB is 10^9 bytes",
      function(m, p, v) return v.bytes / m.seconds / 1e9 end },
    { "time", unit = "us", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e6 end },
  },
  contract  = function(p)
    local wide = ({ f32 = "dword", f64 = "dwordx2", f32x2 = "dwordx2", f32x4 = "dwordx4" })[p.type]
    local loads = (p.loop == "copy" or p.loop == "mul" or p.loop == "read") and 1 or 2
    local stores = (p.loop == "dot" or p.loop == "read") and 1 or p.items_per_thread
    local stored = sum_bytes[p.type] == 8 and "dwordx2" or "dword"
    local wanted = { { "global_store_" .. stored, count = stores } }
    if not given_blocks(p) then wanted[2] = { "global_load_" .. wide, count = loads * p.items_per_thread } end
    return { kernel = wanted }
  end,
  reference = function(p) return "stream_" .. p.loop .. (p.stride == "grid" and "_grid_" or "_") .. p.type end,
  lesson    = "roofline.md",
}
