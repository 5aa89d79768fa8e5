-- Creates an imported chat from data prepared under other keys, if there is no such chat.
-- KEYS 1 state, 2 log, 3 notes, 4 to-dos, 5 settings, 6 usage by model, 7 personas, 8 inbox, 9 outbox, 10–15 prepared
-- data for 2 to 7, 16 schedules, 17 wake, 18 prepared data for 16, 19 facts, 20 summaries, 21–22 prepared data for these
-- ARGV 1 a name of this import, 2 retention in ms, 3 the chat (its windows are made by the wake index), 4 retention of facts and summaries in ms (0 = for ever),
--      5… fields and values of the state
-- Returns 1, or 0: the chat exists. An import that repeats (the client sent the script again because its reply was
-- lost) returns 1 and writes nothing.
local st = redis.call('HMGET', KEYS[1], 'imported', 'erased', 'owner', 'state', 'inBase')
if st[1] == ARGV[1] then
  return 1
end
-- Of an erased chat only its counters are left. The new chat continues them.
local isErased = st[2] and not st[3] and not st[4]
for index = isErased and 2 or 1, 9 do
  if redis.call('EXISTS', KEYS[index]) == 1 then
    return 0
  end
end
for _, index in ipairs({ 16, 19, 20 }) do
  if redis.call('EXISTS', KEYS[index]) == 1 then
    return 0
  end
end
redis.call('HSET', KEYS[1], 'imported', ARGV[1], unpack(ARGV, 5))
if tonumber(st[5] or 0) > tonumber(redis.call('HGET', KEYS[1], 'inBase')) then
  redis.call('HSET', KEYS[1], 'inBase', st[5])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
local time = redis.call('TIME')
redis.call('ZADD', KEYS[17], time[1] * 1000, 'mem:' .. ARGV[3])
for index = 2, 7 do
  if redis.call('EXISTS', KEYS[index + 8]) == 1 then
    redis.call('RENAME', KEYS[index + 8], KEYS[index])
    redis.call('PEXPIRE', KEYS[index], ARGV[2])
  end
end
for index = 19, 20 do
  if redis.call('EXISTS', KEYS[index + 2]) == 1 then
    redis.call('RENAME', KEYS[index + 2], KEYS[index])
    if tonumber(ARGV[4]) > 0 then
      redis.call('PEXPIRE', KEYS[index], ARGV[4])
    else
      redis.call('PERSIST', KEYS[index])
    end
  end
end
-- Notes stay until they are erased.
redis.call('PERSIST', KEYS[3])
if redis.call('EXISTS', KEYS[18]) == 1 then
  redis.call('RENAME', KEYS[18], KEYS[16])
  redis.call('PEXPIRE', KEYS[16], ARGV[2])
  local isKept = false
  local plans = redis.call('HGETALL', KEYS[16])
  for index = 1, #plans, 2 do
    local isRead, plan = pcall(cjson.decode, plans[index + 1])
    if isRead and type(plan) == 'table' and type(plan.nextMs) == 'number' then
      isKept = true
      redis.call('ZADD', KEYS[17], string.format('%.0f', plan.nextMs), 'plan:' .. ARGV[3] .. '/' .. plans[index])
    end
  end
  -- A chat with a slot to come doesn't expire before it.
  for _, index in ipairs(isKept and { 1, 2, 4, 5, 6, 7, 16 } or {}) do
    redis.call('PERSIST', KEYS[index])
  end
end
return 1
