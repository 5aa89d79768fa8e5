-- Replaces a chat's to-do list, unless the turn that does so was erased.
-- KEYS 1 to-dos, 2 state; ARGV 1 list ('' = none), 2 turn ('' = none)
local erased = redis.call('HGET', KEYS[2], 'erased')
if erased and ARGV[2] ~= '' and tonumber(ARGV[2]) <= tonumber(erased) then
  return 0
end
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('HDEL', KEYS[2], '')
if ARGV[1] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[1])
end
return 1
