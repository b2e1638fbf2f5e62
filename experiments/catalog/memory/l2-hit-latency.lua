local hit = shared("hit-latency")

return {
  title    = "L2 latency",
  question = "What is the latency of a dependent read that misses the L1 and hits the L2?",
  source   = hit.source,
  lesson   = "caches.md",
  kernel   = hit.kernel,
  variants = hit.variants,
  params   = { hit.rangesize("128 KiB", { "32 KiB", "4 MiB" }, { sm = "1 MiB" }), hit.reads, hit.stride },
  presets  = { { "small", "rangesize=32 KiB,128 KiB", "reads=2048", help = "two ranges, one lap each" } },
  buffers  = hit.buffers,
  args     = hit.args,
  values   = hit.values,
  launch   = hit.launch,
  metrics  = hit.metrics,
  contract = hit.contract,
  reference = hit.reference,
}
