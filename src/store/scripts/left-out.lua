-- Counts a message that isn't taken, once per event, for the notice that says how many there are.
-- KEYS 1 the count: a hash of the counted events, and `notice`, the event that the notice answers
-- ARGV 1 event id, 2 the name that it is counted by, 3 'never', 'first' or 'always': whether a notice can answer it,
--      4 most events that are counted, 5 how long they are counted in ms
-- Returns { count, the event that the notice answers, or '' }.
local notice = redis.call('HGET', KEYS[1], 'notice')
if ARGV[3] == 'always' and notice and notice ~= ARGV[1] and redis.call('HEXISTS', KEYS[1], 'e:' .. ARGV[2]) == 0 then
  redis.call('DEL', KEYS[1])
  notice = false
end
if not notice and ARGV[3] ~= 'never' then
  notice = ARGV[1]
  redis.call('HSET', KEYS[1], 'notice', notice)
end
local others = notice and 1 or 0
if redis.call('HLEN', KEYS[1]) - others < tonumber(ARGV[4]) then
  redis.call('HSETNX', KEYS[1], 'e:' .. ARGV[2], 1)
end
if redis.call('PTTL', KEYS[1]) < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
return { redis.call('HLEN', KEYS[1]) - others, notice or '' }
