return {
  title    = "Transfers, by size",
  question = "From what size on is a copy between host and device limited by bandwidth, not by its start?",
  source   = "CUDA program optimization (Zhou Bin), transfers between host and device",
  params   = {
    { "bytes", unit = "B", min = 1, max = "256 MiB", step = "x2", default = "64 KiB", sweep = { 1, "16 MiB" }, help = "in all" },
    { "direction", choices = { "to_device", "to_host" }, default = "to_device", help = "of the copies" },
    { "memory", choices = { "pinned", "pageable" }, default = "pinned",
      help = "of the host; what is pageable goes through a staging buffer" },
    { "batches", unit = "copies", min = 1, max = 64, step = "x2", default = 1,
      help = "that the bytes are sent in, one after the other; at most one a byte" },
    { "latency", unit = "us", min = 0, max = 1000, step = 1, default = 10,
      help = "of a copy's start, for the expected time; the source has 10" },
    { "link", unit = "GB/s", min = 0.1, max = 1000, step = 0.1, default = 8,
      help = "of the link, for the expected time; the source has 8, PCIe x16 of generation 2" },
  },
  presets  = { { "small", "bytes=1 B..64 KiB:x16", "memory=pinned,pageable", "direction=to_device,to_host",
                 help = "both ways, from both kinds of memory" } },
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
    { "time", unit = "us", axis = "left", help = "of all copies",
      function(m, p, v) return m.seconds * 1e6 end },
    { "bandwidth", unit = "GB/s", axis = "right", help = "1 GB is 10^9 bytes",
      function(m, p, v) return m.seconds > 0 and p.bytes / m.seconds / 1e9 or nil end },
    { "expected", unit = "us", axis = "left", help = "latency for each copy, and the bytes over the link",
      function(m, p, v) return v.batches * p.latency + p.bytes / p.link / 1e3 end },
    { "half_size", unit = "B", axis = "none", help = "expected: latency times link, the size of a copy that gets half the bandwidth",
      function(m, p, v) return p.latency * p.link * 1e3 end },
  },
  lesson   = "transfers.md",
}
