-- Takes the due members of one shard and moves their scores into the future, so that no other sweeper takes them too.
-- KEYS 1 wake; ARGV 1 most members, 2 by how much to move a score, in ms, 3 how long a member must be overdue, in ms; a
-- schedule is taken as soon as it is due
-- Returns the members and how long each is overdue, alternating.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('ZREMRANGEBYRANK', KEYS[1], 1, 0)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due, taken = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - math.min(ARGV[3], 0), 'WITHSCORES', 'LIMIT', 0, ARGV[1]), {}
for index = 1, #due, 2 do
  local member, overdue = due[index], now - tonumber(due[index + 1])
  if overdue >= tonumber(ARGV[3]) or string.sub(member, 1, 5) == 'plan:' then
    -- The fraction marks a schedule that was put off already.
    redis.call('ZADD', KEYS[1], now + ARGV[2] + tonumber(due[index + 1]) % 1, member)
    taken[#taken + 1] = member
    taken[#taken + 1] = tostring(overdue)
  end
end
return taken
