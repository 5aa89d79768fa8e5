-- Releases an unfinished turn (the process is stopping): its state stays as last committed and any worker may continue
-- it.
-- KEYS 1 state, 2 wake; ARGV 1 token, 2 wake member, 3 after how many ms to look again
-- Returns 1, or 0 when another session owns the chat.
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
  return 0
end
local time = redis.call('TIME')
redis.call('HDEL', KEYS[1], 'owner', 'lease')
redis.call('ZADD', KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3], ARGV[2])
return 1
