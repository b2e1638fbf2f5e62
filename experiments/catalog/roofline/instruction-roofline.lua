-- Points of other experiments: the experiment and its parameters.
local points = {
  ["fma"]              = { "fma-blocks", { blocks = 64 } },
  ["integer-multiply"] = { "recompute-or-transfer", { ops_per_element = 256 } },
  ["bank-conflicts"]   = { "shared-bank-stride", { stride = 32, waves = 16 } },
  ["dram-chase"]       = { "mem-latency-dram", {} },
  ["stream-copy"]      = { "stream-bandwidth", { loop = "copy" } },
  ["stream-triad"]     = { "stream-bandwidth", { loop = "triad" } },
  ["stream-dot"]       = { "stream-bandwidth", { loop = "dot" } },
  ["stride-16"]        = { "stride-copy", { stride = 16 } },
  ["transpose-naive"]  = { "transpose", { form = "naive" } },
  ["transpose-padded"] = { "transpose", { form = "padded" } },
}

local function printed(p) return p.formulas == "printed" end

-- Formula 1. The counters count wave instructions; the source multiplies the vector ones by four.
local function instructions(m, p) return p.valu_factor * m.counters.SQ_INSTS_VALU + m.counters.SQ_INSTS_SALU end
local function bytes(m) return (m.counters.FETCH_SIZE + m.counters.WRITE_SIZE) * 1024 end
-- Units of the points and the flat roof. As printed, the points are divided by the lanes of a wave and the roof is
-- multiplied by them.
local function per_point(p) return printed(p) and p.wave or 1 end
local function per_roof(p) return printed(p) and p.wave or 1 end

local function achieved(m, p) return instructions(m, p) / per_point(p) / m.seconds / 1e9 end
local function peak(m, p) return p.cus * p.ipc * (p.clock > 0 and p.clock or m.sclk) * per_roof(p) / 1e9 end
-- Formula 2 also divides by the time, which turns the intensity into a rate: the same kernel running twice as long gets
-- another value.
local function intensity(m, p)
  local b = bytes(m) * (printed(p) and m.seconds or 1)
  return b > 0 and instructions(m, p) / per_point(p) / b or nil
end
local function slope(m, p)
  local x = intensity(m, p)
  return x and p.bandwidth * x or nil
end

return {
  title    = "Instruction roofline",
  question = "Is a kernel limited by instruction issue or by memory?",
  source   = "Instruction roofline for AMD GPUs (arXiv 2110.08221)",
  params   = {
    { "kernel", choices = { "fma", "integer-multiply", "bank-conflicts", "dram-chase", "stream-copy", "stream-triad", "stream-dot", "stride-16",
                            "transpose-naive", "transpose-padded" },
      default = "stream-copy",
      sweep = { "fma", "integer-multiply", "bank-conflicts", "dram-chase", "stream-copy", "stream-triad", "stream-dot", "stride-16", "transpose-naive",
                "transpose-padded" },
      help = "points of other experiments, with their default parameters" },
    { "formulas", choices = { "corrected", "printed" }, default = "corrected",
      help = "corrected: consistent units; printed: as published (flat roof 64 * 64 too high, intensity divided by time)" },
    { "valu_factor", unit = "", min = 1, max = 4, step = "x4", default = 1,
      help = "factor on vector instructions; published formula 1 uses 4, but the counter needs none" },
    { "bandwidth", unit = "GB/s", min = 1, max = 10000, step = 1, default = 484, on = { gfx11 = 960 }, device = "bandwidth",
      help = "slope of the memory roof: the peak of the device's DRAM; an Infinity Cache gives more" },
    { "cus", unit = "CUs", min = 1, max = 1024, step = 1, default = 64, on = { gfx11 = 48 }, device = "units",
      help = "CUs of the device, WGPs of RDNA" },
    { "ipc", unit = "inst", min = 1, max = 8, step = 1, default = 1, on = { gfx11 = 4 },
      help = "wave instructions that a CU issues per cycle; a WGP has four SIMDs that issue every cycle" },
    { "clock", unit = "Hz", min = 0, max = 4e9, step = 1e6, default = 0,
      help = "clock for the flat roof; 0: the clock measured at the point" },
    { "wave", unit = "lanes", min = 32, max = 64, step = "x2", default = 64, on = { gfx11 = 32 },
      help = "lanes in a wave, for the printed formulas" },
  },
  presets  = {
    { "small", "kernel=bank-conflicts,stride-16,transpose-naive", help = "three kernels" },
    { "printed", "formulas=printed", "valu_factor=4", help = "the published formulas, and the published rule for reading the plot" },
  },
  measures = function(p) return points[p.kernel][1], points[p.kernel][2] end,
  counters = { "SQ_INSTS_VALU", "SQ_INSTS_SALU", "FETCH_SIZE", "WRITE_SIZE" },
  metrics  = {
    { "intensity", unit = "inst/B", axis = "x", log = true,
      help = "wave instructions per byte read from or written to memory", intensity },
    { "achieved", unit = "GIPS", axis = "left", log = true,
      help = "vector and scalar ALU instructions of all waves, 10^9 per second", achieved },
    { "peak", unit = "GIPS", axis = "left", line = true,
      help = "flat roof: CUs times instructions per cycle times clock", peak },
    { "memory_roof", unit = "GIPS", axis = "left", line = true,
      help = "sloped roof at this intensity: bandwidth times intensity", slope },
    { "of_roof", unit = "%", axis = "none", help = "share of the lower roof that the kernel reaches",
      function(m, p) return 100 * achieved(m, p) / math.min(peak(m, p), slope(m, p) or math.huge) end },
  },
  verdict  = function(m, p)
    local s = slope(m, p) or math.huge
    local flat, part = peak(m, p) < s, achieved(m, p) / math.min(peak(m, p), s)
    if printed(p) then
      return flat and "memory-bound by the published rule: under the flat roof" or "compute-bound by the published rule: under the slope"
    end
    local where = flat and "under the flat roof" or "under the slope"
    if part < 0.5 then return string.format("limited by neither: %s, at %.3g %% of it; check latency and slower units", where, 100 * part) end
    return string.format("%s: %s, at %.3g %% of it", flat and "instruction-bound" or "memory-bound", where, 100 * part)
  end,
  lesson   = "roofline.md",
}
