-- Counts a message that isn't taken, once per event, for the notice that says how many there are.
-- KEYS 1 the count: a hash of the counted events (`e:<name>`), `notice`, the event that the notice answers, `pending`, the
--      event whose edit of the notice waits to be sent, and `shown`, the last edit and the count that it showed
-- ARGV 1 event id, 2 the name that it is counted by, 3 'never', 'first' or 'always': whether a notice can answer it,
--      4 most events that are counted, 5 how long they are counted in ms
-- Returns { count, the event that the notice answers, or '', 1 if this event's edit is to be posted, else 0 }.
local st = redis.call('HMGET', KEYS[1], 'notice', 'pending', 'shown')
local notice, pending, shown = st[1], st[2], st[3]
if ARGV[3] == 'always' and notice and notice ~= ARGV[1] and redis.call('HEXISTS', KEYS[1], 'e:' .. ARGV[2]) == 0 then
  redis.call('DEL', KEYS[1])
  notice, pending, shown = false, false, false
end
if not notice and ARGV[3] ~= 'never' then
  notice = ARGV[1]
  redis.call('HSET', KEYS[1], 'notice', notice)
end
local others = (notice and 1 or 0) + (pending and 1 or 0) + (shown and 1 or 0)
local isNew = false
if redis.call('HLEN', KEYS[1]) - others < tonumber(ARGV[4]) then
  isNew = redis.call('HSETNX', KEYS[1], 'e:' .. ARGV[2], 1) == 1
end
local count = redis.call('HLEN', KEYS[1]) - others
-- A repeated event posts its edit again: the first may not have been stored.
local isNews = notice and notice ~= ARGV[1] and (pending == ARGV[1] or isNew and not pending)
if isNews then
  redis.call('HSET', KEYS[1], 'pending', ARGV[1])
end
if redis.call('PTTL', KEYS[1]) < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
return { count, notice or '', isNews and 1 or 0 }
