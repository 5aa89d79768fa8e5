-- Delays the pieces of a burst in the inbox until one more has been fetched; never entries that are due already.
-- KEYS 1 state, 2 inbox, 3 wake
-- ARGV 1 for how long from now, in ms, 2 wake member, 3 prefix of the burst's entries
-- Returns 1, or 0: none of them waits. Sent again because its reply was lost, it delays them by the same time again.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local notBefore = tonumber(redis.call('HGET', KEYS[1], 'notBefore') or 0)
local last = redis.call('LINDEX', KEYS[2], -1) or ''
if notBefore <= now or string.sub(last, 1, #ARGV[3]) ~= ARGV[3] then
  return 0
end
redis.call('HSET', KEYS[1], 'notBefore', now + ARGV[1])
redis.call('ZADD', KEYS[3], now + ARGV[1], ARGV[2])
return 1
