-- Counts usage by people and chats, in all counters and windows at once, once per id. 'take' counts a message, or
-- reserves the most that a model call may use, unless that exceeds a cap (for a message also if no tokens are left).
-- 'settle' replaces the reservation by the call's usage, or counts it if nothing was reserved.
-- KEYS 1 the rules' version, 2 the id's record, 3 and 4 prefixes of records of reported refusals (followed by the
--      window's name, the metric and the cap; each cap says which of the two), 5 prefix of what was spent by day and
--      month, 6 and on the counters
-- ARGV 1 named fields as JSON:
--   what                       'take' | 'settle'
--   version                    of the rules, as the caller knows it
--   windows                    { startMs, endMs } of the minute, hour, day and month that the caller means
--   id                         of the event (absent: a refusal is not reported)
--   messages, tokens, nanoUsd  amounts; the last two absent: as many as were reserved
--   spent                      { '<period>:<by>', member, end in ms, nanoUsd, tokens, count } for each sum that a settled
--                              call adds to: a sorted set for each of the last three
--   ttlMs                      how long the record is kept
--   toldMs                     most ms for which a refusal is reported once
--   caps                       { counter, window, metric (1–3), most, toldKey (3 | 4: prefix of the report's record) }
-- A counter is a string of 40 big-endian doubles, 10 for each of the windows minute, hour, day and month: 1 its start,
--      2 messages, 3 tokens and 4 billionths of a dollar that were used, 5 and 6 how many of the last two are reserved,
--      and the last warning: 7 the cap and 8 the percentage of tokens, 9 and 10 the same of money.
-- Returns {'stale'} (the rules have changed) | {'again', ms} (another minute by Redis' clock, in ms since the epoch) |
--      {'taken'} | {'refused', cap, used, 1 if this event reports the refusal} | {'settled', warning …}, each
--      '<counter> <window> <metric> <percent> <used> <most>'. A repeated id returns the first outcome.
local args = cjson.decode(ARGV[1])
local names = { 'minute', 'hour', 'day', 'month' }
local metrics = { 'messages', 'tokens', 'nanoUsd' }
local layout, size, perWindow = '>' .. string.rep('d', 40), 320, 10
-- Indexes of tokens and money within a window's ten numbers.
local spent = {
  { used = 3, held = 5, warned = 7 },
  { used = 4, held = 6, warned = 9 },
}
-- Larger sums are not exact in a double.
local mostOfAll = 9007199254740991
local isMessage = args.messages > 0
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if (redis.call('GET', KEYS[1]) or '0') ~= args.version then
  return { 'stale' }
end
if now < args.windows[1].startMs or now >= args.windows[1].endMs then
  return { 'again', now }
end
local function text(value)
  return string.format('%.0f', value)
end
local function bounded(value)
  return math.max(0, math.min(value, mostOfAll))
end

local counters, known = {}, {}
for counter = 1, #KEYS - 5 do
  local stored = redis.call('GET', KEYS[5 + counter])
  known[counter] = stored and #stored == size
  local used = known[counter] and { struct.unpack(layout, stored) } or {}
  for window = 1, 4 do
    local at, start = (window - 1) * perWindow, args.windows[window].startMs
    -- A window that has ended starts again at zero.
    if used[at + 1] ~= start then
      used[at + 1] = start
      for index = at + 2, at + perWindow do
        used[index] = 0
      end
    end
  end
  counters[counter] = used
end
local function write(counter, used)
  redis.call('SET', KEYS[5 + counter], struct.pack(layout, unpack(used, 1, 40)), 'PXAT', args.windows[4].endMs)
end
local caps = {}
for index, cap in ipairs(args.caps) do
  caps[index] = {
    counter = cap.counter,
    window = cap.window,
    at = (cap.window - 1) * perWindow,
    metric = metrics[cap.metric],
    index = cap.metric + 1,
    spent = spent[cap.metric - 1],
    most = cap.most,
    told = KEYS[cap.toldKey],
  }
end

if args.what == 'take' then
  if redis.call('EXISTS', KEYS[2]) == 1 then
    return { 'taken' }
  end
  -- By index within a window's ten numbers.
  local add = isMessage and { [2] = args.messages } or { [3] = args.tokens, [4] = args.nanoUsd }
  local hit, hitAt
  for index, cap in ipairs(caps) do
    local used, more = counters[cap.counter], add[cap.index] or 0
    local isPassed = more > 0 and used[cap.at + cap.index] + more > cap.most
    -- Without a token no model can answer.
    local isSpent = isMessage and cap.metric == 'tokens' and used[cap.at + 3] - used[cap.at + 5] >= cap.most
    -- Of several caps that are hit, report the one that lasts longest.
    if (isPassed or isSpent) and (not hit or cap.window > hit.window) then
      hit, hitAt = cap, index
    end
  end
  if hit then
    -- A cap that was changed since is reported again.
    local told = table.concat({ hit.told, names[hit.window], hit.metric, text(hit.most) }, ':')
    local forMs = math.max(1, math.min(args.windows[hit.window].endMs - now, args.toldMs))
    local isFirst = args.id
      and (redis.call('SET', told, args.id, 'PX', text(forMs), 'NX') or redis.call('GET', told) == args.id)
    return { 'refused', hitAt - 1, text(counters[hit.counter][hit.at + hit.index]), isFirst and 1 or 0 }
  end
  if isMessage then
    redis.call('SET', KEYS[2], '', 'PX', args.ttlMs)
  else
    -- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes
    -- nothing. New messages may be refused then, but a running turn must go on.
    redis.call('HDEL', KEYS[2], '')
    redis.call('HSET', KEYS[2], 'at', text(now), 'tokens', text(add[3]), 'nanoUsd', text(add[4]))
    redis.call('PEXPIRE', KEYS[2], args.ttlMs)
  end
  for counter, used in ipairs(counters) do
    for at = 0, 3 * perWindow, perWindow do
      for index, more in pairs(add) do
        used[at + index] = bounded(used[at + index] + more)
        if index > 2 then
          used[at + index + 2] = bounded(used[at + index + 2] + more)
        end
      end
    end
    write(counter, used)
  end
  return { 'taken' }
end

local function addSpent(entries)
  for _, entry in ipairs(entries) do
    local name, member, untilMs = unpack(entry)
    for index, metric in ipairs({ 'usd', 'tokens', 'count' }) do
      local key, amount = KEYS[5] .. name .. ':' .. metric, entry[3 + index]
      local isAdded = index == 1 or amount > 0
      -- A new member may be the first of its key.
      if isAdded and tonumber(redis.call('ZINCRBY', key, amount, member)) == amount then
        redis.call('PEXPIREAT', key, untilMs)
      end
    end
  end
end

local record = redis.pcall('HMGET', KEYS[2], 'at', 'tokens', 'nanoUsd', 'warnings')
if record.err then
  -- A string: limit-add has counted the call.
  return { 'settled' }
end
if record[4] then
  return { 'settled', unpack(cjson.decode(record[4])) }
end
redis.call('HDEL', KEYS[2], '')
local reserved = { tonumber(record[2] or 0), tonumber(record[3] or 0) }
local took = { args.tokens or reserved[1], args.nanoUsd or reserved[2] }
local function settle(counter, used)
  for window = 1, 4 do
    local at = (window - 1) * perWindow
    for index, each in ipairs(spent) do
      -- A reservation in a window that has ended stays there; a counter that was lost since holds no reservation.
      local isHere = not record[1] or tonumber(record[1]) >= used[at + 1]
      if isHere and not (record[1] and known[counter]) then
        used[at + each.used] = bounded(used[at + each.used] + took[index])
      elseif isHere then
        used[at + each.used] = bounded(used[at + each.used] + took[index] - reserved[index])
        used[at + each.held] = bounded(used[at + each.held] - reserved[index])
      end
    end
  end
end
for counter, used in ipairs(counters) do
  settle(counter, used)
end
local warnings = {}
for _, cap in ipairs(caps) do
  if cap.spent then
    local used = counters[cap.counter]
    local settled = used[cap.at + cap.spent.used] - used[cap.at + cap.spent.held]
    local warned = cap.at + cap.spent.warned
    -- A warning about another cap doesn't count.
    local known = used[warned] == cap.most and used[warned + 1] or 0
    for _, percent in ipairs({ 90, 75, 50 }) do
      if cap.most > 0 and settled >= cap.most * percent / 100 and percent > known then
        used[warned], used[warned + 1] = cap.most, percent
        warnings[#warnings + 1] =
          table.concat({ cap.counter, cap.window, cap.metric, percent, text(settled), text(cap.most) }, ' ')
        break
      end
    end
  end
end
for counter, used in ipairs(counters) do
  write(counter, used)
end
addSpent(args.spent)
-- cjson encodes an empty list as an object, which unpacks to nothing as well.
redis.call('HSET', KEYS[2], 'warnings', cjson.encode(warnings))
if record[1] then
  redis.call('HDEL', KEYS[2], 'at', 'tokens', 'nanoUsd')
end
redis.call('PEXPIRE', KEYS[2], args.ttlMs)
return { 'settled', unpack(warnings) }
