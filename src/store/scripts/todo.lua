-- Replaces a chat's to-do list, unless the turn was erased.
-- KEYS 1 to-dos, 2 state; ARGV 1 list ('' = none), 2 turn ('' = none)
local erased = redis.call('HGET', KEYS[2], 'erased')
if erased and ARGV[2] ~= '' and tonumber(ARGV[2]) <= tonumber(erased) then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[2], '')
if ARGV[1] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[1])
end
return 1
