local function per_chunk(p) return (p.elements + p.chunks - 1) // p.chunks end

return {
  title    = "Copy and compute overlap",
  question = "How much of the transfer time can be hidden behind computation?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), asynchronous transfers",
  kernel   = { file = "chunks.hip", entry = "chunk_work" },
  params   = {
    { "chunks", unit = "chunks", min = 1, max = 64, step = "x2", default = 1, sweep = true,
      help = "parts into which the array is split; each is copied in, processed and copied out" },
    { "streams", unit = "streams", min = 1, max = 4, step = 1, default = 2,
      help = "streams used in turn for the chunks; with one stream nothing overlaps" },
    { "parts", choices = { "all", "copies", "launches" }, default = "all",
      help = "all steps, or only the copies or the launches, to see what could be hidden" },
    { "work", unit = "FMA", min = 1, max = 10000, step = "x2", default = 100, soft = 64,
      help = "dependent multiply-adds per element" },
    { "elements", unit = "elements", min = 1 << 10, max = 1 << 26, step = "x2", default = 1 << 24, soft = 1 << 19,
      help = "4-byte elements" },
    { "memory", choices = { "pinned", "pageable" }, default = "pinned",
      help = "host memory; copies of pageable memory wait for each other" },
  },
  presets  = {
    { "small", "chunks=1,3,4", "parts=all,copies,launches", "elements=10000", "work=10",
      help = "small array, all parts" },
    { "parts", "chunks=1..64", "parts=all,copies,launches", help = "the whole sequence and its two parts" },
  },
  buffers  = { input = { type = "float", count = function(p) return p.elements end, fill = "random" },
               out = { type = "float", count = function(p) return p.elements end } },
  args     = { "const float *input", "float *out", "unsigned first", "unsigned count", "unsigned work" },
  values   = function(p) return { first = 0, count = p.elements } end,
  launch   = { grid = function(p) return (per_chunk(p) + 255) // 256 end, block = 256 },
  host     = function(p) return p.memory end,
  steps    = function(p)
    local list, each = {}, per_chunk(p)
    for k = 0, p.chunks - 1 do
      local first = k * each
      local count = math.min(each, p.elements - first)
      if count <= 0 then break end
      local s = k % p.streams
      local function step(of, t) if p.parts == "all" or p.parts == of then list[#list + 1] = t end end
      step("copies", { copy = "to_device", buffer = "input", offset = 4 * first, bytes = 4 * count, stream = s })
      step("launches", { launch = true, stream = s, values = { first = first, count = count } })
      step("copies", { copy = "to_host", buffer = "out", offset = 4 * first, bytes = 4 * count, stream = s })
    end
    return list
  end,
  metrics  = {
    { "time", unit = "us", axis = "left", help = "from before the first step to after the last",
      function(m, p, v) return m.seconds * 1e6 end },
    { "bandwidth", unit = "GB/s", axis = "right", help = "array copied in and out; 1 GB is 10^9 bytes",
      function(m, p, v) return p.parts ~= "launches" and m.seconds > 0 and 8 * p.elements / m.seconds / 1e9 or nil end },
  },
  contract  = { hot_loop = { { "v_fma_f32", count = 1 } } },
  reference = function(p) return p.parts ~= "copies" and "chunk_work" or nil end,
  lesson    = "transfers.md",
}
