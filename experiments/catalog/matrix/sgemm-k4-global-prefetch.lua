local sgemm = shared("sgemm")
local entries = { on = { on = "sgemm_k4", off = "sgemm_k4_unbounded" }, off = { on = "sgemm_k3" } } -- by prefetch and launch_bounds

local function published(p) return entries[p.prefetch][p.launch_bounds] end

local function defines(p)
  -- On RDNA, blocks of 1024 in CU mode leave 96 registers to each lane; in WGP mode nothing is spilled.
  local mode = p.launch_bounds == "off" and "-mcumode " or ""
  return published(p) and mode or mode .. "-DSHAPED -DUNBOUNDED -DACROSS_TIMES=2 -DPAD_WORDS=0 -DAHEAD=0"
end

return {
  title    = "Matrix product, global prefetch",
  question = "How much does prefetching the next tiles into registers during computation gain?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 4",
  lesson   = "sgemm.md",
  kernel   = { file = "sgemm_patch.hip", entry = function(p) return published(p) or "sgemm_patch" end, defines = defines },
  params   = {
    { "prefetch", choices = { "off", "on" }, default = "on", sweep = { "off", "on" }, help = "off is kernel 3" },
    { "launch_bounds", choices = { "on", "off" }, default = "on",
      help = "off: the compiler assumes blocks of 1024, gives each lane 64 registers (96 on RDNA) and spills the rest" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 512,
      help = "matrix size, a multiple of 128" },
    sgemm.alpha, sgemm.beta, sgemm.fill,
  },
  presets  = { { "small", "n=128", "launch_bounds=on,off", "alpha=1.5", "beta=0.5", help = "small matrices" },
               { "spills", "launch_bounds=on,off", "prefetch=on", help = "the cost of missing launch bounds" } },
  buffers  = sgemm.buffers,
  args     = sgemm.args,
  work     = sgemm.work,
  values   = sgemm.values128,
  launch   = { grid = sgemm.grid128, block = 256 },
  reset    = true,
  metrics  = { sgemm.gflops, sgemm.flop_per_cycle, sgemm.time, sgemm.blocks, sgemm.vgprs, sgemm.scratch, sgemm.waves_per_simd },
  tolerance = sgemm.tolerance,
  contract  = function(p)
    local loads = p.launch_bounds == "on" and 4 or nil
    return { { hot_loop = { { "ds_read_b128", count = loads } } },
             { isa = "gfx11", hot_loop = { { "ds_load_b128", count = loads and (p.prefetch == "off" and 32 or 4) }, { "v_dual_fmac_f32" } } } }
  end,
  reference = "sgemm",
}
