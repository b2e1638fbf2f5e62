local function pitch(p) return p.n + p.pad end

return {
  title    = "Rows of a matrix, by pitch",
  question = "How much slower are column reads when the row pitch is a multiple of the span of all memory channels, and does padding help?",
  source   = "HIP performance optimization on Vega64, section 2.10",
  kernel   = { file = "pitch.hip", entry = "pitch_copy" },
  params   = {
    { "n", unit = "floats", min = 128, max = 8192, step = 16, default = 4096, sweep = { 128, 2048 },
      help = "length of a row; 1024 floats cover all 16 channels once" },
    { "pad", unit = "floats", min = 0, max = 64, step = 16, default = 0,
      help = "padding between the end of a row and the start of the next" },
    { "rows", unit = "rows", min = 64, max = 16384, step = "x2", default = 4096, soft = 1024,
      help = "rows of the matrix, each read by its own thread" },
    { "columns", unit = "floats", min = 16, max = 128, step = 16, default = 64,
      help = "floats read from each row, 16 per loop trip" },
    { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 256, help = "threads in a block" },
  },
  presets  = {
    { "whole", "n=128..4096:+16", help = "every published pitch" },
    { "small", "n=1024,1040,4096", "pad=0,16", "rows=256", help = "pitches on and next to a multiple of all channels" },
    { "headline", "n=4096", "pad=0,16", "rows=4096", help = "the published pair: 4096 and 4096 + 16" },
  },
  buffers  = { from = { type = "float4", count = function(p) return p.rows * pitch(p) // 4 end, fill = "index" },
               to   = { type = "float", count = function(p) return p.rows * p.columns end } },
  args     = { "const float4 *from", "float *to", "unsigned pitch", "unsigned columns" },
  values   = function(p) return { pitch = pitch(p) } end,
  launch   = { grid = function(p) return p.rows // p.block end, block = function(p) return p.block end },
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "read plus written; 1 GB is 10^9 bytes",
      function(m, p, v) return 8 * p.rows * p.columns / m.seconds / 1e9 end },
    { "time", unit = "us", axis = "right", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
  },
  contract  = { hot_loop = { { "global_load_dwordx4", count = 4 }, { "global_store_dword", count = 16 } } },
  reference = "pitch_copy",
  lesson    = "channels.md",
}
