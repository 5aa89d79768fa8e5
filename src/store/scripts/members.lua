-- Registers a process and counts the registered ones. A registration that isn't renewed expires.
-- KEYS 1 members; ARGV 1 the process, 2 for how many ms it counts from now; 0: it leaves
-- Returns the number of members.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('ZREM', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if tonumber(ARGV[2]) > 0 then
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return redis.call('ZCARD', KEYS[1])
