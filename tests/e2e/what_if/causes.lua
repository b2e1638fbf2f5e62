local function elements(p) return p.kernel == "transpose" and 1024 * 1200 or p.kernel == "columns" and 4096 * 4 * 80 * 16 // 4 or 768 * 256 * 16 end

return {
  title    = "Two causes of lost cycles",
  kernel   = { file = "causes.hip", entry = function(p) return p.kernel end,
               defines = function(p) return ("-DFIX_A=%d -DFIX_B=%d"):format(p.a, p.b) end },
  params   = {
    { "kernel", choices = { "sum", "transpose", "columns", "steps", "loop" }, default = "sum", help = "which kernel" },
    { "a", min = 0, max = 1, default = 0, help = "1: the first cause is removed" },
    { "b", min = 0, max = 1, default = 0, help = "1: the second cause is removed" },
  },
  buffers  = { ["in"] = { type = "float", count = elements, fill = "random" },
               out = { type = "float", count = elements } },
  args     = { "const float *in", "float *out", "int pitch" },
  values   = function(p)
    if p.kernel == "transpose" then return { pitch = p.b == 1 and 1024 + 72 or 1024 } end
    return { pitch = p.a == 1 and 1024 + 64 or 1024 }
  end,
  launch   = { grid = function(p) return p.kernel == "transpose" and 1024 or p.kernel == "columns" and 64 or 768 end,
               block = 256 },
  metrics  = { { "time", unit = "us", help = "time of the launch", function(m) return m.seconds * 1e6 end } },
}
