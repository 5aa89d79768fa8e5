-- Appends a note, once per key: the client sends a script again when its reply was lost.
-- KEYS 1 notes, 2 state; ARGV 1 key of the write, 2 note, 3 most notes, 4 turn ('' = none)
if redis.call('HGET', KEYS[2], 'note') == ARGV[1] then
  return 0
end
-- An erased turn writes nothing.
local erased = redis.call('HGET', KEYS[2], 'erased')
if erased and ARGV[4] ~= '' and tonumber(ARGV[4]) <= tonumber(erased) then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[2], '')
redis.call('HSET', KEYS[2], 'note', ARGV[1])
redis.call('RPUSH', KEYS[1], ARGV[2])
redis.call('LTRIM', KEYS[1], -ARGV[3], -1)
return 1
