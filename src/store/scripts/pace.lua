-- Asks whether a bot may make one more request now. The bot and each of its chats have a limit (GCRA). A request that
-- must wait gets a time to ask again, each a different one, so that requests queue in order and don't retry at the same
-- moment.
-- The person who a request is made for has a share of the bot's rate (GCRA, too). Requests within the share go before
-- those beyond it; requests beyond it use the remaining rate, but never the last half of the burst.
-- KEYS 1 the bot's rate, 2 the chat's (the bot's again if it has no limit), 3 the share (the bot's again if there is
-- none)
-- ARGV 1 the request: 'spare' (optional: only if there is plenty), 'preview' (optional, but it queues), 'final',
--      'waited' (a final that asks again), 'back' (was granted and not needed), 'hold' (pauses all requests for a time)
--      2 ms from one request to the next, 3 burst, 4–5 the same for the chat, 6 ms to hold, 7–8 the same for the share
--      ('' = no limit, no share)
-- Fields, in ms by Redis' clock: 'tat' GCRA's theoretical arrival time; 'queue', 'retries', 'crowd' and 'previews' the
-- next free time in each queue ('crowd': requests beyond their share); 'held' the end of a hold. The chat's rate is its
-- 'tat' alone, a string. A share's fields: 'tat', 'queue' its next free time, 'paid' how many requests in the bot's
-- queue were already charged to it.
-- Returns in how many ms to ask again, or 0: granted.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
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
-- It doesn't matter which of one person's waiting requests goes first.
local isPaid = shareEvery and what == 'waited' and paid > 0
local isBeyond = shareWait > 0 and not isPaid
-- Half of the burst is reserved for finals within their share.
local function opened(burst)
  return isUrgent and burst or math.ceil(burst / 2)
end
local open = isBeyond and math.ceil(burst / 2) or opened(burst)
local botWait = math.max(waitFor(bot.tat, every, open), bot.held - now)
local chatWait = chatEvery and waitFor(chatTat, chatEvery, opened(chatBurst)) or 0
-- Waiting requests go before new ones, and requests within their share don't wait for those beyond it.
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
-- A request that waits only for the chat's rate takes no slot in the bot's queue.
local turn = now + math.max(chatWait, 0)
if botWait > 0 or isQueued then
  -- The chat's wait doesn't delay the slot in the bot's queue: all later requests, of any chat, would wait as long.
  local place = now + math.max(botWait, 0)
  if isBeyond then
    place = math.max(place, finals, bot.crowd)
    -- The person's own share applies even while requests beyond their share are queued.
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
