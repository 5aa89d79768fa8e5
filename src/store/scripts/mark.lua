-- Remembers the id of an event that was answered at once and wrote nothing else.
-- KEYS 1 seen; ARGV 1 event id, 2 how long ids are remembered in ms
-- Returns 1 if the id is new, else 0.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('ZREM', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local new = redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return new
