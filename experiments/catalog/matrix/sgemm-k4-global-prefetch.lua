local entries = { on = { on = "sgemm_k4", off = "sgemm_k4_unbounded" }, off = { on = "sgemm_k3" } } -- by prefetch and launch_bounds

local function published(p) return entries[p.prefetch][p.launch_bounds] end

local function defines(p)
  return published(p) and "" or "-DSHAPED -DUNBOUNDED -DACROSS_TIMES=2 -DPAD_WORDS=0 -DAHEAD=0"
end

return {
  title    = "Matrix product, next tile ahead",
  question = "What does it gain to load the next tiles into registers while the present ones are computed with?",
  source   = "Optimizing Matrix Multiplication on RDNA3 (seb-v), kernel 4",
  lesson   = "sgemm.md",
  kernel   = { file = "sgemm_patch.hip", entry = function(p) return published(p) or "sgemm_patch" end, defines = defines },
  params   = {
    { "prefetch", choices = { "off", "on" }, default = "on", sweep = { "off", "on" }, help = "off is kernel 3" },
    { "launch_bounds", choices = { "on", "off" }, default = "on",
      help = "off: the compiler must think of blocks of 1024, gives a lane 64 registers and spills the rest" },
    { "n", unit = "", min = 128, max = 8192, step = 128, default = 4096, soft = 512, help = "edge of the matrices; a multiple of 128" },
    { "alpha", unit = "", min = 0, max = 100, step = 0.5, default = 1, help = "of alpha A B + beta C" },
    { "beta", unit = "", min = 0, max = 100, step = 0.5, default = 0, help = "of alpha A B + beta C" },
    { "fill", choices = { "random", "zeros" }, default = "random",
      help = "of B; with zeros, as nearly all of the source's identity, the multipliers have nothing to switch" },
  },
  presets  = { { "small", "n=128", "launch_bounds=on,off", "alpha=1.5", "beta=0.5", help = "soon done" },
               { "spills", "launch_bounds=on,off", "prefetch=on", help = "what the missing bounds cost" } },
  buffers  = { a = { type = "float", count = function(p) return p.n * p.n end, fill = "random" },
               b = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return p.fill == "random" and "random" or 0 end },
               c = { type = "float", count = function(p) return p.n * p.n end, fill = "random" } },
  args     = { "const float *a", "const float *b", "float *c", "int n", "float alpha", "float beta" },
  values   = function(p)
    if p.n % 128 ~= 0 then error(string.format("n = %d is no multiple of the block's tile, 128", p.n)) end
    return { tile = 128 }
  end,
  launch   = { grid = function(p) return { p.n // 128, p.n // 128 } end, block = 256 },
  reset    = true,
  metrics  = {
    { "gflops", unit = "GFLOP/s", axis = "left", help = "2 n^3 of them",
      function(m, p, v) return 2 * p.n ^ 3 / m.seconds / 1e9 end },
    { "flop_per_cycle", unit = "FLOP/cycle", axis = "right", help = "of the chip; the peak of GCN is 128 for each CU",
      function(m, p, v) return 2 * p.n ^ 3 / (m.seconds * m.sclk) end },
    { "time", unit = "ms", axis = "none", help = "of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    { "blocks", unit = "blocks", axis = "none", help = "of the launch: fewer than there are CUs leave some idle",
      function(m, p, v) return (p.n / v.tile) ^ 2 end },
    { "vgprs", unit = "registers", axis = "none", help = "of a lane", function(m, p, v) return m.code.vgprs end },
    { "scratch", unit = "B", axis = "none", help = "of a lane: what did not fit into its registers",
      function(m, p, v) return m.code.scratch_bytes end },
    { "waves_per_simd", unit = "waves", axis = "none", help = "that registers, LDS and the block allow",
      function(m, p, v) return m.code.waves_per_simd end },
  },
  tolerance = function(p) return 8 * math.sqrt(p.n) / (1 << 24) end,
  contract  = function(p)
    return { hot_loop = { p.launch_bounds == "on" and { "ds_read_b128", count = 4 } or { "ds_read_b128" } } }
  end,
  reference = "sgemm",
}
