-- Stops the running turn by the watermark that `stop` sets too. Entries in the inbox stay.
-- KEYS 1 state; ARGV 1 outbox entry with a notice: `commit` posts it when the turn ends, if the stop was in time
-- Returns 1, or 0: no turn is running, or it was stopped before.
local st = redis.call('HMGET', KEYS[1], 'owner', 'state', 'turn', 'stop')
local turn = tonumber(st[3] or 0)
if not st[1] or not st[2] or st[2] == '' or tonumber(st[4] or 0) >= turn then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'stop', turn, 'stopNotice', turn .. ' ' .. ARGV[1])
return 1
