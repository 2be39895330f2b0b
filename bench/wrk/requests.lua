-- Sends prepared requests with wrk, in one thread: those of a file, with a NUL behind each, from a place on. Prints what came
-- of it as one line of JSON.

local requests = {}
local next_place

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for text in file:read("*a"):gmatch("(%Z+)%z") do
    requests[#requests + 1] = text
  end
  file:close()
  next_place = tonumber(args[2])
end

function request()
  local text = requests[next_place % #requests + 1]
  next_place = next_place + 1
  return text
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"duration_us":%d,"refused":%d,"broken":%d,"p50_us":%d,"p99_us":%d}\n',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)
  ))
end
