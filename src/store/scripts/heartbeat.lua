-- Renews a turn's lease and tells the stop watermark, or -1 when another session owns the chat.
-- KEYS 1 state, 2 wake; ARGV 1 token, 2 lease in ms, 3 wake member
local st = redis.call('HMGET', KEYS[1], 'owner', 'stop')
if st[1] ~= ARGV[1] then
  return -1
end
local time = redis.call('TIME')
local lease = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]
redis.call('HSET', KEYS[1], 'lease', lease)
redis.call('ZADD', KEYS[2], lease, ARGV[3])
return tonumber(st[2] or 0)
