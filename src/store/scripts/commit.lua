-- One atomic, fenced change of a chat's turn.
-- KEYS 1 state, 2 inbox, 3 log, 4 calls, 5 outbox, 6 draft, 7 wake, 8 usage by model, 9 settings, 10 to-dos,
--      11 personas, 12 schedules, 13 the memory's windows, 14 their vectors,
--      15 summaries of earlier conversations, 16 the shard's chats that may need one
-- ARGV 1 named fields as JSON:
--   token, revision       of the session: its token, and the revision that it knows
--   turn, state           the turn's number, and its state as JSON (absent: the chat is idle)
--   isProgress            the turn made progress: earlier deaths of its workers no longer count
--   leaseMs, retentionMs, approvalAfterlifeMs   how long the lease, an idle chat and a closed approval are kept
--   chat                  the chat
--   inMember, outMember   the chat's members in the wake index
--   approvalPrefix        prefix of approvals' keys
--   take                  how many inbox entries are consumed
--   log, outbox, inbox    entries to append to each
--   journal               { { call, entry } … }; clearsJournal: the journal is emptied first
--   lastReset             index of the last reset in `log` (0 = none)
--   idleAfterMs           summaries are made: the chat is looked at after this (absent: they aren't)
--   changed               { { from, to, person } … }: log positions of stored entries that read otherwise: they are taken
--                         back or edited, by person; without `to`, all that follow
--   viewStart             log position at which the view now begins (absent: as before)
--   pending               ids of the approvals that are still pending
--   open                  approvals to open: { id, approval, forMs = ms until it expires }
--   close                 approvals to close: { id, status }
--   usage                 turns, modelCalls, inputTokens, outputTokens
--   spent                 usage by model: { { field, amount ('' = only a mark) } … }
--   plan                  what became of a slot of a schedule: id, slot and outcome as they are stored (no outcome: that
--                         comes later), mostFailures; and, where they apply, digest (of what was seen), notice (posted if
--                         this pauses it)
--   index                 the history is indexed: member of the wake index, afterMs (absent: it isn't)
--   release               ends the session: left = inbox entries that it has seen and left, wakeInMs (absent: wake on
--                         news)
-- Returns {'committed', revision, stop, again, waiting, old} | {'fenced'} | {'decided'}; again = 1: released, and there
-- is news that the caller has not seen; waiting: inbox entries; old = 1: the history's beginning is due for `trim`. A
-- repeated revision (the client sent the script again because its reply was lost) returns the first outcome, with the
-- current stop and waiting, and writes nothing.
local args = cjson.decode(ARGV[1])
local turn, release = args.turn, args.release
local st = redis.call('HMGET', KEYS[1], 'owner', 'last', 'revision', 'stop', 'logBase', 'again', 'viewStart', 'inBase', 'trimmed',
  'usage:turns', 'usage:modelCalls', 'usage:inputTokens', 'usage:outputTokens', 'stopNotice')
local revision, stop = tonumber(st[3] or 0), tonumber(st[4] or 0)
local logBase, oldViewStart, inBase = tonumber(st[5] or 0), tonumber(st[7] or 0), tonumber(st[8] or 0)
local name = args.token .. ' ' .. args.revision
if st[2] == name then
  return { 'committed', args.revision + 1, stop, tonumber(st[6]), redis.call('LLEN', KEYS[2]), 0 }
end
if st[1] ~= args.token or revision ~= args.revision then
  return { 'fenced' }
end

-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, approval in ipairs(args.close) do
  if redis.call('HGET', args.approvalPrefix .. approval.id, 'status') ~= 'pending' then
    return { 'decided' }
  end
end
-- Fields of the state, written and removed at the end with one command each.
local fields, removed = {}, {}
local function write(field, value)
  fields[#fields + 1], fields[#fields + 2] = field, value
end
-- Redis has no rollback: everything that could fail is checked before the first write.
for index, field in ipairs({ 'turns', 'modelCalls', 'inputTokens', 'outputTokens' }) do
  -- JSON has no infinite numbers: they arrive as null, which is not a number.
  local count = tonumber(args.usage[field])
  if count and count >= 1 and count <= 1e12 then
    write('usage:' .. field, string.format('%.0f', (tonumber(st[9 + index] or 0) or 0) + math.floor(count)))
  end
end
-- The view never begins earlier than before, nor after the log's end.
local logEnd = logBase + redis.call('LLEN', KEYS[3]) + #args.log
local viewStart, asked = oldViewStart, math.floor(tonumber(args.viewStart or 0) or 0)
if asked <= logEnd then
  viewStart = math.max(viewStart, asked)
end
if args.lastReset > 0 then
  viewStart = math.max(viewStart, logEnd - #args.log + args.lastReset)
end

for _, approval in ipairs(args.close) do
  local key = args.approvalPrefix .. approval.id
  redis.call('HSET', key, 'status', approval.status, 'decidedAt', now)
  redis.call('PEXPIRE', key, args.approvalAfterlifeMs)
  redis.call('ZREM', KEYS[7], 'appr:' .. approval.id)
end
-- Entries after this position were written after the question.
local position = #args.open > 0 and inBase + redis.call('LLEN', KEYS[2])
for _, approval in ipairs(args.open) do
  local expiresAt = string.format('%.0f', now + approval.forMs)
  redis.call('HSET', args.approvalPrefix .. approval.id, 'approval', approval.approval, 'status', 'pending',
    'expiresAt', expiresAt, 'askedAtPosition', position)
  redis.call('ZADD', KEYS[7], expiresAt, 'appr:' .. approval.id)
end

for _, entry in ipairs(args.log) do
  redis.call('RPUSH', KEYS[3], entry)
end
-- Summaries that hold what is taken back or edited go with it; the newest one is made again without that.
local changedFrom, changedTo, payer = nil, -1, nil
for _, range in ipairs(args.changed or {}) do
  if not changedFrom or range.from < changedFrom then
    changedFrom, payer = range.from, range.person
  end
  changedTo = math.max(changedTo, range.to or math.huge)
  for _, summary in ipairs(redis.call('LRANGE', KEYS[15], 0, -1)) do
    local from, to = string.match(summary, '"from":(%d+)'), string.match(summary, '"to":(%d+)')
    if from and to and tonumber(to) >= range.from and tonumber(from) <= (range.to or math.huge) then
      redis.call('LREM', KEYS[15], 1, summary)
    end
  end
end
-- So do the windows from there on: all of them are made again. What is being indexed was read before.
if changedFrom then
  write('changed', revision)
end
local known = changedFrom and redis.call('HGET', KEYS[13], 'head')
local isHead, head = pcall(cjson.decode, known or '')
if isHead and type(head) == 'table' and head.v == 1 and type(head.count) == 'number' and type(head.from) == 'number' then
  local first, count = tonumber(redis.call('HGET', KEYS[13], 'first') or '') or 0, head.count
  local id, after, window = first, count, nil
  while id < after do
    local middle = math.floor((id + after) / 2)
    window = redis.call('HGET', KEYS[13], middle) or ''
    local last = tonumber(string.match(window, '"t":(%d+)') or '')
    if not last then
      break
    elseif last < changedFrom then
      id = middle + 1
    else
      after = middle
    end
  end
  window = id < count and redis.call('HGET', KEYS[13], id)
  local from = window and tonumber(string.match(window, '"f":(%d+)') or '')
  -- Before the oldest one were others, which were dropped: what they held is not indexed.
  local isDropped = from and first > 0 and id == first and changedFrom < from
  if id < after or (id < count and not from) or count - id > 100000 then
    -- One that can't be read doesn't say where to begin again: all of them are made again.
    redis.call('UNLINK', KEYS[13], KEYS[14])
  elseif (not isDropped or changedTo >= from) and (from or changedFrom < head.from) then
    if from then
      -- Vectors are made again at the expense of who edited. What an earlier edit led to may not be made yet.
      local vectors = redis.call('HMGET', KEYS[14], 'next', 'payer')
      if payer and vectors[1] and not (vectors[2] and tonumber(vectors[1]) < id) then
        local bill = { person = payer, from = from, to = logEnd - #args.log }
        redis.call('HSET', KEYS[14], 'payer', cjson.encode(bill))
      elseif not payer and vectors[1] and tonumber(vectors[1]) >= id then
        redis.call('HDEL', KEYS[14], 'payer')
      end
      -- Indexing goes on from the first one removed, and processes read what is left again.
      local at = tonumber(string.match(window, '"at":(%d+)') or 0)
      head.built, head.id, head.count, head.from = args.token .. revision, id, id, from
      head.part, head.sinceMs = tonumber(string.match(window, '"p":(%d+)') or 0), at > 0 and at or nil
      local gone = {}
      for number = id, count - 1 do
        gone[#gone + 1] = number
        if #gone == 1000 or number == count - 1 then
          redis.call('HDEL', KEYS[13], unpack(gone))
          redis.call('HDEL', KEYS[14], unpack(gone))
          gone = {}
        end
      end
    end
    -- What had no text is in no window.
    if changedFrom < head.from then
      head.from, head.part, head.sinceMs = changedFrom, 0, nil
    end
    redis.call('HSET', KEYS[13], 'head', cjson.encode(head))
  else
    -- A process of the previous version knows by this that what it has read is no longer so.
    head.cut = args.token .. revision
    redis.call('HSET', KEYS[13], 'head', cjson.encode(head))
  end
end
if viewStart > oldViewStart then
  write('viewStart', viewStart)
end
for _, entry in ipairs(args.outbox) do
  redis.call('RPUSH', KEYS[5], entry)
end
local ended = args.plan
local isRead, plan = pcall(cjson.decode, ended and redis.call('HGET', KEYS[12], ended.id) or '')
isRead = isRead and type(plan) == 'table'
-- Version 2 has them in a list.
local isListed = isRead and plan.v == 2 and type(plan.p) == 'table'
local parts, revisionAt, outcomesAt = plan, 'revision', 'outcomes'
if isListed then
  parts, revisionAt, outcomesAt = plan.p, 1, 2
end
local isKnown = ended and isRead and (plan.v == 1 or isListed) and type(parts[revisionAt]) == 'number'
  and type(plan.failures or 0) == 'number' and type(parts[outcomesAt] or '') == 'string'
if isKnown and ended.digest then
  redis.call('HSET', KEYS[12], 'digest:' .. ended.id, ended.digest)
end
if isKnown and ended.outcome then
  parts[revisionAt] = parts[revisionAt] + 1
  local isFailure = ended.outcome == 'F'
  plan.failures = isFailure and (plan.failures or 0) + 1 or nil
  parts[outcomesAt] = string.gsub(parts[outcomesAt] or '', '%u' .. ended.slot, ended.outcome .. ended.slot, 1)
  if isFailure and plan.failures >= ended.mostFailures and plan.nextMs then
    plan.nextMs, plan.pausedWhy = nil, 'failures'
    redis.call('ZREM', KEYS[7], 'plan:' .. args.chat .. '/' .. ended.id)
    if ended.notice then
      redis.call('RPUSH', KEYS[5], ended.notice)
      redis.call('ZADD', KEYS[7], now, args.outMember)
    end
  end
  redis.call('HSET', KEYS[12], ended.id, cjson.encode(plan))
  local isKept = false
  for _, each in ipairs(redis.call('HVALS', KEYS[12])) do
    isKept = isKept or string.find(each, '"nextMs":', 1, true) ~= nil
  end
  if not isKept then
    redis.call('PEXPIRE', KEYS[12], args.retentionMs)
  end
end
local isDraftOver = #args.outbox > 0 or not args.state
if isDraftOver and args.clearsJournal then
  redis.call('DEL', KEYS[6], KEYS[4])
elseif isDraftOver or args.clearsJournal then
  redis.call('DEL', isDraftOver and KEYS[6] or KEYS[4])
end
-- A stop's notice is posted by the end of its turn, and only if the stop has ended something: the turn, what waited, or
-- orders that would have followed. Where its answer was complete, the notice doesn't reply to the message.
local stoppedTurn, dropped, stopNotice = string.match(st[14] or '', '^(%d+)(%+?) (.+)$')
if not args.state and tonumber(stoppedTurn) == turn then
  local isCancelled = string.find(args.log[#args.log] or '', '^{"kind":"end",.-"reason":"cancelled"') ~= nil
  if isCancelled or dropped == '+' or #args.inbox > 0 then
    redis.call('RPUSH', KEYS[5], isCancelled and stopNotice or (string.gsub(stopNotice, ',"replyTo":"[^"]*"', '', 1)))
    redis.call('ZADD', KEYS[7], now, args.outMember)
  end
end
if #args.outbox > 0 then
  redis.call('ZADD', KEYS[7], now, args.outMember)
end
for _, pair in ipairs(args.journal) do
  redis.call('HSET', KEYS[4], pair[1], pair[2])
end
if args.take > 0 then
  -- A message of this turn was stopped since the caller read it. Messages that were stopped earlier come before it.
  local opener = math.max(turn - inBase - 1, 0)
  for _, entry in ipairs(args.state and redis.call('LRANGE', KEYS[2], opener, args.take - 1) or {}) do
    if string.find(entry, '^{"kind":"%a+","stopped":true,') then
      stop = math.max(stop, turn)
      redis.call('HSET', KEYS[1], 'stop', stop)
    end
  end
  redis.call('LTRIM', KEYS[2], args.take, -1)
  redis.call('HINCRBY', KEYS[1], 'inBase', args.take)
end
-- A stop that came in during this turn also stops the orders that would have followed from it.
for _, entry in ipairs(stop < turn and args.inbox or {}) do
  redis.call('RPUSH', KEYS[2], entry)
end
local waiting = redis.call('LLEN', KEYS[2])
for _, pair in ipairs(args.spent) do
  if pair[2] == '' then
    redis.pcall('HSET', KEYS[8], pair[1], 1)
  else
    -- A field that isn't a number can't be incremented, and must not abort the commit halfway.
    redis.pcall('HINCRBYFLOAT', KEYS[8], pair[1], pair[2])
  end
end

revision = revision + 1
if args.state then
  write('state', args.state)
else
  removed[1], removed[2] = 'state', 'stopNotice'
end
if args.isProgress or release then
  for _, field in ipairs({ 'deaths', 'missed', 'misses' }) do
    removed[#removed + 1] = field
  end
end
local again, old = 0, 0
if release then
  removed[#removed + 1] = 'owner'
  removed[#removed + 1] = 'lease'
  if not args.state then
    local lasting, isKept = { KEYS[1], KEYS[3], KEYS[8] }, false
    -- Few chats have any of these.
    local others = { KEYS[9], KEYS[10], KEYS[11], KEYS[12], KEYS[13], KEYS[14] }
    if redis.call('EXISTS', unpack(others)) > 0 then
      -- A chat with a slot to come doesn't expire before it: its schedules have no end then.
      isKept = redis.call('PTTL', KEYS[12]) == -1
      for _, key in ipairs(others) do
        lasting[#lasting + 1] = key
      end
    end
    for _, key in ipairs(lasting) do
      if isKept then
        redis.call('PERSIST', key)
      else
        redis.call('PEXPIRE', key, args.retentionMs)
      end
    end
    if args.idleAfterMs then
      redis.call('ZADD', KEYS[16], now + args.idleAfterMs, args.chat)
    end
    if args.index then
      -- Not later where it is due already: a busy chat must not wait for its rest.
      redis.call('ZADD', KEYS[7], 'LT', now + args.index.afterMs, args.index.member)
    end
    -- Once a day: a chat that is used every day never expires as a whole.
    if not st[9] then
      write('trimmed', now)
    elseif now - st[9] >= 86400000 then
      old = 1
    end
  end
  if waiting > release.left or (args.state and stop >= turn) then
    again = 1
  end
  for _, id in ipairs(args.pending) do
    if redis.call('HGET', args.approvalPrefix .. id, 'status') ~= 'pending' then
      again = 1
    end
  end
  if again == 1 then
    redis.call('ZADD', KEYS[7], now, args.inMember)
  elseif release.wakeInMs then
    redis.call('ZADD', KEYS[7], now + release.wakeInMs, args.inMember)
  else
    redis.call('ZREM', KEYS[7], args.inMember)
  end
else
  local lease = now + args.leaseMs
  write('lease', lease)
  redis.call('ZADD', KEYS[7], lease, args.inMember)
end
if #removed > 0 then
  redis.call('HDEL', KEYS[1], unpack(removed))
end
redis.call('HSET', KEYS[1], 'revision', revision, 'turn', turn, 'approvals', table.concat(args.pending, ' '), 'last', name,
  'again', again, unpack(fields))
return { 'committed', revision, stop, again, waiting, old }
