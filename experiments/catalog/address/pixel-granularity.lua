-- With one pixel per thread no loop is needed: the first point uses a kernel without one.
local function entry(p)
  if p.pixels_per_thread == 1 then return "pixels_one" end
  return p.walk == "along" and "pixels_along" or "pixels_down"
end

local function threads(p) return p.width * p.height // p.pixels_per_thread end

return {
  title    = "Pixels per thread",
  question = "Should each thread process one pixel, or a whole row?",
  source   = "AMD GCN ISA and NVIDIA SASS address arithmetic (Fixstars tech blog, 2015)",
  -- The source recommends one row each. On a GPU this places neighboring lanes a row apart; walking down a column saves
  -- as much and keeps the lanes next to each other.
  kernel   = { file = "addressing.hip", entry = entry },
  params   = {
    { "pixels_per_thread", unit = "pixels", min = 1, max = 1024, step = "x2", default = 1, sweep = true,
      help = "pixels per thread; 1 needs no loop" },
    { "walk", choices = { "along", "down" }, default = "along",
      help = "along the row, with lanes that many pixels apart, or down the column, with neighboring lanes on neighboring pixels" },
    { "width", unit = "pixels", min = 64, max = 4096, step = "x2", default = 1024, help = "pixels in a row" },
    { "height", unit = "pixels", min = 64, max = 4096, step = "x2", default = 1024, help = "rows in the image" },
  },
  presets  = { { "small", "walk=along,down", "pixels_per_thread=1,2,16", "width=128", "height=64",
    help = "both directions" } },
  buffers  = { p = { type = "unsigned", count = function(p) return p.width * p.height end, fill = "index" } },
  args     = { "unsigned *p", "unsigned width", "unsigned each" },
  values   = function(p)
    local side = p.walk == "along" and p.width or p.height
    if p.pixels_per_thread > side then error("pixels_per_thread is " .. p.pixels_per_thread .. ", but the walk has only " .. side .. " pixels") end
    return { each = p.pixels_per_thread, pixels = p.width * p.height }
  end,
  launch   = { grid = function(p)
                 if p.pixels_per_thread == 1 then return { p.width // 64, p.height // 4 } end
                 if p.walk == "down" then return { math.max(p.width // 256, 1), p.height // p.pixels_per_thread } end
                 return math.max(threads(p) // 256, 1)
               end,
               block = function(p)
                 if p.pixels_per_thread == 1 then return { 64, 4 } end
                 return math.min(p.walk == "down" and p.width or threads(p), 256)
               end },
  reset    = true,
  metrics  = {
    { "bandwidth", unit = "GB/s", axis = "left", help = "pixels read plus written; 1 GB is 10^9 bytes",
      function(m, p, v) return 8 * v.pixels / m.seconds / 1e9 end },
    { "instructions_per_pixel", unit = "instructions", axis = "right",
      help = "wave instructions per pixel of each lane: the loop's, plus a share of the code before it",
      function(m, p, v)
        if p.pixels_per_thread == 1 then return m.code.instructions end
        return m.code.loop.instructions + (m.code.instructions - m.code.loop.instructions) / p.pixels_per_thread
      end },
    { "time", unit = "us", axis = "none", help = "time of the launch",
      function(m, p, v) return m.seconds * 1e6 end },
  },
  contract  = function(p)
    local each = p.pixels_per_thread > 1 and 1 or 0 -- one pixel per thread needs no loop
    return { { hot_loop = { { "global_load_dword", count = each }, { "global_store_dword", count = each } } },
             { isa = "sm_", hot_loop = { { "LDG", count = each }, { "STG", count = each } } } }
  end,
  reference = "pixels",
  lesson    = "addressing.md",
}
