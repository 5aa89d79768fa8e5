-- Deletes a key that was written before its chat was erased, unless an outbox entry still refers to it.
-- KEYS 1 the key to delete, 2 state, 3 outbox
-- ARGV 1 how long the key lives after its last write, in ms, 2 how entries refer to it ('' = they do not)
-- Returns 1, or 0 if it stays.
local erasedAt = tonumber(redis.call('HGET', KEYS[2], 'erasedAt') or '')
local ttl = redis.call('PTTL', KEYS[1])
if not erasedAt or ttl == -2 then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ttl >= 0 and now + ttl - ARGV[1] > erasedAt then
  return 0
end
if ARGV[2] ~= '' then
  for _, entry in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do
    if string.find(entry, ARGV[2], 1, true) then
      return 0
    end
  end
end
redis.call('UNLINK', KEYS[1])
return 1
