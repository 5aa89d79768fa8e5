-- Saves or removes a schedule, together with its member in the wake index.
-- KEYS 1 schedules, 2 seen, 3 wake, 4 state, 5 log, 6 usage by model, 7 settings, 8 to-dos, 9 personas,
--      10 the memory's windows, 11 their vectors
-- ARGV 1 named fields as JSON:
--   id, member     the schedule's id, and its member in the wake index
--   schedule       as it is stored from now on (absent: it is removed), with the revision after `revision`
--   revision       of the stored one (0: there is none)
--   nextMs         when it is due (absent: paused or over)
--   isTooMany      its person has no room for a new one
--   turn           the turn that does it (absent: none)
--   once           what is done only once, even if its schedule has run since (absent: no such thing)
--   seenTtlMs      how long that is remembered
--   retentionMs    how long an idle chat is kept
-- Returns 'saved' | 'done' (before, and its schedule may have run since) | 'too-many' | 'removed' | 'changed' (it is of
-- another revision, or the turn was erased). Repeated (the client sends a script again when its reply was lost), `save`
-- returns 'saved' again, or 'done'.
-- The chat is kept while a schedule has a slot to come. Its schedules have no end then, which tells other scripts so.
local args = cjson.decode(ARGV[1])
local stored = redis.call('HGET', KEYS[1], args.id)
local function keepOrEnd()
  local isKept = false
  for _, each in ipairs(redis.call('HVALS', KEYS[1])) do
    isKept = isKept or string.find(each, '"nextMs":', 1, true) ~= nil
  end
  local isIdle = redis.call('HEXISTS', KEYS[4], 'owner') == 0
  for _, index in ipairs({ 1, 4, 5, 6, 7, 8, 9, 10, 11 }) do
    if isKept then
      redis.call('PERSIST', KEYS[index])
    elseif isIdle or index == 1 then
      redis.call('PEXPIRE', KEYS[index], args.retentionMs)
    end
  end
end
if args.schedule then
  local isRead, value = pcall(cjson.decode, stored or '')
  isRead = isRead and type(value) == 'table'
  local revision = isRead and (type(value.p) == 'table' and value.p[1] or value.revision) or 0
  local erased = redis.call('HGET', KEYS[4], 'erased')
  if stored == args.schedule then
    return 'saved'
  end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local doneAt = args.once and redis.call('ZSCORE', KEYS[2], args.once)
  if doneAt and tonumber(doneAt) > now - args.seenTtlMs then
    return 'done'
  end
  if (stored and 1 or 0) ~= (args.revision > 0 and 1 or 0) or revision ~= args.revision then
    return 'changed'
  end
  if erased and args.turn and args.turn <= tonumber(erased) then
    return 'changed'
  end
  if not stored and args.isTooMany then
    return 'too-many'
  end
  redis.call('HSET', KEYS[1], args.id, args.schedule)
  if args.once then
    redis.call('ZADD', KEYS[2], now, args.once)
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - args.seenTtlMs)
    redis.call('PEXPIRE', KEYS[2], args.seenTtlMs)
  end
  keepOrEnd()
  if args.nextMs then
    redis.call('ZADD', KEYS[3], string.format('%.0f', args.nextMs), args.member)
  else
    redis.call('ZREM', KEYS[3], args.member)
  end
  return 'saved'
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one needs none.
redis.call('HDEL', KEYS[1], args.id, 'digest:' .. args.id)
redis.call('ZREM', KEYS[3], args.member)
keepOrEnd()
return stored and 'removed' or 'changed'
