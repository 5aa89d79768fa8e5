-- Takes the members of one shard whose time has come and moves their scores on, so that no other sweeper takes them too.
-- KEYS 1 wake; ARGV 1 most members, 2 how far to move a score on, in ms, 3 how long a member must be overdue, in ms
-- Returns the members and how long each is overdue, alternating.
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('ZREMRANGEBYRANK', KEYS[1], 1, 0)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3], 'WITHSCORES', 'LIMIT', 0, ARGV[1])
for index = 1, #due, 2 do
  redis.call('ZADD', KEYS[1], now + ARGV[2], due[index])
  due[index + 1] = tostring(now - tonumber(due[index + 1]))
end
return due
