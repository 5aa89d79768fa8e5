-- Erases a chat's data, or the data of some of its turns outside the history, and releases the chat. Fenced.
-- KEYS 1 state, 2 inbox, 3 log, 4 calls, 5 outbox, 6 draft, 7 wake, 8 usage by model, 9 notes, 10 to-dos, 11 settings,
--      12 turns that have traces, 13 ids of kept results, 14 index of the shard's dead letters,
--      15 the files that people have sent, 16 standing permissions, 17 personas made in the chat, 18 schedules,
--      19 the memory's windows, 20 their vectors, 21 facts, 22 summaries of earlier conversations,
--      23 the shard's chats that may need one
-- ARGV 1 named fields as JSON:
--   token, revision      of the session: its token, and the revision that it knows
--   take                 how many inbox entries are consumed
--   what                 'chat' | 'turns'
--   quotedPerson, turns  for 'turns': the person's id in quotes, and the turns' numbers as strings
--   chat, epoch          the chat, and the log's new epoch
--   retentionMs          how long the remaining data is kept
--   inMember, outMember, memMember   the chat's members in the wake index
--   tracePrefix, blobPrefix, approvalPrefix, deadPrefix   prefixes of keys: traces, blobs, approvals, dead letters
-- Returns {'erased', again} | {'fenced'}; again = 1: entries wait in the inbox. A repeated revision (the client sent
-- the script again because its reply was lost) returns the first outcome and writes nothing. The field `erased` holds
-- the last erased turn: a paused worker may still hold its data, and must not write for it. `erasedAt` holds the time,
-- `erasedBy` the id of the inbox entry.
local args = cjson.decode(ARGV[1])
local st = redis.call('HMGET', KEYS[1], 'owner', 'last', 'revision', 'again')
local revision, name = tonumber(st[3] or 0), args.token .. ' ' .. args.revision
if st[2] == name then
  return { 'erased', tonumber(st[4]) }
end
if st[1] ~= args.token or revision ~= args.revision then
  return { 'fenced' }
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local isChat = args.what == 'chat'

-- Model requests and long results contain earlier messages, too.
for _, turn in ipairs(redis.call('ZRANGE', KEYS[12], 0, -1)) do
  redis.call('UNLINK', args.tracePrefix .. turn)
end
for _, id in ipairs(redis.call('LRANGE', KEYS[13], 0, -1)) do
  redis.call('UNLINK', args.blobPrefix .. id)
end
-- Summaries, too: of which of them it is the person's words can't be said.
redis.call('UNLINK', KEYS[12], KEYS[13], KEYS[22])
local facts = redis.call('HGETALL', KEYS[21])
for index = 1, #facts, 2 do
  if isChat or string.find(facts[index + 1], args.quotedPerson, 1, true) then
    redis.call('HDEL', KEYS[21], facts[index])
  end
end
-- The memory holds what several people said together: it is made again of what is left.
local wasIndexed = redis.call('UNLINK', KEYS[19], KEYS[20]) > 0
if isChat then
  redis.call('ZREM', KEYS[7], args.memMember)
  redis.call('ZREM', KEYS[23], args.chat)
elseif wasIndexed then
  redis.call('ZADD', KEYS[7], 'LT', now, args.memMember)
end

local turns = {}
for _, turn in ipairs(args.turns) do
  turns[turn] = true
end
-- Prefixes of the ids of a turn's own entries; the turn's number follows.
local saidBy = { turn = true, wait = true, compaction = true, auto = true }
-- The id of an approval that an entry shows.
local function shownIn(value)
  if type(value) ~= 'table' then
    return nil
  end
  if type(value.card) == 'table' then
    return value.card.approvalId
  end
  return type(value.approvals) == 'table' and value.approvals[1] or nil
end
-- The person's share of an approval: 'all' if they asked, 'part' if they decided it or changed its arguments.
local function shareOf(approval)
  local found = redis.call('HMGET', args.approvalPrefix .. tostring(approval), 'approval', 'decidedById', 'firstId', 'edit')
  local isRead, value = pcall(cjson.decode, found[1] or '')
  local requester = isRead and type(value) == 'table' and value.requester
  if type(requester) == 'table' and '"' .. tostring(requester.id) .. '"' == args.quotedPerson then
    return 'all'
  end
  for _, each in ipairs({ found[1] or '', '"' .. (found[2] or '') .. '"', '"' .. (found[3] or '') .. '"', found[4] or '' }) do
    if string.find(each, args.quotedPerson, 1, true) then
      return 'part'
    end
  end
  return nil
end
local wholeApproval = { 'approval', 'decidedBy', 'decidedById', 'reason', 'firstId', 'firstName', 'edit' }
local function concerns(id, shown, person)
  local what, turn = string.match(id, '^(%a+)%-(%d+)')
  if isChat or (saidBy[what or ''] and turns[turn]) then
    return true
  end
  if type(person) == 'string' and string.find('"' .. person .. '"', args.quotedPerson, 1, true) then
    return true
  end
  shown = shown or string.match(id, '^change%-(.+)$')
  return shown and shareOf(shown) ~= nil
end
local kept, gone, changed = {}, {}, false
for _, entry in ipairs(redis.call('LRANGE', KEYS[5], 0, -1)) do
  local id, json = string.match(entry, '^(%S+) (.*)$')
  local isRead, value = pcall(cjson.decode, json or '')
  local card = isRead and type(value) == 'table' and type(value.card) == 'table' and value.card or nil
  local person = isRead and type(value) == 'table' and value.person or nil
  if not concerns(id or '', isRead and shownIn(value) or nil, person) then
    kept[#kept + 1] = entry
  else
    changed = true
    gone[id or ''] = true
    if card and value.kind == 'resolution' then
      -- The card stays visible in the chat, so its buttons must still be removed.
      card.arguments, card.requesterName, card.changedBy, card.facts = '"[erased]"', '', nil, nil
      value.text, value.erased = 'Erased.', true
      gone[id] = nil
      kept[#kept + 1] = id .. ' ' .. cjson.encode(value)
    elseif isRead and type(value) == 'table' and value.kind == 'cards-outcome' then
      -- The entry is rendered from its approvals, which from now on hold nothing, or only what others did. Those of a
      -- copy, which has a heading, are another chat's.
      for _, approval in ipairs(value.heading and {} or value.approvals) do
        if isChat or shareOf(approval) ~= 'part' then
          redis.call('HDEL', args.approvalPrefix .. approval, unpack(wholeApproval))
        end
      end
      gone[id] = nil
      kept[#kept + 1] = entry
    end
  end
end
local suffix = ' ' .. args.chat
for _, member in ipairs(redis.call('ZRANGE', KEYS[14], 0, -1)) do
  if string.sub(member, -#suffix) == suffix then
    local letter = args.deadPrefix .. string.sub(member, 1, -#suffix - 1)
    local isRead, value = pcall(cjson.decode, redis.call('HGET', letter, 'entry') or '')
    if not isRead or type(value) ~= 'table' or concerns(tostring(value.id), shownIn(value), value.person) then
      redis.call('DEL', letter)
      redis.call('ZREM', KEYS[14], member)
    end
  end
end
if changed then
  redis.call('DEL', KEYS[5])
  for _, entry in ipairs(kept) do
    redis.call('RPUSH', KEYS[5], entry)
  end
  -- The current sender may hold erased data: count it as dead, so that its next receipt is refused and the delivery of
  -- the entry that it was sending is in doubt, if the entry stays.
  local out = redis.call('HMGET', KEYS[1], 'out:owner', 'out:doing', 'out:interrupted')
  if out[1] then
    redis.call('HSET', KEYS[1], 'out:owner', 'nobody', 'out:lease', now)
  end
  if gone[out[2] or ''] then
    redis.call('HDEL', KEYS[1], 'out:doing')
  end
  if gone[out[3] or ''] then
    redis.call('HDEL', KEYS[1], 'out:interrupted', 'out:doubtAt')
  end
end

local plans, isKept = redis.call('HGETALL', KEYS[18]), false
for index = 1, #plans, 2 do
  local id, json = plans[index], plans[index + 1]
  if isChat or string.find(json, args.quotedPerson, 1, true) then
    redis.call('HDEL', KEYS[18], id, 'digest:' .. id)
    redis.call('ZREM', KEYS[7], 'plan:' .. args.chat .. '/' .. id)
  else
    isKept = isKept or string.find(json, '"nextMs":', 1, true) ~= nil
  end
end

local isRead, order = pcall(cjson.decode, redis.call('LINDEX', KEYS[2], args.take - 1) or '')
local by = isRead and type(order) == 'table' and tostring(order.id) or ''
redis.call('LTRIM', KEYS[2], args.take, -1)
local inBase = redis.call('HINCRBY', KEYS[1], 'inBase', args.take)
local waiting = redis.call('LLEN', KEYS[2])
local again = waiting > 0 and 1 or 0
if isChat then
  redis.call('UNLINK', KEYS[3], KEYS[4], KEYS[6], KEYS[8], KEYS[9], KEYS[10], KEYS[11], KEYS[15], KEYS[16],
    KEYS[17])
  -- Turn numbers continue, so that a late write of an old turn can't count as one of a new turn.
  local stays = { inBase = true, turn = true, stop = true }
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if not stays[field] then
      redis.call('HDEL', KEYS[1], field)
    end
  end
else
  redis.call('HSET', KEYS[1], 'epoch', args.epoch)
  redis.call('HDEL', KEYS[1], 'owner', 'lease', 'deaths', 'missed', 'misses')
end
redis.call('HSET', KEYS[1], 'revision', revision + 1, 'last', name, 'again', again, 'erased', inBase, 'erasedAt', now, 'erasedBy', by)
if not isKept then
  for _, key in ipairs({ KEYS[1], KEYS[3], KEYS[8], KEYS[10], KEYS[11], KEYS[17], KEYS[18] }) do
    redis.call('PEXPIRE', key, args.retentionMs)
  end
end
if again == 1 then
  redis.call('ZADD', KEYS[7], now, args.inMember)
else
  redis.call('ZREM', KEYS[7], args.inMember)
end
if #kept > 0 then
  redis.call('ZADD', KEYS[7], now, args.outMember)
elseif changed or isChat then
  redis.call('ZREM', KEYS[7], args.outMember)
end
return { 'erased', again }
