-- The source's four programs, and its program 14c unchanged.
local entries = { a = "batchnorm_a", b = "batchnorm_b", c = "batchnorm_c", d = "batchnorm_d", faulty = "batchnorm_c_faulty" }
local parts = { a = 1, b = 2, c = 4, d = 1, faulty = 4 }          -- threads per position
local bytes = { a = 16, b = 8, c = 8, d = 12, faulty = 6 }        -- bytes moved per pixel; the faulty variant skips a quarter

local function entry(p) return entries[p.variant] .. (p.launch_bound == "off" and parts[p.variant] > 1 and "_1024" or "") end

return {
  title    = "Batch normalization",
  question = "Should batch normalization read its input three times, twice, or once and keep it in registers?",
  source   = "HIP performance optimization on Vega64, section 2.14",
  -- Each position of an image has its own mean and variance over the batch. Batch normalization usually means per
  -- channel.
  kernel   = { file = "batchnorm.hip", entry = entry, defines = function(p) return p.n ~= 128 and "-DBATCH=" .. p.n or "" end },
  params   = {
    { "variant", choices = { "a", "b", "c", "d", "faulty" }, default = "a", sweep = { "a", "b", "c", "d" },
      help = "a: 3 reads; b: 1 read, 2 threads per position; c: 1 read, 4 threads; d: 2 reads; faulty: c, a quarter skipped" },
    { "launch_bound", choices = { "on", "off" }, default = "on",
      help = "on: the compiler may assume blocks of 256; off: it allows for 1024 threads, so that b and c spill their arrays" },
    { "n", unit = "images", min = 4, max = 256, step = 4, default = 128,
      help = "images in the batch; a compile-time constant of the kernel" },
    { "c", unit = "channels", min = 1, max = 4096, step = "x2", default = 1024, soft = 64,
      help = "channels per image; the time is proportional to it" },
    { "h", unit = "pixels", min = 1, max = 224, step = 1, default = 28, help = "image height" },
    { "w", unit = "pixels", min = 1, max = 224, step = 1, default = 28, help = "image width" },
  },
  buffers  = { ["in"] = { type = "float", count = function(p, v) return v.pixels end, fill = "random" },
               out = { type = "float", count = function(p, v) return v.pixels end } },
  args     = { "const float *in", "float *out", "unsigned n", "unsigned chw", "float gamma", "float beta", "float epsilon" },
  values   = function(p)
    local chw = p.c * p.h * p.w
    if p.n * chw >= 2^32 then error("2^32 or more pixels; the kernels use 32-bit indices, so reduce n, c, h or w") end
    return { n = p.n, chw = chw, pixels = p.n * chw, gamma = 1.0, beta = 1.0, epsilon = 1e-6 }
  end,
  launch   = { grid = function(p, v) return (v.chw * parts[p.variant] + 255) // 256 end, block = 256 },
  metrics  = {
    { "time", unit = "ms", axis = "left", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e3 end },
    { "gpixel_per_s", unit = "Gpixel/s", axis = "right", help = "pixels of the batch, 10^9 per second",
      function(m, p, v) return v.pixels / m.seconds / 1e9 end },
    { "moved", unit = "GB/s", axis = "none",
      help = "bytes read plus written: 16 per pixel in a, 12 in d, 8 in b and c; 1 GB is 10^9 bytes",
      function(m, p, v) return bytes[p.variant] * v.pixels / m.seconds / 1e9 end },
    { "vgprs", unit = "registers", axis = "none", help = "vector registers per lane",
      function(m, p, v) return m.code.vgprs end },
    { "scratch", unit = "B", axis = "none", help = "scratch memory per lane",
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
