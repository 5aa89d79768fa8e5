-- Renews a turn's lease.
-- KEYS 1 state, 2 inbox, 3 wake; ARGV 1 token, 2 lease in ms, 3 wake member
-- Returns {stop watermark, inbox entries that wait}, or {} when another session owns the chat.
local st = redis.call('HMGET', KEYS[1], 'owner', 'stop')
if st[1] ~= ARGV[1] then
  return {}
end
local time = redis.call('TIME')
local lease = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]
redis.call('HSET', KEYS[1], 'lease', lease)
redis.call('ZADD', KEYS[3], lease, ARGV[3])
return { tonumber(st[2] or 0), redis.call('LLEN', KEYS[2]) }
