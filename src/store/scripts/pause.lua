-- Sets what is paused in one scope, where that is still what the caller has read. Harmless when it comes again.
-- KEYS 1 pauses; ARGV 1 scope, 2 what the caller has read of it ('' = nothing), 3 what is to be stored
-- Returns 1, or 0: somebody else was faster.
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
-- A full memory forbids a script's first write only, and never one that needs no memory: the kill switch works then, too.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
