-- Writes down what became of a send, and, when asked, drops the finished entry and gives the outbox back.
-- KEYS 1 state, 2 outbox, 3 draft, 4 wake, 5 ledger of the entry or draft
-- ARGV 1 token, 2 lease in ms, 3 id of the entry or draft, 4 '1' when the entry is finished, 5 '1' to release,
--      6 next attempt in ms from now at the earliest ('' = at any time), 7 wake member, 8 time to live of the ledger in ms,
--      9 '1' when the fate of the last request is unknown, '0' when it is known, '' to leave that as it is,
--      10 key of the approval whose card this is ('' = none), 11 the card's message id, 12 id of what is sent next ('' = the same), then ledger pairs
-- Returns {'written', entries left} | {'fenced'}.
if redis.call('HGET', KEYS[1], 'out:owner') ~= ARGV[1] then
  return { 'fenced' }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for index = 13, #ARGV, 2 do
  redis.call('HSET', KEYS[5], ARGV[index], ARGV[index + 1])
end
if #ARGV >= 13 then
  redis.call('PEXPIRE', KEYS[5], ARGV[8])
end
if ARGV[10] ~= '' and redis.call('EXISTS', ARGV[10]) == 1 then
  redis.call('HSET', ARGV[10], 'card', ARGV[11])
end
if ARGV[4] == '1' then
  local head = redis.call('LINDEX', KEYS[2], 0)
  if head and string.sub(head, 1, #ARGV[3] + 1) == ARGV[3] .. ' ' then
    redis.call('LPOP', KEYS[2])
  end
end
local left = redis.call('LLEN', KEYS[2])
if ARGV[9] == '1' then
  redis.call('HSET', KEYS[1], 'out:interrupted', ARGV[3])
elseif ARGV[9] == '0' and redis.call('HGET', KEYS[1], 'out:interrupted') == ARGV[3] then
  redis.call('HDEL', KEYS[1], 'out:interrupted')
end
if ARGV[12] ~= '' then
  redis.call('HSET', KEYS[1], 'out:doing', ARGV[12])
end
if ARGV[5] == '1' then
  redis.call('HDEL', KEYS[1], 'out:owner', 'out:lease', 'out:doing')
  if ARGV[6] ~= '' then
    redis.call('HSET', KEYS[1], 'out:notBefore', now + ARGV[6])
    redis.call('ZADD', KEYS[4], now + ARGV[6], ARGV[7])
  elseif left > 0 then
    redis.call('ZADD', KEYS[4], now, ARGV[7])
  else
    redis.call('ZREM', KEYS[4], ARGV[7])
  end
else
  local lease = now + ARGV[2]
  redis.call('HSET', KEYS[1], 'out:lease', lease)
  redis.call('ZADD', KEYS[4], lease, ARGV[7])
end
return { 'written', left }
