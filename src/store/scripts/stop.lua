-- Ends running and waiting work, everyone's or one person's. Everyone's: sets the stop watermark to the newest inbox
-- position; all work at or below it ends cancelled. One person's: the watermark reaches as far as all entries are this
-- person's, starting with the open turn; their later entries, after those of others, are marked in place. If there is
-- no work, only the stop's id is written. A repeated stop changes nothing, even if new work has come in since.
-- KEYS 1 state, 2 inbox, 3 wake, 4 seen, 5 log, 6 outbox
-- ARGV 1 wake member, 2 prefix of a message's entry, 3 id of the stop ('' = it is never repeated), 4 how long ids are
-- remembered in ms, 5 id of the person whose work it ends ('' = everyone's), 6 prefix of an ordinary order's entry,
-- 7 number of the turn that has to be open or, while none is, position of an entry that has to wait ('' = any); otherwise
--   nothing is stopped
-- 8 outbox entry with a notice ('' = none): posted if this call has ended waiting entries; if it has reached an open turn,
--   `commit` posts it when that turn ends, since its answer may be complete before its worker learns of the stop (a +
--   after the turn's number: waiting entries were ended too), 9 out: member
-- Returns {'1' if an open turn was ended, number of waiting messages and of other waiting entries (resets, controls)
-- that no earlier stop had reached, name of the open turn's requester if it continues because it isn't this person's,
-- number of the newest turn}.
-- A repeated stop returns the same; of the stops that ended something, only the newest is remembered.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local st = redis.call('HMGET', KEYS[1], 'inBase', 'state', 'stop', 'stopped', 'turn')
local inBase, state, stop, turn = tonumber(st[1] or 0), st[2] or '', tonumber(st[3] or 0), tonumber(st[5] or 0)
local person = ARGV[5]

local function read(json)
  local isRead, value = pcall(cjson.decode, json)
  return isRead and type(value) == 'table' and value or {}
end
local function someoneIn(value, field)
  return type(value[field]) == 'table' and value[field] or {}
end
-- An open turn belongs to its requester and to the authors of its messages: those in the history after the last entry
-- of another turn. At most the newest 200 entries are read.
local function ownersOfTurn()
  local owners = { someoneIn(read(state), 'requester') }
  local log = redis.call('LRANGE', KEYS[5], -200, -1)
  for index = #log, 1, -1 do
    local kind = string.match(log[index], '^{"kind":"(%a+)"')
    local entry = (kind == 'message' or kind == 'assistant' or kind == 'tool') and read(log[index]) or {}
    if kind == 'reset' or kind == 'end' or (entry.turn and entry.turn ~= turn) then
      break
    elseif kind == 'message' then
      owners[#owners + 1] = someoneIn(entry, 'person')
    end
  end
  return owners
end
local isOpen, isTheirs, goesOn = state ~= '', true, ''
if isOpen and person ~= '' then
  isTheirs = false
  for _, owner in ipairs(ownersOfTurn()) do
    isTheirs = isTheirs or owner.id == person
    goesOn = goesOn == '' and owner.name or goesOn
  end
  goesOn = isTheirs and '' or goesOn
end

if ARGV[3] ~= '' then
  local seen = redis.call('ZSCORE', KEYS[4], ARGV[3])
  if seen and tonumber(seen) > now - ARGV[4] then
    local id, open, messages, others = string.match(st[4] or '', '^(.+) (%d+) (%d+) (%d+)$')
    if id == ARGV[3] then
      return { open, messages, others, goesOn, turn }
    end
    return { 0, 0, 0, goesOn, turn }
  end
  redis.call('ZADD', KEYS[4], now, ARGV[3])
  redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - ARGV[4])
  redis.call('PEXPIRE', KEYS[4], ARGV[4])
end

if ARGV[7] ~= '' then
  local shown = tonumber(ARGV[7])
  local isThere = shown == turn
  if not isOpen then
    isThere = shown > math.max(inBase, stop) and shown <= inBase + redis.call('LLEN', KEYS[2])
  end
  if not isThere then
    return { 0, 0, 0, goesOn, turn }
  end
end

local function begins(entry, prefix)
  return string.sub(entry, 1, #prefix) == prefix
end
local entries = redis.call('LRANGE', KEYS[2], 0, -1)
local open = (isOpen and isTheirs) and 1 or 0
local messages, others = 0, 0
-- Inbox position up to which all entries are this person's.
local reach = isTheirs and inBase or -1
for index, entry in ipairs(entries) do
  local at = inBase + index
  local wasDropped = at <= stop or string.find(entry, '^{"kind":"%a+","stopped":true,') ~= nil
  local isOf = person == '' or someoneIn(read(entry), 'person').id == person
  if isOf and not wasDropped then
    if begins(entry, ARGV[2]) then
      messages = messages + 1
    elseif not begins(entry, '{"kind":"edit",') then
      others = others + 1
    end
  end
  -- A reset is no one's work: it takes place whether it is stopped or not.
  if reach == at - 1 and (isOf or wasDropped or begins(entry, '{"kind":"reset",')) then
    reach = at
  elseif isOf and not wasDropped and (begins(entry, ARGV[2]) or begins(entry, ARGV[6])) then
    redis.call('LSET', KEYS[2], index - 1, (string.gsub(entry, ',', ',"stopped":true,', 1)))
  end
end
if open == 1 or messages + others > 0 or (person == '' and #entries > 0) then
  redis.call('HSET', KEYS[1], 'stop', math.max(stop, open == 1 and turn or 0, reach))
  if ARGV[3] ~= '' then
    redis.call('HSET', KEYS[1], 'stopped', table.concat({ ARGV[3], open, messages, others }, ' '))
  end
  -- Entries of others may still wait for the rest of an album.
  if reach == inBase + #entries then
    redis.call('HDEL', KEYS[1], 'notBefore')
  end
  redis.call('ZADD', KEYS[3], 'LT', now, ARGV[1])
end
-- An open turn that an earlier stop has reached was ended by that one.
if ARGV[8] ~= '' and open == 1 and stop < turn then
  redis.call('HSET', KEYS[1], 'stopNotice', turn .. (messages + others > 0 and '+ ' or ' ') .. ARGV[8])
elseif ARGV[8] ~= '' and messages + others > 0 then
  redis.call('RPUSH', KEYS[6], ARGV[8])
  redis.call('ZADD', KEYS[3], now, ARGV[9])
end
return { open, messages, others, goesOn, turn }
