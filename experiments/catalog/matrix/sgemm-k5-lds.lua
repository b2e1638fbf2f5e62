local sgemm = shared("sgemm")
local across = { ["8x8"] = 2, ["16x8"] = 4 } -- 4 x 4 patches next to each other per lane, in two rows

local function threads(p) return 1024 // across[p.thread_tile] // 2 end

-- RDNA compiles it for CU mode, as the source; GCN has no other.
local cu_mode = { off = "", on = "-mcumode " }

local function published(p) return p.pad == 4 and p.thread_tile == "16x8" and p.unroll == 1 end

local function defines(p)
  if published(p) then return cu_mode[p.cu_mode] end
  return cu_mode[p.cu_mode] .. string.format("-DSHAPED -DACROSS_TIMES=%d -DPAD_WORDS=%d -DUNROLLED=%d", across[p.thread_tile], p.pad, p.unroll)
end

return {
  title    = "Matrix product, conflict-free LDS",
  question = "How much do padding the transposed LDS tile and computing 16 x 8 results per lane gain?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 5",
  lesson   = "sgemm.md",
  kernel   = { file = "sgemm_patch.hip", entry = function(p) return published(p) and "sgemm_k5" or "sgemm_patch" end, defines = defines },
  params   = {
    { "pad", unit = "words", min = 0, max = 8, step = 1, default = 4, sweep = { 0, 8 },
      help = "extra words after each row of A's tile; multiples of 4 allow reads of four words" },
    { "thread_tile", choices = { "8x8", "16x8" }, default = "16x8", help = "columns by rows of results per lane" },
    { "unroll", unit = "", min = 1, max = 8, step = "x2", default = 1,
      help = "steps of k per trip of the inner loop; 8 is full unrolling, as in kernel 7" },
    { "cu_mode", choices = { "off", "on" }, default = "on",
      help = "RDNA: a block stays in one CU and its half of the LDS (on), or uses both CUs of a WGP (off)" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 256,
      help = "matrix size, a multiple of 128" },
    sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "n=128", "pad=3,4", "alpha=1.5", "beta=0.5", help = "small matrices" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  work     = sgemm.work,
  values   = sgemm.values128,
  launch   = { grid = sgemm.grid128, block = threads },
  reset    = true,
  metrics  = {
    sgemm.gflops, sgemm.flop_per_cycle, sgemm.time,
    { "bank_conflicts", unit = "cycles", axis = "none", help = "LDS conflict cycles per block and k step of 8",
      function(m, p, v) return m.counters.SQ_LDS_BANK_CONFLICT / ((p.n / 128) ^ 2 * p.n / 8) end },
    sgemm.blocks, sgemm.vgprs, sgemm.scratch, sgemm.waves_per_simd,
  },
  tolerance = sgemm.tolerance,
  counters  = { "SQ_LDS_BANK_CONFLICT" },
  contract  = function(p)
    if p.pad % 4 ~= 0 then return nil end
    local reads = (2 + across[p.thread_tile]) * p.unroll
    return { { hot_loop = { { "ds_read_b128", count = reads } } },
             { isa = "gfx11", hot_loop = { { "ds_load_b128", count = reads }, { "v_dual_fmac_f32" } } } }
  end,
  reference = "sgemm",
}
