return {
  title    = "Recompute or transfer",
  question = "Up to how many operations per element is computing a table on the device faster than copying it there?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), transfers between host and device",
  kernel   = { file = "chunks.hip", entry = "table_compute" },
  params   = {
    { "ops_per_element", unit = "steps", min = 1, max = 4096, step = "x2", default = 1, sweep = { 1, 1024 },
      help = "steps per element of a linear congruential generator: a 32-bit product and a sum" },
    { "form", choices = { "recompute", "transfer" }, default = "recompute",
      help = "compute the table on the device, or copy it there from pinned memory" },
    { "elements", unit = "elements", min = 1 << 10, max = 1 << 26, step = "x2", default = 1 << 22, soft = 1 << 18,
      help = "4-byte elements" },
  },
  presets  = {
    { "small", "ops_per_element=1,16", "form=recompute,transfer", "elements=2^13", help = "both forms, small table" },
    { "crossover", "form=recompute,transfer", "ops_per_element=1..4096",
      help = "both curves; they cross where the better choice changes" },
  },
  buffers  = { out = { type = "unsigned", count = function(p) return p.elements // 256 * 256 end, fill = "index" } },
  args     = { "unsigned *out", "unsigned ops" },
  values   = function(p) return { ops = p.ops_per_element } end,
  launch   = { grid = function(p) return p.elements // 256 end, block = 256 },
  steps    = function(p)
    if p.form == "transfer" then return { { copy = "to_device", buffer = "out" } } end
    return { { launch = true } }
  end,
  metrics  = {
    { "time", unit = "us", axis = "left", help = "time until the table is on the device",
      function(m, p, v) return m.seconds * 1e6 end },
    { "rate", unit = "GB/s", axis = "right",
      help = "rate at which the table is produced; the curves cross at the link's rate; 1 GB is 10^9 bytes",
      function(m, p, v) return 4 * (p.elements // 256 * 256) / m.seconds / 1e9 end },
  },
  contract  = function(p) return p.form == "recompute" and { hot_loop = { { "v_mul_lo_u32", count = 1 } } } or nil end,
  reference = function(p) return p.form == "recompute" and "table_compute" or nil end,
  lesson    = "transfers.md",
}
