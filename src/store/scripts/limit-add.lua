-- Counts messages and model calls that nothing limits: many at once, each once per id.
-- KEYS 1 the rules' version, 2 and on the ids' records, one for each count, then the counters (laid out as in
--      limit-count)
-- ARGV 1 named fields as JSON:
--   windows                    { startMs, endMs } of the minute, hour, day and month that the caller means
--   counts                     { counters = indexes of the counters that it adds to, from 1; messages, tokens, nanoUsd;
--                              ttlMs = how long its record is kept }
-- Returns {'again', ms} (another minute by Redis' clock, in ms since the epoch) | {'added', version of the rules, index …}.
--      Nothing is added for the counts with these indexes, from 0: something was reserved for these calls, which
--      limit-count settles.
local args = cjson.decode(ARGV[1])
-- Of one window: its start and what was used; the rest is what is reserved, and the last warnings.
local layout, size, perWindow = '>dddd', 320, 80
local nothingElse = string.rep('\0', 48)
-- Larger sums are not exact in a double.
local mostOfAll = 9007199254740991
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local windows, counts = args.windows, args.counts
if now < windows[1].startMs or now >= windows[1].endMs then
  return { 'again', now }
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('PERSIST', KEYS[1])
local outcome = { 'added', redis.call('GET', KEYS[1]) or '0' }

-- What is added to each counter, the same in all of its windows.
local added = {}
for index, count in ipairs(counts) do
  local record = KEYS[1 + index]
  if redis.call('SET', record, '', 'PX', count.ttlMs, 'NX') then
    for _, counter in ipairs(count.counters) do
      local sum = added[counter] or { 0, 0, 0 }
      added[counter] = sum
      sum[1], sum[2], sum[3] = sum[1] + count.messages, sum[2] + count.tokens, sum[3] + count.nanoUsd
    end
  elseif redis.call('TYPE', record).ok == 'hash' and redis.call('HEXISTS', record, 'at') == 1 then
    outcome[#outcome + 1] = index - 1
  end
end

local firstCounter = #counts + 2
local stored = redis.call('MGET', unpack(KEYS, firstCounter))
for counter, sum in pairs(added) do
  local text = stored[counter]
  local isKnown = text and #text == size
  local parts = {}
  for window = 1, 4 do
    local at, start = (window - 1) * perWindow, windows[window].startMs
    local began, messages, tokens, nanoUsd
    if isKnown then
      began, messages, tokens, nanoUsd = struct.unpack(layout, text, at + 1)
    end
    local rest = nothingElse
    if began == start then
      rest = string.sub(text, at + 33, at + perWindow)
    else
      -- A window that has ended starts again at zero.
      messages, tokens, nanoUsd = 0, 0, 0
    end
    parts[2 * window - 1] = struct.pack(layout, start, math.min(messages + sum[1], mostOfAll),
      math.min(tokens + sum[2], mostOfAll), math.min(nanoUsd + sum[3], mostOfAll))
    parts[2 * window] = rest
  end
  redis.call('SET', KEYS[firstCounter - 1 + counter], table.concat(parts), 'PXAT', windows[4].endMs)
end
return outcome
