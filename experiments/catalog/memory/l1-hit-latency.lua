local hit = shared("hit-latency")

return {
  title    = "L1 latency",
  question = "What is the latency of a dependent read that hits the L1?",
  source   = hit.source,
  lesson   = "caches.md",
  kernel   = hit.kernel,
  variants = hit.variants,
  params   = { hit.rangesize("4 KiB", { "1 KiB", "16 KiB" }), hit.reads, hit.stride },
  presets  = { { "small", "rangesize=1 KiB,4 KiB", "reads=1024", help = "two ranges, one lap each" } },
  buffers  = hit.buffers,
  args     = hit.args,
  values   = hit.values,
  launch   = hit.launch,
  metrics  = hit.metrics,
  contract = hit.contract,
  reference = hit.reference,
}
