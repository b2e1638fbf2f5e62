-- The variant `shuffled` of a latency experiment: a chase through the lines of a range in random order. The published
-- chase walks from one 64-byte line to the next and hits a longer line that it has just loaded.
local per_trip = 64 -- reads, unrolled in the kernel

local chase = {}

function chase.is(p) return p.variant == "shuffled" end

-- The default on NVIDIA's GPUs, whose lines have 128 bytes.
chase.variant = { "shuffled", file = "chase_shuffled.hip", entry = "chase_shuffled", on = "sm" }

chase.stride = { "stride", unit = "B", min = 4, max = "4 KiB", step = "x2", default = 128,
                 help = "variant shuffled: distance between reads; at least one cache line" }

-- `reads` in whole trips, and at least `laps` times each line of the range.
function chase.reads(p, reads, laps)
  if p.rangesize % p.stride ~= 0 then
    error(string.format("rangesize=%d is not a multiple of stride=%d; make the range at least one stride", p.rangesize, p.stride))
  end
  return (math.max(reads, laps * (p.rangesize // p.stride)) + per_trip - 1) // per_trip * per_trip
end

chase.buffers = {
  buf = { type = "int", count = function(p) return p.rangesize // 4 end,
          fill = function(p) return chase.is(p) and { chase = p.stride } or 16 end },
  out = { type = "int", count = 1 },
}

function chase.contract(p) return { hot_loop = { { "global_load_dword", count = chase.is(p) and per_trip or 1 } } } end

function chase.reference(p) return chase.is(p) and "chase_shuffled" or "chase_range" end

return chase
