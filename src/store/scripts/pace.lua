-- Asks whether a bot may make one more request now. Two limits (GCRA) are kept: of the bot, and of one of its chats.
-- What cannot go at once is told when to ask again, each asker a different time, so that a queue forms: nobody who comes
-- later goes before those that wait, and no crowd asks at the same moment.
-- KEYS 1 the bot's pace, 2 the chat's (the bot's again where it has no limit)
-- ARGV 1 what: 'spare' (perhaps it is not needed: only where there is plenty), 'preview' (likewise, but it queues), 'final',
--      'waited' (a final that was told when to ask again), 'back' (was granted and not needed), 'hold' (nothing goes for a while)
--      2 ms from one request to the next, 3 most at once, 4–5 the same for the chat ('' = no limit), 6 ms to hold
-- Fields: 'tat' when all that was granted is worked off, 'queue', 'retries' and 'previews' when the next that asks has its
-- turn, 'held' until when nothing goes; ms by Redis' clock. The chat's pace is its 'tat' alone.
-- Returns how many ms from now to ask again, or 0: granted.
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local what, every, burst = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local chatEvery, chatBurst = tonumber(ARGV[4]), tonumber(ARGV[5])
local st = redis.call('HMGET', KEYS[1], 'tat', 'queue', 'retries', 'previews', 'held')
local tat, queue, retries = tonumber(st[1] or 0), tonumber(st[2] or 0), tonumber(st[3] or 0)
local previews, held = tonumber(st[4] or 0), tonumber(st[5] or 0)
local chatTat = chatEvery and tonumber(redis.call('GET', KEYS[2]) or 0)

local function save()
  local last = math.max(tat, queue, retries, previews, held)
  local function ms(value)
    return string.format('%.3f', value)
  end
  redis.call('HSET', KEYS[1], 'tat', ms(tat), 'queue', ms(queue), 'retries', ms(retries), 'previews', ms(previews), 'held', ms(held))
  redis.call('PEXPIRE', KEYS[1], math.ceil(math.max(last - now, 0)) + 1000)
  if chatEvery then
    redis.call('SET', KEYS[2], ms(chatTat), 'PX', math.ceil(math.max(chatTat - now, 0)) + 1000)
  end
end
if what == 'hold' then
  held = math.max(held, now + ARGV[6])
  save()
  return 0
end
if what == 'back' then
  tat = tat - every
  chatTat = chatEvery and chatTat - chatEvery
  save()
  return 0
end

local isUrgent = what == 'final' or what == 'waited'
-- Half of what may come at once is kept for finals.
local function waitFor(tat, every, burst)
  local open = isUrgent and burst or math.ceil(burst / 2)
  return math.max(tat, now) + every - open * every - now
end
local botWait = math.max(waitFor(tat, every, burst), held - now)
local chatWait = chatEvery and waitFor(chatTat, chatEvery, chatBurst) or 0
local isQueued = what ~= 'waited' and math.max(queue, retries) > now
if botWait <= 0 and chatWait <= 0 and not isQueued then
  tat = math.max(tat, now) + every
  chatTat = chatEvery and math.max(chatTat, now) + chatEvery
  save()
  return 0
end
if what == 'spare' then
  return 1
end
-- Who waits for the chat only takes nobody's place in the bot's queue.
local turn = now + math.max(chatWait, 0)
if botWait > 0 or isQueued then
  -- Its place in the bot's queue is not later for its chat's sake: all behind it, of whatever chat, would wait as long.
  local place = now + math.max(botWait, 0)
  if what == 'waited' then
    place = math.max(place, retries)
    retries = place + every
  elseif what == 'final' then
    place = math.max(place, queue, retries)
    queue = place + every
  else
    place = math.max(place, queue, retries, previews)
    previews = place + every
  end
  turn = math.max(turn, place)
  save()
end
return math.max(1, math.ceil(turn - now))
