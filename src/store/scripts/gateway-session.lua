-- Keeps or reads what another process needs to resume a shard of Discord's gateway.
-- KEYS 1 session; ARGV 1 "read", or "write" and 2 the writer's fence, 3 session (JSON), 4 how many ms ago everything
-- that had arrived was durable, 5 time to live in ms, 6 how many ms ago everything before the session was durable,
-- while events missed since then are still to be fetched ('' = none).
-- read: returns {session, ms since everything was durable, ms since events have to be fetched or ''}, or nothing.
-- write: returns 1, or 0 when an owner with a greater fence has written.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[1], 'fence', 'session', 'at', 'missed')
if ARGV[1] == 'read' then
  if not held[2] then
    return {}
  end
  return { held[2], math.max(0, now - tonumber(held[3])), held[4] and math.max(0, now - tonumber(held[4])) or '' }
end
if held[1] and tonumber(held[1]) > tonumber(ARGV[2]) then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'fence', ARGV[2], 'session', ARGV[3], 'at', now - ARGV[4])
if ARGV[6] == '' then
  redis.call('HDEL', KEYS[1], 'missed')
else
  redis.call('HSET', KEYS[1], 'missed', now - ARGV[6])
end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
