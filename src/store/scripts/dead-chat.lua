-- Marks a chat as dead, since nothing can be sent there any more, or as alive again, and has its schedules looked at now.
-- KEYS 1 state, 2 inbox, 3 schedules, 4 wake
-- ARGV 1 named fields as JSON:
--   chat, inMember   the chat, and its inbox' member in the wake index
--   isDead           absent: it is alive again
--   stops            ends the running turn and everything that waits: no one could read the answers
--   ttlMs            how long the mark of a chat without turns is kept
-- Returns {'changed' | 'same', 1 if a turn was stopped, else 0}. A repetition changes nothing but the schedules' next look.
local args = cjson.decode(ARGV[1])
local st = redis.call('HMGET', KEYS[1], 'out:dead', 'inBase', 'state', 'stop', 'turn', 'revision', 'out:refused')
local plans = redis.call('HGETALL', KEYS[3])
if not args.isDead and not st[1] and not st[7] then
  return { 'same', 0 }
end
if args.isDead and not st[6] and #plans == 0 and redis.call('EXISTS', KEYS[1]) == 0 then
  return { 'same', 0 }
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stopped = 0
if args.isDead then
  redis.call('HSETNX', KEYS[1], 'out:dead', now)
  local waiting, isOpen = redis.call('LLEN', KEYS[2]), (st[3] or '') ~= ''
  if args.stops and (isOpen or waiting > 0) then
    local reach = waiting > 0 and tonumber(st[2] or 0) + waiting or 0
    redis.call('HSET', KEYS[1], 'stop', math.max(tonumber(st[4] or 0), isOpen and tonumber(st[5] or 0) or 0, reach))
    redis.call('HDEL', KEYS[1], 'notBefore')
    redis.call('ZADD', KEYS[4], 'LT', now, args.inMember)
    stopped = 1
  end
  if not st[6] and redis.call('PTTL', KEYS[1]) == -1 then
    redis.call('PEXPIRE', KEYS[1], args.ttlMs)
  end
else
  redis.call('HDEL', KEYS[1], 'out:dead', 'out:refused')
end
for index = 1, #plans, 2 do
  local sought = args.isDead and '"nextMs":' or '"isDead":true'
  if string.find(plans[index + 1], sought, 1, true) then
    redis.call('ZADD', KEYS[4], now, 'plan:' .. args.chat .. '/' .. plans[index])
  end
end
return { (st[1] ~= false) == (args.isDead == true) and 'same' or 'changed', stopped }
