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
local layout, size, perWindow = '>' .. string.rep('d', 40), 320, 10
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

local firstCounter = #counts + 2
local stored = redis.call('MGET', unpack(KEYS, firstCounter))
local counters = {}
local function counterAt(index)
  local used = counters[index]
  if used then
    return used
  end
  local text = stored[index]
  used = text and #text == size and { struct.unpack(layout, text) } or {}
  for window = 1, 4 do
    local at, start = (window - 1) * perWindow, windows[window].startMs
    -- A window that has ended starts again at zero.
    if used[at + 1] ~= start then
      used[at + 1] = start
      for figure = at + 2, at + perWindow do
        used[figure] = 0
      end
    end
  end
  counters[index] = used
  return used
end
for index, count in ipairs(counts) do
  local record = KEYS[1 + index]
  if redis.call('SET', record, '', 'PX', count.ttlMs, 'NX') then
    for _, counter in ipairs(count.counters) do
      local used = counterAt(counter)
      for at = 0, 3 * perWindow, perWindow do
        used[at + 2] = math.min(used[at + 2] + count.messages, mostOfAll)
        used[at + 3] = math.min(used[at + 3] + count.tokens, mostOfAll)
        used[at + 4] = math.min(used[at + 4] + count.nanoUsd, mostOfAll)
      end
    end
  elseif redis.call('TYPE', record).ok == 'hash' and redis.call('HEXISTS', record, 'at') == 1 then
    outcome[#outcome + 1] = index - 1
  end
end
for index, used in pairs(counters) do
  redis.call('SET', KEYS[firstCounter - 1 + index], struct.pack(layout, unpack(used, 1, 40)), 'PXAT', windows[4].endMs)
end
return outcome
