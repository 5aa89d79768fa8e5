-- Counts what people and chats use, in all counters and windows at once, once per id: 'take' counts a message, or reserves
-- what a model call takes at most, and only where no cap would be passed (a message also where no tokens are left); 'settle' puts what a call has taken in the place of
-- what was reserved for it, or counts it where nothing was.
-- KEYS 1 the rules' version, 2 the id's record, 3 and 4 who was told of a refusal (followed by the window's name, the metric
--      and the most; which of the two, each cap says), 5 and on the counters
-- ARGV 1 what, 2 version that the caller knows, 3–10 start and end of the minute, hour, day and month that the caller means,
--      11 event id ('' = nobody is told of a refusal), 12 how long the record is kept in ms, 13 messages, 14 tokens, 15 billionths of a dollar ('' = as many as
--      were reserved), 16 most ms for which a refusal is told once, then of each cap: counter, window, metric (1–3), most,
--      who is told (3 | 4)
-- Counters are hashes: of each window its start ('minute', 'hour', 'day', 'month') and, with its name before a colon,
--      'messages', 'tokens', 'nanoUsd', 'heldTokens' and 'heldNanoUsd' (of those, what is reserved), and 'warned<metric>',
--      the most and the percentage that somebody was warned of.
-- Returns {'stale'} (other rules hold by now) | {'again', ms} (another minute by Redis' clock, in ms since the epoch) |
--      {'taken'} | {'refused', cap, used, 1 if this event is the first that is told} | {'settled', warning …}, each
--      '<counter> <window> <metric> <percent> <used> <most>'. Sent again, what it returned before.
local names = { 'minute', 'hour', 'day', 'month' }
local metrics = { 'messages', 'tokens', 'nanoUsd' }
local held = { tokens = 'heldTokens', nanoUsd = 'heldNanoUsd' }
local isMessage = tonumber(ARGV[13]) > 0
-- What is read and changed here of each window; of a new one everything goes.
local kept = isMessage and { 'messages', 'tokens', 'heldTokens' } or { 'tokens', 'nanoUsd', 'heldTokens', 'heldNanoUsd' }
local all = { 'messages', 'tokens', 'nanoUsd', 'heldTokens', 'heldNanoUsd', 'warnedtokens', 'warnednanoUsd' }
-- Sums beyond it would not be exact any more.
local mostOfAll = 9007199254740991
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[2] then
  return { 'stale' }
end
if now < tonumber(ARGV[3]) or now >= tonumber(ARGV[4]) then
  return { 'again', now }
end
local starts, ends, fields = {}, {}, {}
for window, name in ipairs(names) do
  starts[window], ends[window] = ARGV[1 + 2 * window], tonumber(ARGV[2 + 2 * window])
  fields[#fields + 1] = name
  for _, field in ipairs(kept) do
    fields[#fields + 1] = name .. ':' .. field
  end
end
local function text(value)
  return string.format('%.0f', math.max(0, math.min(value, mostOfAll)))
end

-- What stands in a counter; a window that is over counts for nothing.
local function read(counter)
  local found = redis.call('HMGET', KEYS[4 + counter], unpack(fields))
  local used, at = { changes = {} }, 1
  for window = 1, 4 do
    local isNew = found[at] ~= starts[window]
    used[window] = { isNew = isNew }
    for index, field in ipairs(kept) do
      used[window][field] = not isNew and tonumber(found[at + index]) or 0
    end
    at = at + 1 + #kept
  end
  return used
end
local function change(used, window, field, value)
  used[window][field] = value
  used.changes[#used.changes + 1] = names[window] .. ':' .. field
  used.changes[#used.changes + 1] = text(value)
end
local function write(counter, used)
  local key, changes = KEYS[4 + counter], used.changes
  for window, name in ipairs(names) do
    if used[window].isNew then
      local old = {}
      for _, field in ipairs(all) do
        old[#old + 1] = name .. ':' .. field
      end
      redis.call('HDEL', key, unpack(old))
      changes[#changes + 1] = name
      changes[#changes + 1] = starts[window]
    end
  end
  if #changes > 0 then
    redis.call('HSET', key, unpack(changes))
  end
  if used[4].isNew then
    redis.call('PEXPIREAT', key, text(ends[4]))
  end
end
local counters = {}
for counter = 1, #KEYS - 4 do
  counters[counter] = read(counter)
end
local caps = {}
for index = 17, #ARGV, 5 do
  caps[#caps + 1] = {
    counter = tonumber(ARGV[index]),
    window = tonumber(ARGV[index + 1]),
    metric = metrics[tonumber(ARGV[index + 2])],
    most = tonumber(ARGV[index + 3]),
    told = KEYS[tonumber(ARGV[index + 4])],
  }
end

if ARGV[1] == 'take' then
  if redis.call('EXISTS', KEYS[2]) == 1 then
    return { 'taken' }
  end
  local add = { tokens = tonumber(ARGV[14]), nanoUsd = tonumber(ARGV[15]) }
  if isMessage then
    add = { messages = tonumber(ARGV[13]) }
  end
  local hit, hitAt
  for index, cap in ipairs(caps) do
    local used, more = counters[cap.counter][cap.window], add[cap.metric] or 0
    local isPassed = more > 0 and used[cap.metric] + more > cap.most
    -- Without a token nothing can be answered, by whatever model.
    local isSpent = isMessage and cap.metric == 'tokens' and used.tokens - used.heldTokens >= cap.most
    -- Of several that are hit, the one that lasts longest is told.
    if (isPassed or isSpent) and (not hit or cap.window > hit.window) then
      hit, hitAt = cap, index
    end
  end
  if hit then
    -- A limit that was changed meanwhile is another one.
    local told = table.concat({ hit.told, names[hit.window], hit.metric, text(hit.most) }, ':')
    local forMs = math.max(1, math.min(ends[hit.window] - now, tonumber(ARGV[16])))
    local isFirst = ARGV[11] ~= ''
      and (redis.call('SET', told, ARGV[11], 'PX', text(forMs), 'NX') or redis.call('GET', told) == ARGV[11])
    return { 'refused', hitAt - 1, text(counters[hit.counter][hit.window][hit.metric]), isFirst and 1 or 0 }
  end
  if not isMessage then
    -- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing. A new
    -- message may be refused then, while a turn that runs must go on.
    redis.call('HDEL', KEYS[5], '')
  end
  redis.call('HSET', KEYS[2], 'at', text(now), 'tokens', text(add.tokens or 0), 'nanoUsd', text(add.nanoUsd or 0))
  redis.call('PEXPIRE', KEYS[2], ARGV[12])
  for counter, used in ipairs(counters) do
    for window = 1, 4 do
      for metric, more in pairs(add) do
        local heldAs = held[metric]
        if more > 0 then
          change(used, window, metric, used[window][metric] + more)
        end
        if more > 0 and heldAs then
          change(used, window, heldAs, used[window][heldAs] + more)
        end
      end
    end
    write(counter, used)
  end
  return { 'taken' }
end

local record = redis.call('HMGET', KEYS[2], 'at', 'tokens', 'nanoUsd', 'warnings')
if record[4] then
  return { 'settled', unpack(cjson.decode(record[4])) }
end
redis.call('HDEL', KEYS[5], '')
local reserved = { tokens = tonumber(record[2] or 0), nanoUsd = tonumber(record[3] or 0) }
local took = { tokens = tonumber(ARGV[14]) or reserved.tokens, nanoUsd = tonumber(ARGV[15]) or reserved.nanoUsd }
for counter, used in ipairs(counters) do
  for window = 1, 4 do
    -- What was reserved in a window that is over stays there.
    local isHeldHere = record[1] and tonumber(record[1]) >= tonumber(starts[window]) and not used[window].isNew
    for metric, heldAs in pairs(held) do
      if isHeldHere then
        change(used, window, metric, used[window][metric] + took[metric] - reserved[metric])
        change(used, window, heldAs, math.max(0, used[window][heldAs] - reserved[metric]))
      elseif not record[1] and took[metric] ~= 0 then
        change(used, window, metric, used[window][metric] + took[metric])
      end
    end
  end
  write(counter, used)
end
local warnings = {}
for _, cap in ipairs(caps) do
  local used = counters[cap.counter][cap.window]
  local settled = held[cap.metric] and used[cap.metric] - used[held[cap.metric]] or 0
  local key, field = KEYS[4 + cap.counter], names[cap.window] .. ':warned' .. cap.metric
  -- Of another limit than this one nobody was warned yet.
  local most, before = string.match(redis.call('HGET', key, field) or '', '^(%d+) (%d+)$')
  local known = most == text(cap.most) and tonumber(before) or 0
  for _, percent in ipairs({ 90, 75, 50 }) do
    if cap.most > 0 and settled >= cap.most * percent / 100 and percent > known then
      redis.call('HSET', key, field, text(cap.most) .. ' ' .. percent)
      warnings[#warnings + 1] = table.concat({ cap.counter, cap.window, cap.metric, percent, text(settled), text(cap.most) }, ' ')
      break
    end
  end
end
-- An empty list would be read back as an empty object: neither has anything to unpack.
redis.call('HSET', KEYS[2], 'warnings', cjson.encode(warnings))
redis.call('HDEL', KEYS[2], 'at', 'tokens', 'nanoUsd')
redis.call('PEXPIRE', KEYS[2], ARGV[12])
return { 'settled', unpack(warnings) }
