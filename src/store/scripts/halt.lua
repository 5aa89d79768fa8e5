-- Stops the turn that somebody works on, by the watermark that `stop` sets too, and says so there: what waits in the inbox stays.
-- KEYS 1 state, 2 outbox, 3 wake; ARGV 1 outbox entry that tells it, 2 out: member
-- Returns 1, or 0: nobody works on a turn, or it was stopped before.
local st = redis.call('HMGET', KEYS[1], 'owner', 'state', 'turn', 'stop')
local turn = tonumber(st[3] or 0)
if not st[1] or not st[2] or st[2] == '' or tonumber(st[4] or 0) >= turn then
  return 0
end
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'stop', turn)
redis.call('RPUSH', KEYS[2], ARGV[1])
local time = redis.call('TIME')
redis.call('ZADD', KEYS[3], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[2])
return 1
