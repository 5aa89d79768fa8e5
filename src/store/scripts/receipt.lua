-- Writes down what became of a send, and, when asked, drops the finished entry and gives the outbox back. An entry that is
-- given up is moved to the dead letters instead.
-- KEYS 1 state, 2 outbox, 3 draft, 4 wake, 5 ledger of the entry or draft, 6 index of the shard's dead letters
-- ARGV 1 token, 2 lease in ms, 3 id of the entry or draft, 4 '1' when the entry is finished, 5 '1' to release, '2' to release what gives way
--      to others meanwhile, 6 next attempt in ms from now at the earliest ('' = at any time), 7 wake member, 8 time to live of the ledger in ms,
--      9 '1' when the fate of the last request is unknown, '0' when it is known, '' to leave that as it is,
--      10 keys of the approvals whose card this is ('' = none), 11 the card's message id, 12 id of what is sent next ('' = the same),
--      13 field of the ledger that counts this failure ('' = none has happened); the entry is given up when it counts
--      14 at least and the first that it counts was 15 ms ago, 16 id of a dead letter that is then made, and where the entry
--      is finished by this, too ('' = none), 17 why it was given up, 18 the cause in words, 19 '1' where it may have arrived,
--      20 time to live of dead letters in ms, 21 most of a chat, 22 most of a shard, 23 beginning of dead letters' keys,
--      24 chat, 25 the id of a message that asks for something else by buttons ('' = it is none), then ledger pairs ('' as a
--      value takes the field away)
-- Returns {'written', 1 when there is more to send and 0 else, 1 when the entry was given up and 0 else} | {'fenced'}. More:
-- there are entries left or, where it is released, somebody was turned away by this lease and may have known of something.
if redis.call('HGET', KEYS[1], 'out:owner') ~= ARGV[1] then
  return { 'fenced' }
end
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for index = 26, #ARGV, 2 do
  if ARGV[index + 1] == '' then
    redis.call('HDEL', KEYS[5], ARGV[index])
  else
    redis.call('HSET', KEYS[5], ARGV[index], ARGV[index + 1])
  end
end
local finished = ARGV[4] == '1'
local delay = ARGV[6]
if ARGV[13] ~= '' then
  redis.call('HSETNX', KEYS[5], 'since', now)
  local count = redis.call('HINCRBY', KEYS[5], ARGV[13], 1)
  local since = tonumber(redis.call('HGET', KEYS[5], 'since'))
  if count >= tonumber(ARGV[14]) and now - since >= tonumber(ARGV[15]) then
    finished = true
    delay = ''
  end
end
if #ARGV >= 26 or ARGV[13] ~= '' then
  redis.call('PEXPIRE', KEYS[5], ARGV[8])
end
-- Only while something waits: it says what a bare yes may answer, and nothing else keeps the state of an idle chat.
if ARGV[25] ~= '' and (redis.call('HGET', KEYS[1], 'approvals') or '') ~= '' then
  redis.call('HSET', KEYS[1], 'out:asked', ARGV[25])
end
for approval in string.gmatch(ARGV[10], '%S+') do
  if redis.call('EXISTS', approval) == 1 then
    redis.call('HSET', approval, 'card', ARGV[11])
  end
end

-- Scores are microseconds, so that what dies in one millisecond keeps its order, too.
local function bury(entry)
  local at, suffix = string.format('%.0f', time[1] * 1000000 + time[2]), ' ' .. ARGV[24]
  local members = redis.call('ZRANGE', KEYS[6], 0, -1, 'WITHSCORES')
  local ours, kept = 1, {}
  local function isOurs(member)
    return string.sub(member, -#suffix) == suffix
  end
  local function forget(member)
    local id, chat = string.match(member, '^(%S+) (.*)$')
    redis.call('DEL', ARGV[23] .. chat .. ':' .. id)
    redis.call('ZREM', KEYS[6], member)
  end
  for index = 1, #members, 2 do
    if isOurs(members[index]) then
      ours = ours + 1
    end
  end
  -- First those whose time is over and the oldest of this chat, then the oldest of all.
  for index = 1, #members, 2 do
    local member = members[index]
    if tonumber(members[index + 1]) <= at - ARGV[20] * 1000 or (isOurs(member) and ours > tonumber(ARGV[21])) then
      forget(member)
      ours = isOurs(member) and ours - 1 or ours
    else
      kept[#kept + 1] = member
    end
  end
  for index = 1, #kept + 1 - ARGV[22] do
    forget(kept[index])
  end
  local counts = redis.call('HMGET', KEYS[5], 'tries', 'throws')
  local key = ARGV[23] .. ARGV[24] .. ':' .. ARGV[16]
  local tries = tonumber(counts[1] or 0) + tonumber(counts[2] or 0)
  redis.call('HSET', key, 'v', 1, 'entry', entry, 'why', ARGV[17], 'cause', ARGV[18], 'doubtful', ARGV[19], 'at', now, 'tries', math.max(tries, 1))
  redis.call('PEXPIRE', key, ARGV[20])
  redis.call('ZADD', KEYS[6], at, ARGV[16] .. suffix)
  redis.call('PEXPIRE', KEYS[6], ARGV[20])
end

local given = 0
if finished then
  -- It is the first, or has overtaken some that are patient.
  local index, stored, id, entry = -1, nil, nil, nil
  repeat
    index = index + 1
    stored = redis.call('LINDEX', KEYS[2], index)
    id, entry = string.match(stored or '', '^(%S+) (.*)$')
  until not stored or (id or '') == ARGV[3]
  if stored then
    redis.call('LREM', KEYS[2], 1, stored)
    if ARGV[16] ~= '' then
      bury(entry or stored)
      given = 1
    end
  end
end
local more = redis.call('LLEN', KEYS[2]) > 0
if ARGV[9] == '1' and not finished then
  -- The first of several requests whose fate is unknown is the one that counts.
  if redis.call('HGET', KEYS[1], 'out:interrupted') ~= ARGV[3] then
    redis.call('HSET', KEYS[1], 'out:interrupted', ARGV[3], 'out:doubtAt', now)
  end
elseif (ARGV[9] == '0' or finished) and redis.call('HGET', KEYS[1], 'out:interrupted') == ARGV[3] then
  redis.call('HDEL', KEYS[1], 'out:interrupted', 'out:doubtAt')
end
if ARGV[12] ~= '' then
  redis.call('HSET', KEYS[1], 'out:doing', ARGV[12])
end
if ARGV[5] ~= '0' then
  more = redis.call('HDEL', KEYS[1], 'out:again') == 1 or more
  redis.call('HDEL', KEYS[1], 'out:owner', 'out:lease', 'out:doing')
  if delay ~= '' then
    redis.call('HSET', KEYS[1], 'out:notBefore', now + delay)
    if ARGV[5] == '2' then
      redis.call('HSET', KEYS[1], 'out:yields', now + delay)
    end
    redis.call('ZADD', KEYS[4], now + delay, ARGV[7])
  elseif more then
    redis.call('ZADD', KEYS[4], now, ARGV[7])
  else
    redis.call('ZREM', KEYS[4], ARGV[7])
  end
else
  local lease = now + ARGV[2]
  redis.call('HSET', KEYS[1], 'out:lease', lease)
  redis.call('ZADD', KEYS[4], lease, ARGV[7])
end
return { 'written', more and 1 or 0, given }
