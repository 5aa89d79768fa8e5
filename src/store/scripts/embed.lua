-- Writes vectors of a chat's windows, if these are still those that they were made of.
-- KEYS 1 windows, 2 vectors, 3 state
-- ARGV 1 the index's head as it was read, 2 the history's epoch, 3 the model and the dimension, 4 the number of the next
--      window without a vector, 5 1: who pays for an edit has paid, 6… numbers and vectors
-- Returns 1, or 0.
if redis.call('HGET', KEYS[1], 'head') ~= ARGV[1] or redis.call('HGET', KEYS[3], 'epoch') ~= ARGV[2] then
  return 0
end
if redis.call('HGET', KEYS[2], 'model') ~= ARGV[3] then
  redis.call('UNLINK', KEYS[2])
end
redis.call('HSET', KEYS[2], 'model', ARGV[3], 'next', ARGV[4], unpack(ARGV, 6))
if ARGV[5] == '1' then
  redis.call('HDEL', KEYS[2], 'payer')
end
local ttl = redis.call('PTTL', KEYS[1])
if ttl >= 0 then
  redis.call('PEXPIRE', KEYS[2], ttl)
end
return 1
