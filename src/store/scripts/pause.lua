-- Sets the pause of one scope, if it hasn't changed since the caller read it. Idempotent.
-- KEYS 1 pauses; ARGV 1 scope, 2 value that the caller has read ('' = none), 3 new value
-- Returns 1, or 0: another process has changed it.
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory: the kill switch still works.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
