-- Asks whether a bot may make one more request now. Limits (GCRA) are kept of the bot and of one of its chats. What cannot go
-- at once is told when to ask again, each asker a different time, so that a queue forms: nobody who comes later goes before
-- those that wait, and no crowd asks at the same moment.
-- Whoever it is done for has a share (a GCRA, too) of the bot's pace. Within it they go before those who are beyond theirs;
-- beyond it they have whatever others leave, but never the last half of what may come at once.
-- KEYS 1 the bot's pace, 2 the chat's (the bot's again where it has no limit), 3 the share (likewise)
-- ARGV 1 what: 'spare' (perhaps it is not needed: only where there is plenty), 'preview' (likewise, but it queues), 'final',
--      'waited' (a final that was told when to ask again), 'back' (was granted and not needed), 'hold' (nothing goes for a while)
--      2 ms from one request to the next, 3 most at once, 4–5 the same for the chat, 6 ms to hold, 7–8 the same for the share
--      ('' = no limit, no share)
-- Fields: 'tat' when all that was granted is worked off, 'queue', 'retries', 'crowd' and 'previews' when the next that asks has
-- its turn ('crowd': of those beyond their share), 'held' until when nothing goes; ms by Redis' clock. The chat's pace is its
-- 'tat' alone, a string; a share's fields: 'tat', 'queue' when the next that waits for it has its turn, 'paid' how many wait in
-- the bot's queue that it was charged with.
-- Returns how many ms from now to ask again, or 0: granted.
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local what, every, burst = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local chatEvery, chatBurst = tonumber(ARGV[4]), tonumber(ARGV[5])
local isUrgent = what == 'final' or what == 'waited'
local shareEvery, shareBurst = isUrgent and tonumber(ARGV[7]), tonumber(ARGV[8])
local names = { 'tat', 'queue', 'retries', 'crowd', 'previews', 'held' }
local bot = {}
for index, value in ipairs(redis.call('HMGET', KEYS[1], unpack(names))) do
  bot[names[index]] = tonumber(value or 0)
end
local chatTat = chatEvery and tonumber(redis.call('GET', KEYS[2]) or 0)
local shareTat, shareQueue, paid
if shareEvery then
  local known = redis.call('HMGET', KEYS[3], 'tat', 'queue', 'paid')
  shareTat, shareQueue, paid = tonumber(known[1] or 0), tonumber(known[2] or 0), tonumber(known[3] or 0)
end

local function ms(value)
  return string.format('%.3f', value)
end
local function untilMs(last)
  return math.ceil(math.max(last - now, 0)) + 1000
end
local function save(turn)
  local fields, last = {}, 0
  for _, name in ipairs(names) do
    fields[#fields + 1] = name
    fields[#fields + 1] = ms(bot[name])
    last = math.max(last, bot[name])
  end
  redis.call('HSET', KEYS[1], unpack(fields))
  redis.call('PEXPIRE', KEYS[1], untilMs(last))
  if chatEvery then
    redis.call('SET', KEYS[2], ms(chatTat), 'PX', untilMs(chatTat))
  end
  if shareEvery then
    redis.call('HSET', KEYS[3], 'tat', ms(shareTat), 'queue', ms(shareQueue), 'paid', paid)
    redis.call('PEXPIRE', KEYS[3], untilMs(math.max(shareTat, shareQueue, turn)))
  end
end
if what == 'hold' then
  bot.held = math.max(bot.held, now + ARGV[6])
  save(now)
  return 0
end
if what == 'back' then
  bot.tat = bot.tat - every
  chatTat = chatEvery and chatTat - chatEvery
  save(now)
  return 0
end

local function waitFor(tat, every, open)
  return math.max(tat, now) + every - open * every - now
end
local shareWait = shareEvery and waitFor(shareTat, shareEvery, shareBurst) or 0
-- Of one person's that wait it is all the same which goes first.
local isPaid = shareEvery and what == 'waited' and paid > 0
local isBeyond = shareWait > 0 and not isPaid
-- Half of what may come at once is kept for finals of those who are within their share.
local function opened(burst)
  return isUrgent and burst or math.ceil(burst / 2)
end
local open = isBeyond and math.ceil(burst / 2) or opened(burst)
local botWait = math.max(waitFor(bot.tat, every, open), bot.held - now)
local chatWait = chatEvery and waitFor(chatTat, chatEvery, opened(chatBurst)) or 0
-- Who has waited goes before those that come, and nobody within their share waits for those beyond theirs.
local finals = math.max(bot.queue, bot.retries)
local before = isUrgent and not isBeyond and finals or math.max(finals, bot.crowd)
local isQueued = what ~= 'waited' and before > now
if botWait <= 0 and chatWait <= 0 and not isQueued then
  bot.tat = math.max(bot.tat, now) + every
  chatTat = chatEvery and math.max(chatTat, now) + chatEvery
  if isPaid then
    paid = paid - 1
  elseif shareEvery and not isBeyond then
    shareTat = math.max(shareTat, now) + shareEvery
  end
  save(now)
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
  if isBeyond then
    place = math.max(place, finals, bot.crowd)
    -- Whatever crowd stands before them, their share is theirs.
    local own = math.max(now + shareWait, bot.held, shareQueue)
    if own < place then
      place = own
      shareQueue = own + shareEvery
    else
      bot.crowd = place + every
    end
  elseif isUrgent then
    local isFirst = what == 'final'
    place = math.max(place, bot.retries, isFirst and bot.queue or 0)
    bot[isFirst and 'queue' or 'retries'] = place + every
    if shareEvery and not isPaid then
      shareTat = math.max(shareTat, now) + shareEvery
      paid = paid + 1
    end
  else
    place = math.max(place, finals, bot.crowd, bot.previews)
    bot.previews = place + every
  end
  turn = math.max(turn, place)
  save(turn)
end
return math.max(1, math.ceil(turn - now))
