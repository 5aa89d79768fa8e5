-- Says that a process is there, and learns how many are. Those that were not heard of for a time do not count.
-- KEYS 1 members; ARGV 1 the process, 2 for how many ms it counts from now; 0: it leaves.
-- Returns the number of members.
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
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
