-- Accepts one inbound event, once: puts an entry into the inbox or, for what was answered at once, into the outbox.
-- KEYS 1 seen, 2 state, 3 list (inbox or outbox), 4 wake, 5 settings
-- ARGV 1 event id, 2 entry, 3 delay in ms (a burst waits for its other pieces; '' for the outbox: the inbox' own time
--      stays as it is), 4 wake member, 5 how long ids are remembered in ms, 6 most entries that may wait, 7 channel on
--      which a running turn's worker is told to look at once ('' = it need not), 8 what it is told: the chat, 9 the
--      mode (`whileBusy`) of a chat that has none of its own, 10 '1': it is told in every mode, not only where messages may
--      join or end the turn
-- Returns 'duplicate', 'full' or 'accepted'.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local urgent = false
if ARGV[7] ~= '' then
  local mode = redis.call('HGET', KEYS[5], 'whileBusy') or ARGV[9]
  urgent = (ARGV[10] == '1' or mode == 'steer' or mode == 'interrupt') and redis.call('HEXISTS', KEYS[2], 'owner') == 1
end
local seen = redis.call('ZSCORE', KEYS[1], ARGV[1])
if seen and tonumber(seen) > now - ARGV[5] then
  return 'duplicate'
end
if redis.call('LLEN', KEYS[3]) >= tonumber(ARGV[6]) then
  return 'full'
end
-- A full memory forbids a script's first write, and only that one: nothing new may come in then, while answers must go
-- out, hence a first write for them that needs no memory and changes nothing.
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[2], '')
end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('RPUSH', KEYS[3], ARGV[2])
local delay = tonumber(ARGV[3]) or 0
if delay > 0 then
  redis.call('HSET', KEYS[2], 'notBefore', now + delay)
elseif ARGV[3] ~= '' then
  redis.call('HDEL', KEYS[2], 'notBefore')
end
redis.call('ZADD', KEYS[4], now + delay, ARGV[4])
if urgent then
  -- Only quickens what the next heartbeat tells: a server that forbids it must not lose the message.
  redis.pcall('PUBLISH', ARGV[7], ARGV[8])
end
return 'accepted'
