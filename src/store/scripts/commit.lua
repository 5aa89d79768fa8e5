-- One atomic, fenced change of a chat's turn. All of it happens, or none.
-- KEYS 1 state, 2 inbox, 3 log, 4 calls, 5 outbox, 6 draft, 7 wake, 8 usage by model, 9 settings, 10 to-dos
-- ARGV 1 token, 2 revision that the caller knows, 3 lease in ms, 4 state ('' = idle), 5 turn, 6 inbox entries consumed,
--      7 '1' to release, 8 how many ms after a release to wake ('' = when there is news), 9 '1' to clear the journal,
--      10 index of the last reset among the appended entries (0 = none), 11 ids of the approvals still pending,
--      12 in: member, 13 out: member, 14 prefix of approvals' keys, 15 retention in ms, 16–19 usage: turns, model
--      calls, input and output tokens, 20–24 how many follow of: log entries, outbox entries, journal pairs,
--      approvals to open (id, approval, ms until it expires), approvals to close (id, status),
--      25 inbox entries that the caller has seen and left, 26 how long a closed approval is kept in ms, 27 log position
--      at which the view begins from now on ('' = as before), 28–29 how many follow of: entries for the end of the
--      inbox, pairs of usage by model (field, amount; '' = only a mark),
--      30 '1' when the turn got further: the deaths of its workers so far do not count any more
-- Returns {'committed', revision, stop, again, waiting, old} | {'fenced'} | {'decided'}; again = 1: released, and there is
-- news that the caller has not seen; waiting: inbox entries; old = 1: the history's beginning is to be looked at (`trim`). A revision that repeats (the client sent the script again because
-- its reply was lost) returns the first outcome, with stop and waiting as they are by then, and writes nothing.
local st = redis.call('HMGET', KEYS[1], 'owner', 'last', 'revision', 'stop', 'logBase', 'again', 'viewStart', 'inBase')
local revision, stop = tonumber(st[3] or 0), tonumber(st[4] or 0)
local known = tonumber(ARGV[2])
local name = ARGV[1] .. ' ' .. ARGV[2]
if st[2] == name then
  return { 'committed', known + 1, stop, tonumber(st[6]), redis.call('LLEN', KEYS[2]), 0 }
end
if st[1] ~= ARGV[1] or revision ~= known then
  return { 'fenced' }
end

-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local logCount, outCount, journalCount = tonumber(ARGV[20]), tonumber(ARGV[21]), tonumber(ARGV[22])
local askCount, closeCount = tonumber(ARGV[23]), tonumber(ARGV[24])
local enqueueCount, spentCount = tonumber(ARGV[28]), tonumber(ARGV[29])
local logFrom = 31
local outFrom = logFrom + logCount
local journalFrom = outFrom + outCount
local askFrom = journalFrom + journalCount * 2
local closeFrom = askFrom + askCount * 3
local enqueueFrom = closeFrom + closeCount * 2
local spentFrom = enqueueFrom + enqueueCount

for index = 0, closeCount - 1 do
  if redis.call('HGET', ARGV[14] .. ARGV[closeFrom + index * 2], 'status') ~= 'pending' then
    return { 'decided' }
  end
end
-- Redis rolls nothing back: whatever could fail is settled before the first write.
local names = { 'usage:turns', 'usage:modelCalls', 'usage:inputTokens', 'usage:outputTokens' }
local usage = {}
for index = 1, 4 do
  local count = tonumber(ARGV[15 + index])
  if count and count >= 1 and count <= 1e12 then
    usage[names[index]] = string.format('%.0f', math.floor(count))
  end
end
-- The view never begins earlier than it did, nor behind the log's end.
local logEnd = tonumber(st[5] or 0) + redis.call('LLEN', KEYS[3]) + logCount
local viewStart, asked = tonumber(st[7] or 0), math.floor(tonumber(ARGV[27]) or 0)
if asked <= logEnd then
  viewStart = math.max(viewStart, asked)
end
if tonumber(ARGV[10]) > 0 then
  viewStart = math.max(viewStart, logEnd - logCount + ARGV[10])
end

for index = 0, closeCount - 1 do
  local id = ARGV[closeFrom + index * 2]
  redis.call('HSET', ARGV[14] .. id, 'status', ARGV[closeFrom + index * 2 + 1], 'decidedAt', now)
  redis.call('PEXPIRE', ARGV[14] .. id, ARGV[26])
  redis.call('ZREM', KEYS[7], 'appr:' .. id)
end
-- Whatever comes behind this position was written after the question.
local position = tonumber(st[8] or 0) + redis.call('LLEN', KEYS[2])
for index = 0, askCount - 1 do
  local at = askFrom + index * 3
  local expiresAt = string.format('%.0f', now + ARGV[at + 2])
  redis.call('HSET', ARGV[14] .. ARGV[at], 'approval', ARGV[at + 1], 'status', 'pending', 'expiresAt', expiresAt,
    'askedAtPosition', position)
  redis.call('ZADD', KEYS[7], expiresAt, 'appr:' .. ARGV[at])
end

for index = logFrom, outFrom - 1 do
  redis.call('RPUSH', KEYS[3], ARGV[index])
end
if viewStart > tonumber(st[7] or 0) then
  redis.call('HSET', KEYS[1], 'viewStart', viewStart)
end
for index = outFrom, journalFrom - 1 do
  redis.call('RPUSH', KEYS[5], ARGV[index])
end
if outCount > 0 or ARGV[4] == '' then
  redis.call('DEL', KEYS[6])
end
if outCount > 0 then
  redis.call('ZADD', KEYS[7], now, ARGV[13])
end
if ARGV[9] == '1' then
  redis.call('DEL', KEYS[4])
end
for index = journalFrom, askFrom - 1, 2 do
  redis.call('HSET', KEYS[4], ARGV[index], ARGV[index + 1])
end
local take = tonumber(ARGV[6])
if take > 0 then
  -- Somebody has stopped their message in this turn since the caller read it. What was stopped before lies in front of it.
  local opener = math.max(tonumber(ARGV[5]) - tonumber(st[8] or 0) - 1, 0)
  for _, entry in ipairs(ARGV[4] ~= '' and redis.call('LRANGE', KEYS[2], opener, take - 1) or {}) do
    if string.find(entry, '^{"kind":"%a+","stopped":true,') then
      stop = math.max(stop, tonumber(ARGV[5]))
      redis.call('HSET', KEYS[1], 'stop', stop)
    end
  end
  redis.call('LTRIM', KEYS[2], take, -1)
  redis.call('HINCRBY', KEYS[1], 'inBase', take)
end
-- Whoever stopped this turn meanwhile has stopped what would have followed from it, too.
if stop >= tonumber(ARGV[5]) then
  enqueueFrom = spentFrom
end
for index = enqueueFrom, spentFrom - 1 do
  redis.call('RPUSH', KEYS[2], ARGV[index])
end
local waiting = redis.call('LLEN', KEYS[2])
for name, count in pairs(usage) do
  redis.call('HINCRBY', KEYS[1], name, count)
end
for index = spentFrom, spentFrom + spentCount * 2 - 1, 2 do
  if ARGV[index + 1] == '' then
    redis.pcall('HSET', KEYS[8], ARGV[index], 1)
  else
    -- A figure that cannot grow, since what stands there is none, must not end the commit half way.
    redis.pcall('HINCRBYFLOAT', KEYS[8], ARGV[index], ARGV[index + 1])
  end
end

revision = revision + 1
redis.call('HSET', KEYS[1], 'revision', revision, 'turn', ARGV[5], 'approvals', ARGV[11])
if ARGV[4] == '' then
  redis.call('HDEL', KEYS[1], 'state')
else
  redis.call('HSET', KEYS[1], 'state', ARGV[4])
end
local again, old = 0, 0
if ARGV[30] == '1' then
  redis.call('HDEL', KEYS[1], 'deaths', 'missed', 'misses')
end
if ARGV[7] == '1' then
  redis.call('HDEL', KEYS[1], 'owner', 'lease', 'deaths', 'missed', 'misses')
  if ARGV[4] == '' then
    redis.call('PEXPIRE', KEYS[1], ARGV[15])
    redis.call('PEXPIRE', KEYS[3], ARGV[15])
    redis.call('PEXPIRE', KEYS[8], ARGV[15])
    redis.call('PEXPIRE', KEYS[9], ARGV[15])
    redis.call('PEXPIRE', KEYS[10], ARGV[15])
    -- Once a day: a chat that is used every day never expires as a whole.
    if redis.call('HSETNX', KEYS[1], 'trimmed', now) == 0 and now - redis.call('HGET', KEYS[1], 'trimmed') >= 86400000 then
      old = 1
    end
  end
  if waiting > tonumber(ARGV[25]) or (ARGV[4] ~= '' and stop >= tonumber(ARGV[5])) then
    again = 1
  end
  for id in string.gmatch(ARGV[11], '%S+') do
    if redis.call('HGET', ARGV[14] .. id, 'status') ~= 'pending' then
      again = 1
    end
  end
  if again == 1 then
    redis.call('ZADD', KEYS[7], now, ARGV[12])
  elseif ARGV[8] ~= '' then
    redis.call('ZADD', KEYS[7], now + ARGV[8], ARGV[12])
  else
    redis.call('ZREM', KEYS[7], ARGV[12])
  end
else
  local lease = now + ARGV[3]
  redis.call('HSET', KEYS[1], 'lease', lease)
  redis.call('ZADD', KEYS[7], lease, ARGV[12])
end
redis.call('HSET', KEYS[1], 'last', name, 'again', again)
return { 'committed', revision, stop, again, waiting, old }
