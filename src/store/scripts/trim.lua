-- Drops entries older than the retention from the beginning of an idle chat's history, whole turns only, and facts and
-- summaries that are older than theirs.
-- KEYS 1 state, 2 log, 3 the memory's windows, 4 their vectors, 5 facts, 6 summaries
-- ARGV 1 retention in ms, 2 most entries to look at, 3 retention of facts and summaries in ms (0 = for ever)
-- Returns how many entries were dropped; 0 also if the chat is not idle: it is due again after its next turn.
local st = redis.call('HMGET', KEYS[1], 'owner', 'state', 'logBase', 'viewStart')
if st[1] or (st[2] and st[2] ~= '') then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local cutoff, most = now - ARGV[1], tonumber(ARGV[2])
local length = redis.call('LLEN', KEYS[2])
local cut, at, before, isYoung = 0, 0, '', false
while at < length and at < most and not isYoung do
  for _, entry in ipairs(redis.call('LRANGE', KEYS[2], at, at + 99)) do
    local kind = string.match(entry, '^{"kind":"(%a+)"') or ''
    -- A turn begins with a message; a message after another message or a result belongs to the turn before.
    if kind == 'reset' or (kind == 'message' and before ~= 'message' and before ~= 'tool') then
      cut = at
      local written = tonumber(string.match(entry, '[,{]"atMs":(%d+)') or 0)
      if written >= cutoff then
        isYoung = true
        break
      end
    end
    before = kind
    at = at + 1
  end
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
if cut > 0 then
  local base = tonumber(st[3] or 0) + cut
  redis.call('LTRIM', KEYS[2], cut, -1)
  redis.call('HSET', KEYS[1], 'logBase', base, 'viewStart', math.max(tonumber(st[4] or 0), base))
  -- A window that began before goes, with the few messages that only it holds: tomorrow they go, too.
  local first = tonumber(redis.call('HGET', KEYS[3], 'first') or '')
  while first do
    local from = string.match(redis.call('HGET', KEYS[3], first) or '', '^{"v":1,"f":(%d+)')
    if not from or tonumber(from) >= base then
      redis.call('HSET', KEYS[3], 'first', first)
      break
    end
    redis.call('HDEL', KEYS[3], first)
    redis.call('HDEL', KEYS[4], first)
    first = first + 1
  end
  local payer = redis.call('HGET', KEYS[4], 'payer')
  if payer and tonumber(string.match(payer, '"to":(%d+)') or 0) <= base then
    redis.call('HDEL', KEYS[4], 'payer')
  end
end
-- Each new one renews the time for which all are kept.
local memory = tonumber(ARGV[3])
local function isOver(json)
  return memory > 0 and now - tonumber(string.match(json, '"atMs":(%d+)') or now) > memory
end
local facts = redis.call('HGETALL', KEYS[5])
for index = 1, #facts, 2 do
  if isOver(facts[index + 1]) then
    redis.call('HDEL', KEYS[5], facts[index])
  end
end
for _, summary in ipairs(redis.call('LRANGE', KEYS[6], 0, -1)) do
  if isOver(summary) then
    redis.call('LREM', KEYS[6], 0, summary)
  end
end
-- What exceeded the limit of this call is due after the next turn; if nothing could be dropped, in a day.
if isYoung or at >= length or cut == 0 then
  redis.call('HSET', KEYS[1], 'trimmed', now)
end
return cut
