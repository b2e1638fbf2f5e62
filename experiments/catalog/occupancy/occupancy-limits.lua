local function up(x, granule) return (x + granule - 1) // granule * granule end

-- Registers are allocated per block for an even number of warps (by_block), per warp (by_warp), or per wave in each of
-- a CU's four SIMDs (by_simd).
local function by_block(d, each, warps) return d.registers // up(each * d.warp * up(warps, 2), d.granule) end
local function by_warp(d, each, warps) return d.registers // (up(each * d.warp, d.granule) * warps) end
local function by_simd(d, each, warps) return d.registers // 4 // (up(each, d.granule) * d.warp) * 4 // warps end

-- Resources of a multiprocessor or CU. G80: the source's limits; Tesla (compute capability 1.3) and Fermi (2.0): the
-- source's warps, and NVIDIA's CUDA programming guide; Vega: AMD's "Vega" ISA guide and LLVM's AMDGPU guide. A Vega CU
-- has 16 barriers; a block of one wave needs none.
local devices = {
  G80   = { warp = 32, warps = 24, blocks = 8, by_registers = by_block, registers = 8192, granule = 256, most = 124, shared = 16384, shared_granule = 512 },
  Tesla = { warp = 32, warps = 32, blocks = 8, by_registers = by_block, registers = 16384, granule = 512, most = 124, shared = 16384, shared_granule = 512 },
  Fermi = { warp = 32, warps = 48, blocks = 8, by_registers = by_warp, registers = 32768, granule = 64, most = 63, shared = 49152, shared_granule = 128 },
  Vega  = { warp = 64, warps = 40, blocks = 16, warps_alone = 40, by_registers = by_simd, registers = 65536, granule = 4, most = 256,
            shared = 65536, shared_granule = 512 },
}

-- Blocks that fit each resource.
local function limits(p)
  local d = devices[p.device]
  local warps = (p.block + d.warp - 1) // d.warp
  local slots = warps == 1 and d.warps_alone or d.blocks
  return { slots = slots, warps = d.warps // warps, registers = p.regs_per_thread > d.most and 0 or d.by_registers(d, p.regs_per_thread, warps),
           shared = p.shared == 0 and slots or d.shared // up(p.shared, d.shared_granule), of = d.warps, each = warps }
end

local function blocks(v) return math.min(v.slots, v.warps, v.registers, v.shared) end

return {
  title    = "Occupancy, by limiting resource",
  question = "Which resource limits the number of resident threads?",
  source   = "CUDA program optimization, lecture notes (Zhou Bin), SM resources and occupancy",
  formula  = true,
  params   = {
    { "regs_per_thread", unit = "registers", min = 1, max = 256, step = 1, default = 10, sweep = { 4, 64 },
      help = "registers per thread (vector registers per lane on Vega)" },
    { "block", unit = "threads", min = 1, max = 1024, step = 32, default = 256, help = "threads in a block" },
    { "shared", unit = "B", min = 0, max = 65536, step = 512, default = 0, help = "shared memory or LDS per block" },
    { "device", choices = { "G80", "Tesla", "Fermi", "Vega" }, default = "G80",
      help = "three NVIDIA devices, as in the lecture notes, and a Vega CU" },
  },
  presets  = { { "small", "regs_per_thread=8..12", "device=G80,Tesla,Fermi,Vega", help = "all devices" } },
  values   = limits,
  metrics  = {
    { "threads", unit = "threads", axis = "left", help = "resident threads on a multiprocessor or CU",
      function(m, p, v) return blocks(v) * p.block end },
    { "occupancy", unit = "%", axis = "right", help = "resident warps or waves, as a share of the maximum",
      function(m, p, v) return 100 * blocks(v) * v.each / v.of end },
    { "warps", unit = "warps", axis = "none", help = "resident warps; waves on Vega",
      function(m, p, v) return blocks(v) * v.each end },
    { "blocks", unit = "blocks", axis = "none", help = "resident blocks: the smallest of the limits below",
      function(m, p, v) return blocks(v) end },
    { "by_slots", unit = "blocks", axis = "none",
      help = "block limit from block slots", function(m, p, v) return v.slots end },
    { "by_warps", unit = "blocks", axis = "none",
      help = "block limit from warp slots", function(m, p, v) return v.warps end },
    { "by_registers", unit = "blocks", axis = "none",
      help = "block limit from registers", function(m, p, v) return v.registers end },
    { "by_shared", unit = "blocks", axis = "none",
      help = "block limit from shared memory", function(m, p, v) return v.shared end },
  },
  lesson   = "occupancy.md",
}
