-- Renews a turn's lease.
-- KEYS 1 state, 2 inbox, 3 wake; ARGV 1 token, 2 lease in ms, 3 wake member, 4 how often an owner may be held up,
--      5 '1': nothing is renewed, somebody who is fenced says that they live
-- Returns {stop watermark, inbox entries that wait}, or {} when another session owns the chat. An owner that was counted as
-- dead and comes back was only held up, by a pause or by Redis' own, and its turn has killed nobody. Not for ever: a turn may
-- also hold up one worker after the other.
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
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local lease = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]
redis.call('HSET', KEYS[1], 'lease', lease)
redis.call('ZADD', KEYS[3], lease, ARGV[3])
return { tonumber(st[2] or 0), redis.call('LLEN', KEYS[2]) }
