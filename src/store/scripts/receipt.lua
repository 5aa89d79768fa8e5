-- Records the result of a send and, when asked, drops the finished entry and releases the outbox. An abandoned entry
-- moves to the dead letters instead.
-- KEYS 1 state, 2 outbox, 3 draft, 4 wake, 5 ledger of the entry or draft, 6 index of the shard's dead letters
-- ARGV 1 named fields as JSON:
--   token, leaseMs   of the session, and how long its lease lasts from now on
--   id, next         of the entry or draft, and of the next one to send (absent: the same)
--   ledger           { { field, value ('' deletes it) } … }; ledgerTtlMs: how long it is kept
--   isFinished       the entry leaves the outbox
--   interrupted      whether the result of the last request is unknown (absent: unchanged)
--   release          releases the outbox: delayMs until the next attempt (absent: at any time); yields: other entries
--                    may overtake it until then
--   card             of approvals: approvals (their keys), messageId
--   askedBy          id of a message that asks another question by buttons (absent: it asks none)
--   failed           an attempt has failed: counter (a field of the ledger), atLeast, forMs; the entry is abandoned
--                    when it has failed `atLeast` times and the first time was `forMs` ago
--   dead             a dead letter, made of an entry that this call abandons or finishes: id, why, cause (in words),
--                    reason (what the platform has against it, '' = unknown), doubtful (1: it may have arrived), ttlMs,
--                    maxOfChat, maxOfShard, prefix (of dead letters' keys), isChatDead (nothing can be sent to the chat
--                    any more), maxRefused (refusals in a row that mean the same); asks: approvals (id, key, member of the
--                    wake index) of this chat that are closed with the reason `unreached` if they are pending and no
--                    message shows them, and then kept for afterlifeMs; inMember: the chat's inbox in the wake index
--   chat, outMember  the chat, and its outbox' member in the wake index
-- Returns {'written', 1 if there is more to send, else 0, 1 if the entry was abandoned, else 0, ids of closed approvals,
-- 'died' (the chat was marked dead) | 'dead' (it was so before, too) | 'alive' (it was dead, and this was delivered: the caller marks it alive) | ''} |
-- {'fenced'}. More: entries are left or, on release, another process asked during this lease and may know of new ones.
local args = cjson.decode(ARGV[1])
local st = redis.call('HMGET', KEYS[1], 'out:owner', 'out:interrupted', 'out:again', 'approvals', 'out:dead', 'out:refused',
  'revision')
if st[1] ~= args.token then
  return { 'fenced' }
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local set, deleted = {}, {}
for _, pair in ipairs(args.ledger) do
  if pair[2] == '' then
    deleted[#deleted + 1] = pair[1]
  else
    set[#set + 1], set[#set + 2] = pair[1], pair[2]
  end
end
if #deleted > 0 then
  redis.call('HDEL', KEYS[5], unpack(deleted))
end
if #set > 0 then
  redis.call('HSET', KEYS[5], unpack(set))
end
local finished, release, dead = args.isFinished, args.release, args.dead
local delay = release and release.delayMs
if args.failed then
  redis.call('HSETNX', KEYS[5], 'since', now)
  local count = redis.call('HINCRBY', KEYS[5], args.failed.counter, 1)
  local since = tonumber(redis.call('HGET', KEYS[5], 'since'))
  if count >= args.failed.atLeast and now - since >= args.failed.forMs then
    finished = true
    delay = nil
  end
end
if #args.ledger > 0 or args.failed then
  redis.call('PEXPIRE', KEYS[5], args.ledgerTtlMs)
end
-- Only while an approval waits: it decides which question a bare yes answers, and would else keep an idle chat's state.
if args.askedBy and (st[4] or '') ~= '' then
  redis.call('HSET', KEYS[1], 'out:asked', args.askedBy)
end
for _, approval in ipairs(args.card and args.card.approvals or {}) do
  if redis.call('EXISTS', approval) == 1 then
    redis.call('HSET', approval, 'card', args.card.messageId)
  end
end

-- Scores are microseconds, so that letters of one millisecond keep their order.
local function bury(entry)
  local at, suffix = string.format('%.0f', time[1] * 1000000 + time[2]), ' ' .. args.chat
  local members = redis.call('ZRANGE', KEYS[6], 0, -1, 'WITHSCORES')
  local ours, kept = 1, {}
  local function isOurs(member)
    return string.sub(member, -#suffix) == suffix
  end
  local function forget(member)
    local id, chat = string.match(member, '^(%S+) (.*)$')
    redis.call('DEL', dead.prefix .. chat .. ':' .. id)
    redis.call('ZREM', KEYS[6], member)
  end
  for index = 1, #members, 2 do
    if isOurs(members[index]) then
      ours = ours + 1
    end
  end
  -- First the expired letters and the oldest of this chat, then the oldest of all.
  for index = 1, #members, 2 do
    local member = members[index]
    if tonumber(members[index + 1]) <= at - dead.ttlMs * 1000 or (isOurs(member) and ours > dead.maxOfChat) then
      forget(member)
      ours = isOurs(member) and ours - 1 or ours
    else
      kept[#kept + 1] = member
    end
  end
  for index = 1, #kept + 1 - dead.maxOfShard do
    forget(kept[index])
  end
  local counts = redis.call('HMGET', KEYS[5], 'tries', 'throws')
  local key = dead.prefix .. args.chat .. ':' .. dead.id
  local tries = tonumber(counts[1] or 0) + tonumber(counts[2] or 0)
  redis.call('HSET', key, 'v', 1, 'entry', entry, 'of', args.id, 'why', dead.why, 'cause', dead.cause, 'reason', dead.reason,
    'doubtful', dead.doubtful, 'at', now, 'tries', math.max(tries, 1), 'slot', string.match(entry, '"slot":"([^"]*)"') or '')
  redis.call('PEXPIRE', key, dead.ttlMs)
  redis.call('ZADD', KEYS[6], at, dead.id .. suffix)
  redis.call('PEXPIRE', KEYS[6], dead.ttlMs)
end

local closed = {}
local function closeUnreached()
  for _, asked in ipairs(dead.asks) do
    local found = redis.call('HMGET', asked.key, 'status', 'card', 'approval')
    if found[1] == 'pending' and not found[2] and found[3] and cjson.decode(found[3]).chat == args.chat then
      redis.call('HSET', asked.key, 'status', 'expired', 'decidedBy', '', 'reason', dead.unreached, 'decidedAt', now)
      redis.call('PEXPIRE', asked.key, dead.afterlifeMs)
      redis.call('ZREM', KEYS[4], asked.member)
      redis.call('ZADD', KEYS[4], now, dead.inMember)
      closed[#closed + 1] = asked.id
    end
  end
end

local given = 0
if finished then
  -- The entry is the first, or has overtaken patient ones.
  local index, stored, id, entry = -1, nil, nil, nil
  repeat
    index = index + 1
    stored = redis.call('LINDEX', KEYS[2], index)
    id, entry = string.match(stored or '', '^(%S+) (.*)$')
  until not stored or (id or '') == args.id
  if stored then
    redis.call('LREM', KEYS[2], 1, stored)
    if dead then
      bury(entry or stored)
      closeUnreached()
      given = 1
    end
  end
end
-- Refusals in a row are counted; a message that has arrived ends the row.
local life = ''
if dead and dead.why == 'refused' and given == 1 then
  local count = redis.call('HINCRBY', KEYS[1], 'out:refused', 1)
  if dead.isChatDead or count >= dead.maxRefused then
    life = redis.call('HSETNX', KEYS[1], 'out:dead', now) == 1 and 'died' or 'dead'
  end
  -- Turns have a say in how long a state is kept; without any it would stay for ever.
  if not st[7] and redis.call('PTTL', KEYS[1]) == -1 then
    redis.call('PEXPIRE', KEYS[1], dead.ttlMs)
  end
elseif (st[5] or st[6]) and finished and not dead and args.ledger[1] and string.find(args.ledger[1][1], '^m%d') then
  redis.call('HDEL', KEYS[1], 'out:refused')
  life = st[5] and 'alive' or ''
end
local more = redis.call('LLEN', KEYS[2]) > 0
if args.interrupted and not finished then
  -- Of several requests with an unknown result, the first one counts.
  if st[2] ~= args.id then
    redis.call('HSET', KEYS[1], 'out:interrupted', args.id, 'out:doubtAt', now)
  end
elseif (args.interrupted == false or finished) and st[2] == args.id then
  redis.call('HDEL', KEYS[1], 'out:interrupted', 'out:doubtAt')
end
if args.next then
  redis.call('HSET', KEYS[1], 'out:doing', args.next)
end
if release then
  more = more or st[3] ~= false
  redis.call('HDEL', KEYS[1], 'out:owner', 'out:lease', 'out:doing', 'out:again')
  if delay then
    redis.call('HSET', KEYS[1], 'out:notBefore', now + delay)
    if release.yields then
      redis.call('HSET', KEYS[1], 'out:yields', now + delay)
    end
    redis.call('ZADD', KEYS[4], now + delay, args.outMember)
  elseif more then
    redis.call('ZADD', KEYS[4], now, args.outMember)
  else
    redis.call('ZREM', KEYS[4], args.outMember)
  end
else
  local lease = now + args.leaseMs
  redis.call('HSET', KEYS[1], 'out:lease', lease)
  redis.call('ZADD', KEYS[4], lease, args.outMember)
end
return { 'written', more and 1 or 0, given, closed, life }
