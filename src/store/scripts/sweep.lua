-- Takes the due members of one shard and moves their scores into the future, so that no other sweeper takes them too.
-- KEYS 1 wake; ARGV 1 most members, 2 by how much to move a score, in ms, 3 how long a member must be overdue, in ms
-- Returns the members and how long each is overdue, alternating.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('ZREMRANGEBYRANK', KEYS[1], 1, 0)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3], 'WITHSCORES', 'LIMIT', 0, ARGV[1])
for index = 1, #due, 2 do
  redis.call('ZADD', KEYS[1], now + ARGV[2], due[index])
  due[index + 1] = tostring(now - tonumber(due[index + 1]))
end
return due
