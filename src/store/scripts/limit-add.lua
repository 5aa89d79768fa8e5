-- Counts messages and model calls that nothing limits: many at once, each once per id.
-- KEYS 1 the rules' version, 2 prefix of what was spent by day and month, 3 and on the ids' records, one for each
--      count, then the counters (laid out as in limit-count)
-- ARGV 1 named fields as JSON:
--   windows                    { startMs, endMs } of the minute, hour, day and month that the caller means
--   counts                     { counters = indexes of the counters that it adds to, from 1; messages, tokens, nanoUsd;
--                              spent = as in limit-count; ttlMs = how long its record is kept }
-- Returns {'again', ms} (another minute by Redis' clock, in ms since the epoch) | {'added', version of the rules, index …}.
--      Nothing is added for the counts with these indexes, from 0: something was reserved for these calls, which
--      limit-count settles.
local args = cjson.decode(ARGV[1])
-- Of each window: its start, what was used, and the rest: what is reserved, and the last warnings.
local layout, size, perWindow = '>' .. string.rep('ddddc48', 4), 320, 5
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

-- What is added to each sum, gathered so that a sorted set is read and written once: by its name.
local sums = {}
local function addSpent(entries)
  for _, entry in ipairs(entries) do
    local name, member = entry[1], entry[2]
    local sum = sums[name]
    if not sum then
      sum = { untilMs = entry[3], members = {} }
      sums[name] = sum
    end
    local known = sum.members[member]
    if known then
      known[1], known[2], known[3] = known[1] + entry[4], known[2] + entry[5], known[3] + entry[6]
    else
      sum.members[member] = { entry[4], entry[5], entry[6] }
    end
  end
end
local function writeSpent(name, metric, index)
  local key, members, amounts = KEYS[2] .. name .. ':' .. metric, {}, {}
  for member, sum in pairs(sums[name].members) do
    if index == 1 or sum[index] > 0 then
      members[#members + 1], amounts[#amounts + 1] = member, sum[index]
    end
  end
  if #members == 0 then
    return
  end
  local scores, isNew = redis.call('ZMSCORE', key, unpack(members)), false
  local added = {}
  for at, member in ipairs(members) do
    isNew = isNew or not scores[at]
    added[2 * at - 1], added[2 * at] = tonumber(scores[at] or 0) + amounts[at], member
  end
  redis.call('ZADD', key, unpack(added))
  -- A new member may be the first of its key.
  if isNew then
    redis.call('PEXPIREAT', key, sums[name].untilMs)
  end
end

-- What is added to each counter, the same in all of its windows.
local added = {}
for index, count in ipairs(counts) do
  local record = KEYS[2 + index]
  if redis.call('SET', record, '', 'PX', count.ttlMs, 'NX') then
    for _, counter in ipairs(count.counters) do
      local sum = added[counter] or { 0, 0, 0 }
      added[counter] = sum
      sum[1], sum[2], sum[3] = sum[1] + count.messages, sum[2] + count.tokens, sum[3] + count.nanoUsd
    end
    addSpent(count.spent)
  elseif redis.call('TYPE', record).ok == 'hash' and redis.call('HEXISTS', record, 'at') == 1 then
    outcome[#outcome + 1] = index - 1
  end
end

local firstCounter = #counts + 3
local stored = redis.call('MGET', unpack(KEYS, firstCounter))
for counter, sum in pairs(added) do
  local text = stored[counter]
  local isKnown = text and #text == size
  local used = isKnown and { struct.unpack(layout, text) } or {}
  for window = 1, 4 do
    local at, start = (window - 1) * perWindow, windows[window].startMs
    if used[at + 1] ~= start then
      -- A window that has ended starts again at zero.
      used[at + 1], used[at + 2], used[at + 3], used[at + 4], used[at + 5] = start, 0, 0, 0, nothingElse
    end
    for metric = 1, 3 do
      used[at + 1 + metric] = math.min(used[at + 1 + metric] + sum[metric], mostOfAll)
    end
  end
  redis.call('SET', KEYS[firstCounter - 1 + counter], struct.pack(layout, unpack(used, 1, 4 * perWindow)), 'PXAT',
    windows[4].endMs)
end
for name in pairs(sums) do
  for index, metric in ipairs({ 'usd', 'tokens', 'count' }) do
    writeSpent(name, metric, index)
  end
end
return outcome
