local bytes = { ["4xf32"] = 16, f64 = 8, f32 = 4 } -- of an element
local block = 256

-- Elements that each thread reads in a pass.
local function per(p)
  local line = block * bytes[p.type]
  if p.set % line ~= 0 then
    error(string.format("set=%d is not a multiple of %d, the bytes that a block reads at once", p.set, line))
  end
  return p.set // line
end

-- In whole trips of the kernel's loop, which have up to 32 reads.
local function passes(p)
  local trip = math.max(32 // per(p), 1)
  return (math.max(p.read // p.set, 1) + trip - 1) // trip * trip
end

return {
  title    = "Cache bandwidth, by data set",
  question = "How much bandwidth does each cache deliver to a kernel that reads the same data again and again?",
  source   = "gpu-benches, gpu-cache",
  kernel   = { file = "cache_bandwidth.hip", entry = function(p) return "reuse_" .. p.type end,
               defines = function(p) return string.format("-DPER=%d", per(p)) end },
  params   = {
    { "set", unit = "B", means = "footprint", min = "1 KiB", max = "16 MiB", step = "x2", default = "16 KiB", sweep = { "4 KiB", "512 KiB" },
      help = "bytes that every block reads, the same for all" },
    { "type", choices = { "4xf32", "f64", "f32" }, default = "4xf32", help = "type of an element: 16, 8 or 4 bytes" },
    { "cus", unit = "CUs", min = 1, max = 256, step = 1, default = 64, on = { gfx908 = 120, gfx90a = 104, gfx11 = 96 },
      device = "cus", help = "blocks of 256 threads: one on each CU" },
    { "read", unit = "B", min = "4 KiB", max = "1 GiB", step = "x2", default = "256 MiB", soft = "1 MiB",
      help = "bytes that each block reads; at least one pass over the data" },
  },
  presets  = { { "small", "set=4KiB,64KiB", "type=4xf32,f64,f32", "read=64KiB", help = "data in L1 and in L2" } },
  buffers  = { from = { type = "float", count = function(p) return p.set // 4 end, fill = "random" },
               to = { type = "float", count = function(p) return block * bytes[p.type] // 4 end } },
  args     = { "const void *from", "void *to", "float keep", "float never", "unsigned shift", "unsigned passes", "unsigned per" },
  values   = function(p)
    return { keep = 0.5, never = -1, shift = 0, passes = passes(p), per = per(p), bytes = p.set * passes(p) * p.cus }
  end,
  launch   = { grid = function(p) return p.cus end, block = block },
  work     = function(p, v) return v.bytes end,
  counters = { "TCP_HIT_sum", "TCP_MISS_sum" },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "bytes that all blocks read; 1 GB is 10^9 bytes",
      function(m, p, v) return v.bytes / m.seconds / 1e9 end },
    { "per_cycle", unit = "B/cycle", axis = "right", help = "the same for one CU and cycle",
      function(m, p, v) return v.bytes / p.cus / (m.seconds * m.sclk) end },
    { "hits", unit = "%", axis = "none", help = "lines that the L1 caches had",
      function(m, p, v) return 100 * m.counters.TCP_HIT_sum / (m.counters.TCP_HIT_sum + m.counters.TCP_MISS_sum) end },
    { "requested", unit = "MB", axis = "none", help = "bytes that all blocks read, in whole passes; 1 MB is 10^6 bytes",
      function(m, p, v) return v.bytes / 1e6 end },
    { "time", unit = "us", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e6 end },
  },
  contract  = function(p)
    local load = { ["4xf32"] = "global_load_dwordx4", f64 = "global_load_dwordx2", f32 = "global_load_dword" }
    return { hot_loop = { { load[p.type] } } }
  end,
  reference = function(p) return "reuse_" .. p.type end,
  lesson    = "caches.md",
}
