-- Shared by the padding experiments: planes of side x side pixels get a margin of zeros; a thread holds some channels
-- of one pixel.
return {
  n    = { "n", unit = "images", min = 1, max = 4096, step = "x2", default = 1024, soft = 8,
    help = "images in the batch; the time is proportional to it" },
  c    = { "c", unit = "channels", min = 16, max = 4096, step = 16, default = 1024, help = "channels per image" },
  side = { "side", unit = "pixels", min = 1, max = 15, step = 1, default = 7, help = "width and height of a plane" },
  pad  = { "pad", unit = "pixels", min = 0, max = 7, step = 1, default = 3,
    help = "width of the zero margin; a padded plane has at most 256 pixels" },

  buffers = { ["in"] = { type = "float", count = function(p, v) return v.inside end, fill = "random" },
              out = { type = "float", count = function(p, v) return v.padded end } },
  args    = { "const float *in", "float *out", "int side", "int pad", "int channels", "int each" },
  values  = function(p)
    local width, planes = p.side + 2 * p.pad, p.n * p.c
    if width * width > 256 then error("a padded plane has " .. width .. " x " .. width .. " pixels, more than the 256 threads of a block; reduce side or pad") end
    if p.c % p.channels_per_thread ~= 0 then error("c must be a multiple of channels_per_thread") end
    return { inside = planes * p.side * p.side, padded = planes * width * width, channels = p.c, each = p.channels_per_thread }
  end,
  launch  = { grid = function(p) return { 1, p.c // p.channels_per_thread, p.n } end, block = 256 },

  time    = { "time", unit = "ms", axis = "left",
    help = "time of the launch", function(m, p, v) return m.seconds * 1e3 end },
  counted = { "counted", unit = "GB/s", axis = "right",
    help = "the padded planes counted twice, as in the published code; more than is moved. 1 GB is 10^9 bytes",
              function(m, p, v) return 2 * 4 * v.padded / m.seconds / 1e9 end },
  moved   = { "moved", unit = "GB/s", axis = "none",
    help = "planes read plus padded planes written, without scratch; 1 GB is 10^9 bytes",
              function(m, p, v) return 4 * (v.inside + v.padded) / m.seconds / 1e9 end },
}
