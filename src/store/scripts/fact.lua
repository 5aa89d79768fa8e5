-- Keeps a fact, once per id, and drops those that are older than the retention.
-- KEYS 1 facts, 2 the state of the chat in which it was said (only for a chat's facts) | the version of all people's facts,
--      3 the newest turn of that chat that was erased (only for a person's facts)
-- ARGV 1 id, 2 fact, 3 most facts, 4 retention in ms (0 = for ever), 5 turn ('' = none), 6 the fact that must be there
--      ('' = none), 7 'chat' | 'person'
-- Returns 'kept' | 'full' | 'unknown'. A repeated id writes nothing.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  return 'kept'
end
-- An erased turn writes nothing.
local erased
if ARGV[7] == 'chat' then
  erased = redis.call('HGET', KEYS[2], 'erased')
else
  erased = redis.call('GET', KEYS[3])
end
if erased and ARGV[5] ~= '' and tonumber(ARGV[5]) <= tonumber(erased) then
  return 'kept'
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local retention = tonumber(ARGV[4])
local stored, old, isKnown = redis.call('HGETALL', KEYS[1]), {}, ARGV[6] == ''
for index = 1, #stored, 2 do
  local atMs = tonumber(string.match(stored[index + 1], '"atMs":(%d+)') or now)
  if retention > 0 and now - atMs > retention then
    old[#old + 1] = stored[index]
  elseif stored[index] == ARGV[6] then
    isKnown = true
  end
end
if not isKnown then
  return 'unknown'
end
if #stored / 2 - #old >= tonumber(ARGV[3]) then
  return 'full'
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
if #old > 0 then
  redis.call('HDEL', KEYS[1], unpack(old))
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if retention > 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
if ARGV[7] == 'person' then
  redis.call('INCR', KEYS[2])
end
return 'kept'
