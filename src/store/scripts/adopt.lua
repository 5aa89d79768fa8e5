-- Creates an imported chat from data prepared under other keys, if there is no such chat.
-- KEYS 1 state, 2 log, 3 notes, 4 to-dos, 5 settings, 6 usage by model, 7 inbox, 8 outbox, 9–13 prepared data for 2 to
-- 6
-- ARGV 1 a name of this import, 2 retention in ms, 3… fields and values of the state
-- Returns 1, or 0: the chat exists. An import that repeats (the client sent the script again because its reply was
-- lost) returns 1 and writes nothing.
local st = redis.call('HMGET', KEYS[1], 'imported', 'erased', 'owner', 'state', 'inBase')
if st[1] == ARGV[1] then
  return 1
end
-- Of an erased chat only its counters are left. The new chat continues them.
local isErased = st[2] and not st[3] and not st[4]
for index = isErased and 2 or 1, 8 do
  if redis.call('EXISTS', KEYS[index]) == 1 then
    return 0
  end
end
redis.call('HSET', KEYS[1], 'imported', ARGV[1], unpack(ARGV, 3))
if tonumber(st[5] or 0) > tonumber(redis.call('HGET', KEYS[1], 'inBase')) then
  redis.call('HSET', KEYS[1], 'inBase', st[5])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
for index = 2, 6 do
  if redis.call('EXISTS', KEYS[index + 7]) == 1 then
    redis.call('RENAME', KEYS[index + 7], KEYS[index])
    redis.call('PEXPIRE', KEYS[index], ARGV[2])
  end
end
-- Notes stay until they are erased.
redis.call('PERSIST', KEYS[3])
return 1
