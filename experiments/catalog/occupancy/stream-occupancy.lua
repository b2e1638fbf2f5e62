local arrays = { init = 1, read = 1, scale = 2, triad = 3, ["3pt"] = 2, ["5pt"] = 2 } -- arrays that are read or written
local loads = { init = 0, read = 1, scale = 1, triad = 2, ["3pt"] = 3, ["5pt"] = 5 }

return {
  title    = "Bandwidth, by waves on a CU",
  question = "How many waves must each CU have before memory delivers its bandwidth?",
  source   = "gpu-benches, gpu-stream",
  kernel   = { file = "stream_resident.hip", entry = function(p) return "resident_" .. p.kernel end },
  params   = {
    { "block", unit = "threads", min = 32, max = 1024, step = 32, default = 256, sweep = { 32, 64, 128, 256, 512, 768, 1024 },
      help = "threads in a block; as many blocks are on a CU as its LDS has room for" },
    { "kernel", choices = { "init", "read", "scale", "triad", "3pt", "5pt" }, default = "scale",
      help = "init: a = s; read: b; scale: a = s b; triad: a = s b + c; 3pt, 5pt: a from 3 or 5 neighbors in b" },
    { "lds", unit = "B", min = "4 KiB", max = "64 KiB", step = "x2", default = "32 KiB",
      help = "LDS that is reserved for each block and not used, so that fewer blocks are on a CU" },
    { "n", unit = "elements", min = 1 << 10, max = 1 << 27, step = "x2", default = 1 << 27, soft = 1 << 20,
      help = "elements in each array, of 8 bytes" },
  },
  presets  = { { "small", "n=2^15", "kernel=init,read,scale,triad,3pt,5pt", "block=32,256,1024",
    help = "all kernels on small arrays" } },
  buffers  = { a = { type = "double", count = function(p) return p.n end },
               b = { type = "double", count = function(p) return p.n end, fill = "random" },
               c = { type = "double", count = function(p) return p.n end, fill = "random" } },
  args     = { "double *a", "const double *b", "const double *c", "double s", "double never", "unsigned n" },
  values   = function(p) return { s = 1.2, never = 123, bytes = 8 * arrays[p.kernel] * p.n } end,
  launch   = {
    grid  = function(p) return p.n // p.block + 1 end, -- as published: the last block may have no element
    block = function(p) return p.block end,
    lds   = function(p) return p.lds end,
  },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left",
      help = "arrays read plus written, each once; 1 GB is 10^9 bytes",
      function(m, p, v) return v.bytes / m.seconds / 1e9 end },
    { "waves", unit = "waves", axis = "right", help = "waves on a CU, by its LDS and the block's size",
      function(m, p, v) return m.code.waves_per_cu end },
    { "time", unit = "us", axis = "none", help = "time of the launch", function(m, p, v) return m.seconds * 1e6 end },
  },
  contract  = function(p)
    local wanted = { { "global_store_dwordx2", count = 1 } }
    if loads[p.kernel] == 1 or p.kernel == "triad" then
      wanted[2] = { "global_load_dwordx2", count = loads[p.kernel] }
    end
    return { kernel = wanted }
  end,
  reference = function(p) return "resident_" .. p.kernel end,
  lesson    = "occupancy.md",
}
