-- Fires a slot of a schedule: appends its entry to the inbox or the outbox and moves the schedule on, if it is still what
-- the caller has read.
-- KEYS 1 schedules, 2 seen, 3 list (inbox or outbox), 4 wake, 5 state, 6 log, 7 usage by model, 8 settings, 9 to-dos,
--      10 personas, 11 the memory's windows, 12 their vectors
-- ARGV 1 named fields as JSON:
--   id, member          the schedule's id, and its member in the wake index
--   stored              the schedule as the caller has read it (absent: there was none)
--   schedule            as it is stored from now on (absent: it is removed)
--   nextMs              its score in the wake index (absent: it is not due any more)
--   entryId, entry      the entry to append, once per id (absent: none)
--   most, listMember    most entries that may wait in the list, and its member in the wake index
--   seenTtlMs           how long ids are remembered
--   retentionMs         how long an idle chat without a slot to come is kept
-- Returns 'fired' | 'changed' (nothing was written) | 'full' (nor was anything here: it is due again soon). Repeated (the
-- client sends a script again when its reply was lost) it returns 'changed'.
local args = cjson.decode(ARGV[1])
local stored = redis.call('HGET', KEYS[1], args.id)
if not stored then
  redis.call('ZREM', KEYS[4], args.member)
end
if not stored or stored ~= args.stored then
  return 'changed'
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if args.entry then
  if redis.call('LLEN', KEYS[3]) >= args.most then
    return 'full'
  end
  -- The id remembers a slot that an edit or a step of the clock has brought back.
  if not redis.call('ZSCORE', KEYS[2], args.entryId) then
    redis.call('ZADD', KEYS[2], now, args.entryId)
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - args.seenTtlMs)
    redis.call('PEXPIRE', KEYS[2], args.seenTtlMs)
    redis.call('RPUSH', KEYS[3], args.entry)
    redis.call('ZADD', KEYS[4], now, args.listMember)
  end
end
if args.schedule then
  redis.call('HSET', KEYS[1], args.id, args.schedule)
else
  redis.call('HDEL', KEYS[1], args.id, 'digest:' .. args.id)
end
local isKept = args.nextMs ~= nil
for _, each in ipairs(isKept and {} or redis.call('HVALS', KEYS[1])) do
  isKept = isKept or string.find(each, '"nextMs":', 1, true) ~= nil
end
if not isKept then
  redis.call('PEXPIRE', KEYS[1], args.retentionMs)
  for index = 5, redis.call('HEXISTS', KEYS[5], 'owner') == 0 and 12 or 4 do
    redis.call('PEXPIRE', KEYS[index], args.retentionMs)
  end
end
if args.nextMs then
  redis.call('ZADD', KEYS[4], string.format('%.0f', args.nextMs), args.member)
else
  redis.call('ZREM', KEYS[4], args.member)
end
return 'fired'
