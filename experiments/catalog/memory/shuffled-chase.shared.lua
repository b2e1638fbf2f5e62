-- The variants `shuffled` and `pointers` of a latency experiment: a chase through the lines of a range in random order. The
-- published chase walks from one 64-byte line to the next and hits a longer line that it has just loaded. Lines of `shuffled`
-- hold offsets, those of `pointers` addresses, for GPUs whose loads do not add an offset to a base.
local per_trip = 64 -- reads, unrolled in the kernel

local chase = {}

function chase.is(p) return p.variant == "shuffled" or p.variant == "pointers" end

-- The second is the default on NVIDIA's GPUs: their lines have 128 bytes, and an offset costs the addition of 64 bits.
chase.variants = {
  { "shuffled", file = "chase_shuffled.hip", entry = "chase_shuffled" },
  { "pointers", file = "chase_pointers.hip", entry = "chase_pointers", on = "sm" },
}

local function fill(p)
  if p.variant == "pointers" then return { addresses = p.stride } end
  return chase.is(p) and { chase = p.stride } or 16
end

chase.stride = { "stride", unit = "B", min = 4, max = "4 KiB", step = "x2", default = 128,
                 help = "variants shuffled and pointers: distance between reads; at least one cache line" }

-- `reads` in whole trips, and at least `laps` times each line of the range.
function chase.reads(p, reads, laps)
  if p.rangesize % p.stride ~= 0 then
    error(string.format("rangesize=%d is not a multiple of stride=%d; make the range at least one stride", p.rangesize, p.stride))
  end
  return (math.max(reads, laps * (p.rangesize // p.stride)) + per_trip - 1) // per_trip * per_trip
end

chase.buffers = {
  buf = { type = "int", count = function(p) return p.rangesize // 4 end, fill = fill },
  out = { type = "int", count = 1 },
}

function chase.contract(p)
  local load = p.variant == "pointers" and "global_load_dwordx2" or "global_load_dword"
  return { hot_loop = { { load, count = chase.is(p) and per_trip or 1 } } }
end

function chase.reference(p) return chase.is(p) and "chase_shuffled" or "chase_range" end

return chase
