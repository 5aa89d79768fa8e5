-- Appends a line to the audit log, once per digest: an event may be delivered again, and the client sends a script
-- again when its reply was lost.
-- KEYS 1 stream, 2 digests of the lines of the last day, 3 names
-- ARGV 1 digest, 2 line, 3 most lines, 4 retention in ms (0 = for ever), 5 person's id ('' = none), 6 person's name,
-- 7 most digests, 8 most names
-- Returns 1, or 0 when the line was written before.
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory: the line is always written.
redis.call('HDEL', KEYS[3], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- Ids order both streams, to the microsecond. If this id is taken or the clock went back, Redis chooses the next one.
local id = now .. '-' .. tonumber(time[2]) % 1000
local added = redis.pcall('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], id, 'line', ARGV[2])
if type(added) == 'table' and added.err then
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], '*', 'line', ARGV[2])
end
if tonumber(ARGV[4]) > 0 then
  redis.call('XTRIM', KEYS[1], 'MINID', now - ARGV[4])
end
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, now - 86400000)
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -ARGV[7] - 1)
local isKnown = redis.call('HEXISTS', KEYS[3], ARGV[5]) == 1
if ARGV[5] ~= '' and ARGV[6] ~= '' and (isKnown or redis.call('HLEN', KEYS[3]) < tonumber(ARGV[8])) then
  redis.call('HSET', KEYS[3], ARGV[5], ARGV[6])
end
return 1
