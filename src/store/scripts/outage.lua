-- Ends an outage of a model, unless it has met someone since it was read: then it goes on.
-- KEYS 1 outage, 2 names of open outages, 3 where an ended one waits for its notice, 4 names of those
-- ARGV 1 name, 2 id, 3 lastMs as it was read
-- Returns 1 if it has ended, else 0.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local found = redis.call('HMGET', KEYS[1], 'id', 'lastMs')
if found[1] ~= ARGV[2] or found[2] ~= ARGV[3] then
  return 0
end
redis.call('RENAME', KEYS[1], KEYS[3])
redis.call('SREM', KEYS[2], ARGV[1])
redis.call('SADD', KEYS[4], ARGV[1])
return 1
