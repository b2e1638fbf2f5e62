return {
  title    = "Transfers, by size",
  question = "At what size does a copy between host and device become limited by bandwidth instead of startup time?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), transfers between host and device",
  params   = {
    { "bytes", unit = "B", min = 1, max = "256 MiB", step = "x2", default = "64 KiB", sweep = { 1, "16 MiB" },
      help = "total bytes" },
    { "direction", choices = { "to_device", "to_host" }, default = "to_device", help = "direction of the copies" },
    { "memory", choices = { "pinned", "pageable" }, default = "pinned",
      help = "host memory; pageable memory goes through a staging buffer" },
    { "batches", unit = "copies", min = 1, max = 64, step = "x2", default = 1,
      help = "copies that the bytes are divided into, one after another; at most one per byte" },
    { "latency", unit = "us", min = 0, max = 1000, step = 1, default = 10,
      help = "startup time of a copy, for the expected time; the lecture notes use 10" },
    { "link", unit = "GB/s", min = 0.1, max = 1000, step = 0.1, default = 8,
      help = "bandwidth of the link, for the expected time; the lecture notes use 8 (PCIe 2.0 x16)" },
  },
  presets  = { { "small", "bytes=1 B..64 KiB:x16", "memory=pinned,pageable", "direction=to_device,to_host",
                 help = "both directions, both kinds of host memory" } },
  buffers  = { data = { type = "unsigned char", count = function(p) return p.bytes end, fill = "random" } },
  values   = function(p) return { batches = math.min(p.batches, p.bytes) } end,
  host     = function(p) return p.memory end,
  samples  = { min = 20, max = 50 },
  steps    = function(p, v)
    local list, from = {}, 0
    for i = 1, v.batches do
      local to = p.bytes * i // v.batches
      list[i] = { copy = p.direction, buffer = "data", offset = from, bytes = to - from }
      from = to
    end
    return list
  end,
  metrics  = {
    { "time", unit = "us", axis = "left", help = "time of all copies",
      function(m, p, v) return m.seconds * 1e6 end },
    { "bandwidth", unit = "GB/s", axis = "right", help = "1 GB is 10^9 bytes",
      function(m, p, v) return m.seconds > 0 and p.bytes / m.seconds / 1e9 or nil end },
    { "expected", unit = "us", axis = "left", help = "expected time: latency per copy, plus the bytes over the link",
      function(m, p, v) return v.batches * p.latency + p.bytes / p.link / 1e3 end },
    { "half_size", unit = "B", axis = "none",
      help = "expected size at which a copy reaches half the bandwidth: latency times link",
      function(m, p, v) return p.latency * p.link * 1e3 end },
  },
  lesson   = "transfers.md",
}
