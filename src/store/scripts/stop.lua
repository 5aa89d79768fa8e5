-- Sets the stop watermark at the newest inbox position: all work at or below it ends cancelled. Where there is no work,
-- nothing is written.
-- KEYS 1 state, 2 inbox, 3 wake; ARGV 1 wake member, 2 prefix of a message's entry
-- Returns {watermark, '1' when a turn was open, how many messages and how many other entries (resets, controls) were
-- waiting that no earlier stop had reached}.
local st = redis.call('HMGET', KEYS[1], 'inBase', 'state', 'stop')
local inBase, stop = tonumber(st[1] or 0), tonumber(st[3] or 0)
local entries = redis.call('LRANGE', KEYS[2], 0, -1)
local watermark = inBase + #entries
local open = (st[2] and st[2] ~= '') and 1 or 0
local messages, others = 0, 0
for index, entry in ipairs(entries) do
  if inBase + index <= stop then
    -- Dropped before.
  elseif string.sub(entry, 1, #ARGV[2]) == ARGV[2] then
    messages = messages + 1
  else
    others = others + 1
  end
end
if open == 1 or #entries > 0 then
  redis.call('HSET', KEYS[1], 'stop', watermark)
  redis.call('HDEL', KEYS[1], 'notBefore')
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[3], 'LT', time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
end
return { watermark, open, messages, others }
