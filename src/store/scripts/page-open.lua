-- Makes a session of a code, which is used up. Idempotent.
-- KEYS 1 code, 2 session, 3 the person's codes and sessions; ARGV 1 session's JSON, 2 its lifetime, 3 lifetime of KEYS 3 (ms)
-- Returns 1, or 0: the code was used already, or has expired.
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 1
end
if redis.call('DEL', KEYS[1]) == 0 then
  return 0
end
redis.call('SREM', KEYS[3], KEYS[1])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
redis.call('SADD', KEYS[3], KEYS[2])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
return 1
