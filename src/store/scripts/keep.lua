-- Keeps a small value for a time.
-- KEYS 1 value; ARGV 1 value, 2 time to live in ms, 3 "always", or "free": only where there is none
-- Returns 1, or 0 when there is one already.
if ARGV[3] == 'free' and redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
-- A full memory forbids a script's first write only, and never one that needs no memory; what this one takes away is
-- written anew.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
