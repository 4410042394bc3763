-- Makes wrk send another lead with each request, and print what it measured as one line of JSON. The body comes from lead-body.ts.
local areas = { 205, 212, 303, 312, 404, 415, 512, 602, 617, 713, 786, 916 }
local lines = 8000000
local number = tonumber(os.getenv('LEAD_FIRST')) - 1
local run = os.getenv('LEAD_RUN')
local head = table.concat({
  'POST /api/v1/ingest HTTP/1.1',
  'Host: 127.0.0.1',
  'Content-Type: application/json',
  'X-Api-Key: ' .. os.getenv('LEAD_KEY'),
  'Content-Length: 544',
  '',
  '',
}, '\r\n')

-- The fixed pieces between the placeholders, in which a number stands twice and a phone once.
local template = os.getenv('LEAD_TEMPLATE'):gsub('{run}', run)
local before, between, after, last = template:match('^(.-){number}(.-){number}(.-){phone}(.*)$')
before = head .. before

function request()
  number = number + 1
  local digits = string.format('%08d', number)
  local area = areas[math.floor(number / lines) % #areas + 1]
  return before .. digits .. between .. digits .. after .. string.format('+1%d%d', area, 2000000 + number % lines) .. last
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"answered":%d,"micros":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.timeout + errors.status
  ))
end
