local patterns = { shift = 0, random = 1, tile = 2 } -- as the C reference counts them

return {
  title    = "Reads off the line, by path",
  question = "Does the path for read-only data soften reads that are not aligned?",
  source   = "CUDA program optimization (Zhou Bin), texture memory",
  kernel   = { file = "copy.hip", entry = function(p) return p.pattern .. "_" .. p.path end },
  params   = {
    { "shift", unit = "elements", min = 0, max = 32, step = 1, default = 0, sweep = true, help = "of 4 bytes, by which the reads are moved; the writes are not" },
    { "path", choices = { "plain", "readonly" }, default = "plain",
      help = "__ldg of a __restrict pointer is what HIP has on CDNA too; softgpu has no image instructions, so no textures" },
    { "pattern", choices = { "shift", "random", "tile" }, default = "shift", help = "in order; anywhere in the 1 KiB of 256 threads; 8 x 8 elements of an image a wave" },
    { "total_threads", unit = "threads", min = 8192, max = 1 << 24, step = "x2", default = 1 << 24, soft = 1 << 19, help = "each copies one element; up to 2^19 of them both arrays stay in an L2 of 4 MiB" },
  },
  presets  = { { "small", "shift=0,1", "path=plain,readonly", "pattern=shift,random,tile", "total_threads=8192", help = "all paths and patterns in a moment" } },
  buffers  = { input = { type = "float", count = function(p) return (p.total_threads + 8191) // 8192 * 8192 + 32 end, fill = "random" },
               out = { type = "float", count = function(p) return p.total_threads end } },
  args     = { "const float *input", "float *out", "unsigned shift", "unsigned which" },
  values   = function(p) return { which = patterns[p.pattern], threads = p.total_threads // 256 * 256 } end,
  launch   = { grid = function(p) return p.total_threads // 256 end, block = 256 },
  counters = { "SQ_WAVES", "TCP_HIT_sum", "TCP_MISS_sum" },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "read and written; 1 GB is 10^9 bytes",
      function(m, p, v) return 8 * v.threads / m.seconds / 1e9 end },
    { "lines_read", unit = "lines", axis = "right", help = "of 64 bytes that one wave's load touches",
      function(m, p, v) return (m.counters.TCP_HIT_sum + m.counters.TCP_MISS_sum) / m.counters.SQ_WAVES end },
  },
  contract  = { kernel = { { "global_load_dword", count = 1 }, { "global_store_dword", count = 1 } } },
  reference = "read_path",
  lesson    = "coalescing.md",
}
