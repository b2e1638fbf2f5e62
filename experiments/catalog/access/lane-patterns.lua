local patterns = { linear = 0, random = 1, uniform = 2, stride = 3, reread = 4 } -- numbered as in the C reference

local function block(p) return p.pattern == "reread" and 1024 or 256 end
local function loads(p) return p.pattern == "reread" and p.loads or 256 end

-- Instructions of all waves, whatever their size.
local function wave_loads(p, lanes) return p.blocks * (block(p) // lanes) * loads(p) end
local function bytes(p) return p.blocks * block(p) * loads(p) * 4 * tonumber(p.width) end

return {
  title    = "Loads from L1, by lane pattern",
  question = "How many cycles does L1 take for a load of a wave, by its width and by what its lanes read?",
  source   = "perftest, ByteAddressBuffer; gpu-benches, gpu-strides",
  kernel   = { file = "lane_loads.hip", entry = function(p) return "lanes_" .. p.pattern .. "_" .. p.width end },
  params   = {
    { "pattern", choices = { "linear", "random", "uniform", "stride", "reread" }, default = "linear", sweep = { "linear", "random", "uniform", "stride" },
      help = "neighbors; one of 16 elements; one, through the scalar cache; `stride` apart; so, eight again and again" },
    { "width", choices = { "1", "2", "3", "4" }, default = "1", help = "words of 4 bytes that each lane loads at once" },
    { "start", unit = "B", min = 0, max = 60, step = 4, default = 0,
      help = "address of the first element; wide loads are misaligned unless it is a multiple of their width" },
    { "stride", unit = "B", min = 0, max = 512, step = 4, default = 64,
      help = "distance of the lanes' elements, with pattern=stride and reread" },
    { "loads", unit = "loads", min = 8, max = 1 << 20, step = "x2", default = 4096, help = "of each thread, with pattern=reread" },
    { "blocks", unit = "blocks", min = 1, max = 1 << 16, step = "x2", default = 4096, soft = 512,
      help = "blocks of 256 threads; each thread loads 256 elements. With pattern=reread blocks of 1024" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 64, on = { gfx908 = 120, gfx90a = 104, gfx11 = 96 }, device = "cus",
      help = "CUs of the device, over which the blocks spread" },
  },
  presets  = {
    { "small", "pattern=linear,random,uniform,stride,reread", "width=1,3,4", "blocks=4", "loads=64", help = "all patterns, few blocks" },
    { "widths", "pattern=linear,random,uniform", "width=1,2,3,4", help = "all widths" },
    { "strides", "pattern=stride", "stride=0..128", "blocks=128", help = "strides of up to two lines" },
  },
  buffers  = { from = { type = "float", count = 9216, fill = "random" }, out = { type = "float", count = block } },
  args     = { "const float *from", "float *out", "float never", "unsigned mask", "unsigned start", "unsigned stride", "unsigned loads", "unsigned width", "unsigned pattern" },
  values   = function(p)
    for _, name in ipairs({ "start", "stride" }) do
      if p[name] % 4 ~= 0 then error(string.format("%s=%d is not a multiple of 4; lanes read whole words", name, p[name])) end
    end
    if (p.loads % 8 ~= 0) then error(string.format("loads=%d is not a multiple of 8, the elements", p.loads)) end
    return { never = -1, mask = 0, width = tonumber(p.width), pattern = patterns[p.pattern] }
  end,
  launch   = { grid = function(p) return p.blocks end, block = block },
  work     = function(p) return p.blocks end,
  metrics  = {
    { "cycles", unit = "cycles", axis = "left",
      help = "cycles of a CU for a load of a wave, over all blocks; with few blocks, starting them counts, too",
      function(m, p, v) return m.seconds * m.sclk * p.cus / wave_loads(p, m.code.wave_size) end },
    { "per_cycle", unit = "B/cycle", axis = "right", help = "bytes that the lanes of a CU get in a cycle",
      function(m, p, v) return bytes(p) / p.cus / (m.seconds * m.sclk) end },
    { "time", unit = "ms", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e3 end },
  },
  contract  = function(p)
    local vector = { ["1"] = "global_load_dword", ["2"] = "global_load_dwordx2", ["3"] = "global_load_dwordx3", ["4"] = "global_load_dwordx4" }
    if p.pattern == "uniform" then return { hot_loop = { { vector[p.width], count = 0 } } } end
    return { hot_loop = { { vector[p.width], count = 8 } } }
  end,
  reference = "lane_loads",
  lesson    = "coalescing.md",
}
