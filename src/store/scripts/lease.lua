-- Takes, renews or releases the lease on work that one process at a time may do.
-- KEYS 1 lease; ARGV 1 token, 2 its length in ms, 3 take | renew | release, 4 the process, 5 token of an owner
-- that is known to be dead ('' = none)
-- Returns {fence}, which grows with every owner, or {0, owner, its process}: another process has the lease, or had it
-- since.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[1], 'owner', 'until', 'fence', 'process')
local owner, fence = held[1], tonumber(held[3] or 0)
local isOver = ARGV[3] == 'take' and owner and (owner == ARGV[5] or tonumber(held[2]) <= now)
if owner and owner ~= ARGV[1] and not isOver then
  return { 0, owner, held[4] or '' }
end
if ARGV[3] == 'release' then
  redis.call('HDEL', KEYS[1], 'owner', 'until', 'process')
  return { fence }
end
if owner ~= ARGV[1] then
  if ARGV[3] == 'renew' then
    return { 0, '', '' }
  end
  fence = fence + 1
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'until', now + ARGV[2], 'fence', fence, 'process', ARGV[4])
return { fence }
