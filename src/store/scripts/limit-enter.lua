-- Takes or renews a permit for a concurrent turn; in all counters, or in none.
-- KEYS 1 the rules' version, 2 and on the permits of each counter: sorted sets of turns, scored by when their permits
-- end
-- ARGV 1 version that the caller knows, 2 turn, 3 for how long in ms, then for each counter the most, or '' for no cap
-- Returns {'stale'} | {'entered'} | {'refused', counter, how many run}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then
  return { 'stale' }
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('ZREM', KEYS[2], '')
for counter = 1, #KEYS - 1 do
  local key, most = KEYS[1 + counter], tonumber(ARGV[3 + counter])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if most and not redis.call('ZSCORE', key, ARGV[2]) then
    local running = redis.call('ZCARD', key)
    if running >= most then
      return { 'refused', counter - 1, running }
    end
  end
end
local untilMs = string.format('%.0f', now + ARGV[3])
for counter = 1, #KEYS - 1 do
  local key = KEYS[1 + counter]
  redis.call('ZADD', key, untilMs, ARGV[2])
  local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
  redis.call('PEXPIREAT', key, string.format('%.0f', tonumber(last[2])))
end
return { 'entered' }
