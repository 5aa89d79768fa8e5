-- Decides an approval, once. The compare-and-set checks the expiry itself, so that a late tap cannot win.
-- KEYS 1 approval, 2 outbox, 3 wake
-- ARGV 1 decision (approved | denied | expired | changed), 2 who, 3 reason, 4 outbox entry that tells it, 5 outbox entry that
--      tells the expiry, 6 in: member, 7 out: member, 8 appr: member, 9 a name of this attempt, 10 how long a decided
--      approval is kept in ms, 11 after which time it does not count any more, in ms ('' = never),
--      12 what is to be asked about instead of what is changed ('' = nothing), 13 how many different persons have to approve
--      it (1 | 2), 14 the person's id, 15 outbox entry that tells of the first of two, 16 the id of a first one who counts no
--      more ('' = none)
-- Returns {'decided', status} | {'counted'} (as the first of two) | {'same'} (they were the first) | {'already', status, who,
-- who was the first of two} | {'early'} (an expiry before its time) | {'late'} | {'unknown'}. An attempt that repeats (the client
-- sent the script again because its reply was lost) returns the first outcome.
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('HDEL', KEYS[1], '')
local found = redis.call('HMGET', KEYS[1], 'status', 'expiresAt', 'decidedBy', 'attempt', 'firstId', 'firstName',
  'firstAttempt')
if not found[1] then
  redis.call('ZREM', KEYS[3], ARGV[8])
  return { 'unknown' }
end
if found[7] == ARGV[9] then
  return { 'counted' }
end
if found[1] ~= 'pending' then
  redis.call('ZREM', KEYS[3], ARGV[8])
  if found[4] == ARGV[9] then
    return { 'decided', found[1] }
  end
  return { 'already', found[1], found[3] or '', found[6] or '' }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[11] ~= '' and now > tonumber(ARGV[11]) then
  return { 'late' }
end
local status, who, whoId, entry = ARGV[1], ARGV[2], ARGV[14], ARGV[4]
if now >= tonumber(found[2]) then
  status, who, whoId, entry = 'expired', '', '', ARGV[5]
elseif status == 'expired' then
  return { 'early' }
elseif status == 'approved' and ARGV[13] == '2' then
  if not found[5] or found[5] == ARGV[16] then
    redis.call('HSET', KEYS[1], 'firstId', ARGV[14], 'firstName', who, 'firstAttempt', ARGV[9])
    redis.call('RPUSH', KEYS[2], ARGV[15])
    redis.call('ZADD', KEYS[3], now, ARGV[7])
    return { 'counted' }
  elseif found[5] == ARGV[14] then
    return { 'same' }
  end
end
redis.call('HSET', KEYS[1], 'status', status, 'decidedBy', who, 'reason', ARGV[3], 'decidedAt', now,
  'attempt', ARGV[9])
if whoId ~= '' then
  redis.call('HSET', KEYS[1], 'decidedById', whoId)
end
if status == 'changed' then
  redis.call('HSET', KEYS[1], 'edit', ARGV[12])
end
redis.call('PEXPIRE', KEYS[1], ARGV[10])
redis.call('RPUSH', KEYS[2], entry)
redis.call('ZREM', KEYS[3], ARGV[8])
redis.call('ZADD', KEYS[3], now, ARGV[6], now, ARGV[7])
return { 'decided', status }
