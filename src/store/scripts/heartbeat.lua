-- Renews a turn's lease.
-- KEYS 1 state, 2 inbox, 3 wake; ARGV 1 token, 2 lease in ms, 3 wake member, 4 how often an owner may be presumed dead,
--      5 '1': renews nothing, a fenced worker only reports that it is alive
-- Returns {stop watermark, number of waiting inbox entries}, or {} when another session owns the chat. An owner that
-- comes back after it was counted as dead was only paused, and its turn has killed no worker: the death is taken off.
-- This happens a limited number of times, since a turn may also block one worker after another.
local st = redis.call('HMGET', KEYS[1], 'owner', 'stop', 'missed', 'misses')
if st[1] ~= ARGV[1] then
  if st[3] == ARGV[1] and tonumber(st[4] or 0) < tonumber(ARGV[4]) then
    redis.call('HDEL', KEYS[1], 'missed')
    redis.call('HINCRBY', KEYS[1], 'misses', 1)
    redis.call('HINCRBY', KEYS[1], 'deaths', -1)
  end
  return {}
end
if ARGV[5] == '1' then
  return {}
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local lease = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]
redis.call('HSET', KEYS[1], 'lease', lease)
redis.call('ZADD', KEYS[3], lease, ARGV[3])
return { tonumber(st[2] or 0), redis.call('LLEN', KEYS[2]) }
