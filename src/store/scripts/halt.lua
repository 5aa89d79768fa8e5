-- Stops the running turn by the watermark that `stop` sets too, and posts a notice. Entries in the inbox stay.
-- KEYS 1 state, 2 outbox, 3 wake; ARGV 1 outbox entry with the notice, 2 out: member
-- Returns 1, or 0: no turn is running, or it was stopped before.
local st = redis.call('HMGET', KEYS[1], 'owner', 'state', 'turn', 'stop')
local turn = tonumber(st[3] or 0)
if not st[1] or not st[2] or st[2] == '' or tonumber(st[4] or 0) >= turn then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'stop', turn)
redis.call('RPUSH', KEYS[2], ARGV[1])
local time = redis.call('TIME')
redis.call('ZADD', KEYS[3], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[2])
return 1
