-- Decides an approval, once. The compare-and-set checks the expiry itself, so that a late tap cannot win.
-- KEYS 1 approval, 2 outbox, 3 wake
-- ARGV 1 named fields as JSON:
--   status                         the decision: approved | denied | expired | changed
--   decidedBy, decidedById         the person's name and id ('' = none)
--   reason                         in the person's words, or why it is closed before its time ('' = none)
--   edit                           the changed arguments to ask about instead, as JSON ('' = none)
--   persons                        how many different persons have to approve it: 1 | 2
--   voidFirstId                    id of a first approver whose approval no longer counts (absent: none)
--   attempt                        id of this attempt
--   notAfterMs                     the decision counts only up to this time (absent: always)
--   told, toldExpired, toldFirst   outbox entries that report the decision, the expiry, and the first of two approvals
--   afterlifeMs                    how long a decided approval is kept
--   inMember, outMember, approvalMember   members of the chat and of the approval in the wake index
-- Returns {'decided', status} | {'counted'} (as the first of two) | {'same'} (this person was the first) | {'already',
-- status, who, first of two approvers} | {'early'} (an expiry before its time) | {'late'} | {'unknown'}. A repeated
-- attempt (the client sent the script again because its reply was lost) returns the first outcome.
local args = cjson.decode(ARGV[1])
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local found = redis.call('HMGET', KEYS[1], 'status', 'expiresAt', 'decidedBy', 'attempt', 'firstId', 'firstName',
  'firstAttempt')
if not found[1] then
  redis.call('ZREM', KEYS[3], args.approvalMember)
  return { 'unknown' }
end
if found[7] == args.attempt then
  return { 'counted' }
end
if found[1] ~= 'pending' then
  redis.call('ZREM', KEYS[3], args.approvalMember)
  if found[4] == args.attempt then
    return { 'decided', found[1] }
  end
  return { 'already', found[1], found[3] or '', found[6] or '' }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if args.notAfterMs and now > args.notAfterMs then
  return { 'late' }
end
local status, who, whoId, entry = args.status, args.decidedBy, args.decidedById, args.told
if now >= tonumber(found[2]) then
  status, who, whoId, entry = 'expired', '', '', args.toldExpired
elseif status == 'expired' and args.reason == '' then
  return { 'early' }
elseif status == 'approved' and args.persons == 2 then
  if not found[5] or found[5] == args.voidFirstId then
    redis.call('HSET', KEYS[1], 'firstId', args.decidedById, 'firstName', who, 'firstAttempt', args.attempt)
    redis.call('RPUSH', KEYS[2], args.toldFirst)
    redis.call('ZADD', KEYS[3], now, args.outMember)
    return { 'counted' }
  elseif found[5] == args.decidedById then
    return { 'same' }
  end
end
redis.call('HSET', KEYS[1], 'status', status, 'decidedBy', who, 'reason', args.reason, 'decidedAt', now,
  'attempt', args.attempt)
if whoId ~= '' then
  redis.call('HSET', KEYS[1], 'decidedById', whoId)
end
if status == 'changed' then
  redis.call('HSET', KEYS[1], 'edit', args.edit)
end
redis.call('PEXPIRE', KEYS[1], args.afterlifeMs)
redis.call('RPUSH', KEYS[2], entry)
redis.call('ZREM', KEYS[3], args.approvalMember)
redis.call('ZADD', KEYS[3], now, args.inMember, now, args.outMember)
return { 'decided', status }
