-- Adds the summary of a conversation, unless a later part of the history has one or the history has changed, and drops
-- those that are older than the retention.
-- KEYS 1 summaries, 2 state, 3 log, 4 usage by model
-- ARGV 1 summary, 2 log position of the conversation's last entry, 3 epoch of the history that was read, 4 most summaries,
--      5 retention in ms (0 = for ever), 6 the log's end as it was read, 7 what models took for it, as JSON: inputTokens,
--      outputTokens, spent = { { field, amount } … }, 8 random id of this call: sent again, it counts once
-- Returns 1, or 0 if no summary was added. What models took counts then too, but not in another history.
if (redis.call('HGET', KEYS[2], 'epoch') or '') ~= ARGV[3] then
  return 0
end
local took = cjson.decode(ARGV[7])
if redis.call('EXISTS', KEYS[2]) == 1 and redis.call('HGET', KEYS[2], 'usage:summary') ~= ARGV[8] then
  redis.call('HSET', KEYS[2], 'usage:summary', ARGV[8])
  -- A field that isn't a number can't be incremented, and must not abort the script halfway.
  redis.pcall('HINCRBY', KEYS[2], 'usage:inputTokens', took.inputTokens)
  redis.pcall('HINCRBY', KEYS[2], 'usage:outputTokens', took.outputTokens)
  for _, pair in ipairs(took.spent) do
    if pair[2] == '' then
      redis.pcall('HSET', KEYS[4], pair[1], 1)
    else
      redis.pcall('HINCRBYFLOAT', KEYS[4], pair[1], pair[2])
    end
  end
  local ttl = redis.call('PTTL', KEYS[2])
  if ttl > 0 then
    redis.call('PEXPIRE', KEYS[4], ttl)
  end
end
local last = redis.call('LINDEX', KEYS[1], -1)
if last and tonumber(string.match(last, '"to":(%d+)') or 0) >= tonumber(ARGV[2]) then
  return 0
end
-- What has been said since may be an /undo.
if tonumber(redis.call('HGET', KEYS[2], 'logBase') or 0) + redis.call('LLEN', KEYS[3]) ~= tonumber(ARGV[6]) then
  return 0
end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], -ARGV[4], -1)
if tonumber(ARGV[5]) > 0 then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local first = redis.call('LINDEX', KEYS[1], 0)
  while first and now - tonumber(string.match(first, '"atMs":(%d+)') or now) > tonumber(ARGV[5]) do
    redis.call('LPOP', KEYS[1])
    first = redis.call('LINDEX', KEYS[1], 0)
  end
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
return 1
