-- Adds the summary of a conversation, unless a later part of the history has one or the history is another one. Drops
-- those that are older than the retention.
-- KEYS 1 summaries, 2 state
-- ARGV 1 summary, 2 log position of the conversation's last entry, 3 epoch of the history that was read, 4 most summaries,
--      5 retention in ms (0 = for ever)
-- Returns 1, or 0 if nothing was added.
if (redis.call('HGET', KEYS[2], 'epoch') or '') ~= ARGV[3] then
  return 0
end
local last = redis.call('LINDEX', KEYS[1], -1)
if last and tonumber(string.match(last, '"to":(%d+)') or 0) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], -ARGV[4], -1)
local retention = tonumber(ARGV[5])
if retention > 0 then
  local time = redis.call('TIME')
  local oldest = time[1] * 1000 + math.floor(time[2] / 1000) - retention
  while tonumber(string.match(redis.call('LINDEX', KEYS[1], 0) or '', '"atMs":(%d+)') or oldest) < oldest do
    redis.call('LPOP', KEYS[1])
  end
  redis.call('PEXPIRE', KEYS[1], retention)
end
return 1
