-- Sets the stop watermark at the newest inbox position: all work at or below it ends cancelled. Where there is no work,
-- nothing is written.
-- KEYS 1 state, 2 inbox, 3 wake; ARGV 1 wake member
-- Returns {watermark, '1' when a turn was open, how many messages were waiting}.
local st = redis.call('HMGET', KEYS[1], 'inBase', 'state')
local waiting = redis.call('LLEN', KEYS[2])
local watermark = tonumber(st[1] or 0) + waiting
local open = (st[2] and st[2] ~= '') and 1 or 0
if open == 1 or waiting > 0 then
  redis.call('HSET', KEYS[1], 'stop', watermark)
  redis.call('HDEL', KEYS[1], 'notBefore')
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[3], 'LT', time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
end
return { watermark, open, waiting }
