-- Ends one person's work in a chat and appends an entry that erases what they wrote; once per entry id. Their waiting
-- messages are replaced by that entry, so that the positions of others' messages stay.
-- KEYS 1 seen, 2 state, 3 inbox, 4 log, 5 wake
-- ARGV 1 entry id, 2 entry, 3 the person's id, 4 the same in quotes, 5 in: member, 6 how long ids are remembered in ms
-- Returns 1, or 0: the entry was appended before.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1]) == 0 then
  return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
local function isTheirs(json, field)
  if not json or not string.find(json, ARGV[4], 1, true) then
    return false
  end
  local isRead, value = pcall(cjson.decode, json)
  local person = isRead and type(value) == 'table' and value[field]
  return type(person) == 'table' and person.id == ARGV[3]
end
local st = redis.call('HMGET', KEYS[2], 'state', 'turn', 'stop')
local isRunning = st[1] == 'open' and isTheirs(redis.call('LINDEX', KEYS[4], -1), 'person')
  or isTheirs(st[1], 'requester')
if isRunning then
  redis.call('HSET', KEYS[2], 'stop', math.max(tonumber(st[3] or 0), tonumber(st[2] or 0)))
end
for index, waiting in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do
  if isTheirs(waiting, 'person') then
    redis.call('LSET', KEYS[3], index - 1, ARGV[2])
  end
end
redis.call('RPUSH', KEYS[3], ARGV[2])
redis.call('HDEL', KEYS[2], 'notBefore')
redis.call('ZADD', KEYS[5], now, ARGV[5])
return 1
