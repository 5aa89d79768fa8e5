-- Saves or removes a schedule, together with its member in the wake index.
-- KEYS 1 schedules, 2 state, 3 wake, 4 log, 5 usage by model, 6 settings, 7 to-dos, 8 personas, 9 seen,
--      10 the memory's windows, 11 their vectors
-- ARGV 1 named fields as JSON:
--   id, member     the schedule's id, and its member in the wake index
--   schedule       as it is stored from now on (absent: it is removed), with the revision after `revision`
--   revision       of the stored one (0: there is none)
--   nextMs         when it is due (absent: paused or over)
--   most           schedules that the chat may have with a new one (absent: as many as it likes)
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
  local isIdle = redis.call('HEXISTS', KEYS[2], 'owner') == 0
  for _, index in ipairs({ 1, 2, 4, 5, 6, 7, 8, 10, 11 }) do
    if isKept then
      redis.call('PERSIST', KEYS[index])
    elseif isIdle or index == 1 then
      redis.call('PEXPIRE', KEYS[index], args.retentionMs)
    end
  end
end
if args.schedule then
  local isRead, value = pcall(cjson.decode, stored or '')
  local revision = isRead and type(value) == 'table' and value.revision or 0
  local erased = redis.call('HGET', KEYS[2], 'erased')
  if stored == args.schedule then
    return 'saved'
  end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local doneAt = args.once and (args.revision > 0 or not stored) and redis.call('ZSCORE', KEYS[9], args.once)
  if doneAt and tonumber(doneAt) > now - args.seenTtlMs then
    return 'done'
  end
  if (stored and 1 or 0) ~= (args.revision > 0 and 1 or 0) or revision ~= args.revision then
    return 'changed'
  end
  if erased and args.turn and args.turn <= tonumber(erased) then
    return 'changed'
  end
  if not stored and args.most then
    local others = 0
    for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
      others = others + (string.sub(id, 1, 7) == 'digest:' and 0 or 1)
    end
    if others >= args.most then
      return 'too-many'
    end
  end
  redis.call('HSET', KEYS[1], args.id, args.schedule)
  if args.once then
    redis.call('ZADD', KEYS[9], now, args.once)
    redis.call('ZREMRANGEBYSCORE', KEYS[9], '-inf', now - args.seenTtlMs)
    redis.call('PEXPIRE', KEYS[9], args.seenTtlMs)
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
