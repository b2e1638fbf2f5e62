-- The four programs of the source, and its 14c as it is.
local entries = { a = "batchnorm_a", b = "batchnorm_b", c = "batchnorm_c", d = "batchnorm_d", faulty = "batchnorm_c_faulty" }
local parts = { a = 1, b = 2, c = 4, d = 1, faulty = 4 }          -- threads for a position
local bytes = { a = 16, b = 8, c = 8, d = 12, faulty = 6 }        -- moved for a pixel; the faulty one leaves a quarter out

local function entry(p) return entries[p.variant] .. (p.launch_bound == "off" and parts[p.variant] > 1 and "_1024" or "") end

return {
  title    = "Normalising over a batch",
  question = "How should a normalisation re-use its input: read it three times, twice, or keep it in registers?",
  source   = "HIP performance optimization on Vega64, section 2.14",
  -- Every position of an image has its own mean and variance over the batch: not the normalisation by channel that goes by the name.
  kernel   = { file = "batchnorm.hip", entry = entry, defines = function(p) return p.n ~= 128 and "-DBATCH=" .. p.n or "" end },
  params   = {
    { "variant", choices = { "a", "b", "c", "d", "faulty" }, default = "a", sweep = { "a", "b", "c", "d" },
      help = "3 reads; 1 read, 2 threads a position; 1 read, 4 threads; 2 reads; c with the source's row offset: a quarter skipped" },
    { "launch_bound", choices = { "on", "off" }, default = "on",
      help = "blocks of 256 promised to the compiler; without, it allows for 1024 threads, and b and c spill their arrays" },
    { "n", unit = "images", min = 4, max = 256, step = 4, default = 128, help = "in the batch: a constant of the kernel" },
    { "c", unit = "channels", min = 1, max = 4096, step = "x2", default = 1024, soft = 64, help = "of an image; the time goes with it" },
    { "h", unit = "pixels", min = 1, max = 224, step = 1, default = 28, help = "height of an image" },
    { "w", unit = "pixels", min = 1, max = 224, step = 1, default = 28, help = "width of an image" },
  },
  buffers  = { ["in"] = { type = "float", count = function(p, v) return v.pixels end, fill = "random" },
               out = { type = "float", count = function(p, v) return v.pixels end } },
  args     = { "const float *in", "float *out", "unsigned n", "unsigned chw", "float gamma", "float beta", "float epsilon" },
  values   = function(p)
    local chw = p.c * p.h * p.w
    if p.n * chw >= 2^32 then error("2^32 pixels or more; the kernels' indices have 32 bits") end
    return { n = p.n, chw = chw, pixels = p.n * chw, gamma = 1.0, beta = 1.0, epsilon = 1e-6 }
  end,
  launch   = { grid = function(p, v) return (v.chw * parts[p.variant] + 255) // 256 end, block = 256 },
  metrics  = {
    { "time", unit = "ms", axis = "left", help = "of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    { "gpixel_per_s", unit = "Gpixel/s", axis = "right", help = "pixels of the batch, in units of 10^9",
      function(m, p, v) return v.pixels / m.seconds / 1e9 end },
    { "moved_gbps", unit = "GB/s", axis = "none", help = "bytes read and written: 16 a pixel in a, 12 in d, 8 in b and c; 1 GB is 10^9 bytes",
      function(m, p, v) return bytes[p.variant] * v.pixels / m.seconds / 1e9 end },
    { "vgprs", unit = "registers", axis = "none", help = "of a lane",
      function(m, p, v) return m.code.vgprs end },
    { "scratch", unit = "B", axis = "none", help = "of a lane",
      function(m, p, v) return m.code.scratch_bytes end },
  },
  contract  = function(p)
    if parts[p.variant] == 1 then return { kernel = { { "global_load_dword" }, { "s_barrier", count = 0 } } } end
    local lines = { { "global_load_dword", count = p.n // parts[p.variant] }, { "s_barrier", count = 2 } }
    if p.n <= 128 then lines[3] = { "buffer_store_dword", count = p.launch_bound == "on" and 0 or nil } end -- spills, as published
    return { kernel = lines }
  end,
  reference = "batchnorm",
  tolerance = { relative = 1e-4, absolute = 1e-4 },
  presets  = { { "small", "c=2" } },
  lesson   = "batch-normalisation.md",
}
