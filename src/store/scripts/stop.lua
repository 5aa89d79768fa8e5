-- Sets the stop watermark at the newest inbox position: all work at or below it ends cancelled. Where there is no work,
-- nothing is written but the stop's id. A stop that comes again changes nothing, whatever has come since.
-- KEYS 1 state, 2 inbox, 3 wake, 4 seen
-- ARGV 1 wake member, 2 prefix of a message's entry, 3 id of the stop ('' = it cannot come again), 4 how long ids are
-- remembered in ms
-- Returns {'1' when a turn was open, how many messages and how many other entries (resets, controls) were waiting that no
-- earlier stop had reached}, and the same again for a stop that comes again; of those that ended something the newest
-- only is remembered so.
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local st = redis.call('HMGET', KEYS[1], 'inBase', 'state', 'stop', 'stopped')
if ARGV[3] ~= '' then
  local seen = redis.call('ZSCORE', KEYS[4], ARGV[3])
  if seen and tonumber(seen) > now - ARGV[4] then
    local id, open, messages, others = string.match(st[4] or '', '^(.+) (%d+) (%d+) (%d+)$')
    if id == ARGV[3] then
      return { open, messages, others }
    end
    return { 0, 0, 0 }
  end
  redis.call('ZADD', KEYS[4], now, ARGV[3])
  redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - ARGV[4])
  redis.call('PEXPIRE', KEYS[4], ARGV[4])
end
local inBase, stop = tonumber(st[1] or 0), tonumber(st[3] or 0)
local entries = redis.call('LRANGE', KEYS[2], 0, -1)
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
  redis.call('HSET', KEYS[1], 'stop', inBase + #entries)
  if ARGV[3] ~= '' then
    redis.call('HSET', KEYS[1], 'stopped', table.concat({ ARGV[3], open, messages, others }, ' '))
  end
  redis.call('HDEL', KEYS[1], 'notBefore')
  redis.call('ZADD', KEYS[3], 'LT', now, ARGV[1])
end
return { open, messages, others }
