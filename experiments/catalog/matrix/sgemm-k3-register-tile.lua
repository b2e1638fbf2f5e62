local sgemm = shared("sgemm")

-- Each lane computes 4 x 4 patches, repeated down and across; 32 lanes are 8 across and 4 down.
local patches = { ["4x4"] = { 1, 1 }, ["8x8"] = { 2, 2 }, ["16x8"] = { 2, 4 } } -- columns by rows; repeats down, across

local function threads(p)
  local r = patches[p.thread_tile]
  return 32 * (p.block_tile // (16 * r[1])) * (p.block_tile // (32 * r[2]))
end

local function fits(p)
  local t = threads(p)
  if t == 0 then
    error(string.format("block_tile %d is too small for 32 lanes with %s results each; use a smaller thread_tile", p.block_tile, p.thread_tile))
  end
  if p.block_tile * p.k_step % t ~= 0 then
    error(string.format("%d threads have only %d elements per tile to load; use a larger k_step", t, p.block_tile * p.k_step))
  end
  if p.n % p.block_tile ~= 0 then error(string.format("n = %d must be a multiple of block_tile, %d", p.n, p.block_tile)) end
  return { tile = p.block_tile, threads = t }
end

local function published(p) return p.thread_tile == "8x8" and p.block_tile == 128 and p.k_step == 8 end

local function defines(p)
  if published(p) then return "" end
  local r = patches[p.thread_tile]
  return string.format("-DSHAPED -DBLOCK_TILE=%d -DK_STEP=%d -DDOWN_TIMES=%d -DACROSS_TIMES=%d -DPAD_WORDS=0 -DAHEAD=0", p.block_tile, p.k_step,
                       r[1], r[2])
end

return {
  title    = "Matrix product, register tiles",
  question = "How much does register tiling, with several results per thread, speed up the matrix product?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 3",
  lesson   = "sgemm.md",
  kernel   = { file = "sgemm_patch.hip", entry = function(p) return published(p) and "sgemm_k3" or "sgemm_patch" end, defines = defines },
  params   = {
    { "thread_tile", choices = { "4x4", "8x8", "16x8" }, default = "8x8", sweep = { "4x4", "8x8", "16x8" },
      help = "columns by rows of results per lane" },
    { "block_tile", unit = "", min = 64, max = 128, step = "x2", default = 128,
      help = "size of the block's result tile" },
    { "k_step", unit = "", min = 4, max = 16, step = "x2", default = 8,
      help = "columns of A and rows of B in LDS at a time" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 512,
      help = "matrix size, a multiple of block_tile" },
    sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "thread_tile=8x8,16x8", "n=128", "alpha=1.5", "beta=0.5", help = "small matrices" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  work     = sgemm.work,
  values   = fits,
  launch   = { grid = function(p) return { p.n // p.block_tile, p.n // p.block_tile } end, block = function(p, v) return v.threads end },
  reset    = true,
  metrics  = { sgemm.gflops, sgemm.flop_per_cycle, sgemm.time, sgemm.blocks, sgemm.vgprs, sgemm.scratch, sgemm.waves_per_simd },
  tolerance = sgemm.tolerance,
  contract  = function(p)
    local r = patches[p.thread_tile]
    -- On gfx11 the loop over the tile is unrolled, as by the source's compiler.
    return { { hot_loop = { { "ds_read_b128", count = r[1] + r[2] } } },
             { isa = "gfx11", hot_loop = { { "ds_load_b128", count = (r[1] + r[2]) * p.k_step }, { "v_dual_fmac_f32" } } } }
  end,
  reference = "sgemm",
}
