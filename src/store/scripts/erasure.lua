-- Updates a running erasure, or ends it with a line in the audit log. One that another process has ended stays ended.
-- KEYS 1 erasures, 2 audit log, 3 mark that the server's files must be rewritten
-- ARGV 1 id, 2 'update' | 'finish', 3 the erasure | the line, 4 most lines
-- Returns 1, or 0: there is no such erasure.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
if ARGV[2] == 'update' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  return 1
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory.
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('LPUSH', KEYS[2], ARGV[3])
redis.call('LTRIM', KEYS[2], 0, ARGV[4] - 1)
redis.call('SET', KEYS[3], '1')
return 1
