-- Leases a chat's turn to one worker, if it is free and due, and returns all that the worker needs to continue. When
-- the chat is idle and an ordinary message heads the inbox, the same step moves the message into the log and opens the
-- turn, so that a plain answer needs only one more commit. Where several entries wait in a chat that collects, the
-- worker joins them instead.
-- KEYS 1 state, 2 inbox, 3 log, 4 calls, 5 wake, 6 settings, 7 notes, 8 to-dos, 9 usage by model, 10 personas,
--      11 facts, 12 summaries of earlier conversations
-- ARGV 1 named fields as JSON:
--   token                          of the new session
--   leaseMs                        how long the session's lease lasts
--   knownPosition, knownEpoch      log position up to which the worker knows the log (-1: nothing), and the log's epoch
--   maxInbox, maxNotes, maxSummaries   most inbox entries, notes and summaries to return
--   whileBusy                      mode of a chat without a setting of its own
--   hold, holdMs                   what is paused: 'new' (no turn is opened) | 'all' (nor is one continued) | absent
--                                  (nothing); ms until the chat is checked again
--   inMember                       the chat's member in the wake index
--   approvalPrefix                 prefix of approvals' keys
--   plainMessagePrefix, messagePrefix, orderPrefix, stoppedMessagePrefix   prefixes of inbox entries: an ordinary
--                                  message, any message, an ordinary order, and a message that its author has stopped
-- Returns {'nothing'} | {'later', ms from now} | {'held'} (paused) | {'begun', …}. A second call with the same token
-- returns the same turn. The epoch identifies a log, so that a worker drops what it cached of one that has expired or
-- was erased.
local args = cjson.decode(ARGV[1])
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local st = redis.call('HMGET', KEYS[1], 'owner', 'lease', 'notBefore', 'revision', 'state', 'inBase', 'logBase',
  'viewStart', 'stop', 'deaths', 'turn', 'approvals', 'epoch')
local owner, lease, notBefore = st[1], tonumber(st[2] or 0), tonumber(st[3] or 0)
local revision, state = tonumber(st[4] or 0), st[5] or ''
local inBase, logBase, viewStart = tonumber(st[6] or 0), tonumber(st[7] or 0), tonumber(st[8] or 0)
local stop, deaths, turn = tonumber(st[9] or 0), tonumber(st[10] or 0), tonumber(st[11] or 0)
local approvals, epoch = st[12] or '', st[13]

local free = notBefore
if owner then
  free = math.max(free, lease)
end
if owner ~= args.token and free > now then
  redis.call('ZADD', KEYS[5], free, args.inMember)
  return { 'later', free - now }
end
local waiting = redis.call('LLEN', KEYS[2])
if state == '' and not owner and waiting == 0 then
  redis.call('ZREM', KEYS[5], args.inMember)
  return { 'nothing' }
end
if args.hold and owner ~= args.token then
  local held = args.hold == 'all' and stop < turn
  if state == '' then
    -- Stopped messages, erasures and resets open no turn: the worker takes them up to the first entry that opens one.
    local head = redis.call('LINDEX', KEYS[2], 0) or ''
    held = inBase + 1 > stop
      and string.sub(head, 1, #args.stoppedMessagePrefix) ~= args.stoppedMessagePrefix
      and (string.sub(head, 1, #args.messagePrefix) == args.messagePrefix
        or string.sub(head, 1, #args.orderPrefix) == args.orderPrefix)
  end
  if held then
    redis.call('ZADD', KEYS[5], now + args.holdMs, args.inMember)
    return { 'held' }
  end
end
-- Few chats have any of these, besides a history.
local isBare = redis.call('EXISTS', KEYS[6], KEYS[7], KEYS[8], KEYS[10], KEYS[11], KEYS[12]) == 0
local settings = isBare and {} or redis.call('HGETALL', KEYS[6])
local mode = args.whileBusy
for index = 1, #settings, 2 do
  if settings[index] == 'whileBusy' then
    mode = settings[index + 1]
  end
end
local notes = isBare and {} or redis.call('LRANGE', KEYS[7], -args.maxNotes, -1)
local todos = not isBare and redis.call('GET', KEYS[8]) or ''
local facts = isBare and {} or redis.call('HVALS', KEYS[11])
local summaries = isBare and {} or redis.call('LRANGE', KEYS[12], -args.maxSummaries, -1)

-- The same token with nothing committed since: the reply to the first call was lost.
local opened = owner == args.token and state == 'open' and 1 or 0
local taken = owner and owner ~= args.token and 1 or 0
if owner ~= args.token then
  if owner and state ~= '' then
    -- Counts as a death until the owner, which was only paused, says in its next heartbeat that it lives.
    deaths = deaths + 1
    redis.call('HSET', KEYS[1], 'missed', owner)
  end
  lease = now + args.leaseMs
  local fields = {}
  local function write(field, value)
    fields[#fields + 1], fields[#fields + 2] = field, value
  end
  if not epoch and #summaries > 0 and redis.call('LLEN', KEYS[3]) == 0 then
    -- Summaries outlive the history: the positions of a new one continue after theirs.
    local last = summaries[#summaries]
    local to = tonumber(string.match(last, '"to":(%d+)') or '')
    if to and to >= logBase then
      logBase, viewStart = to + 1, to + 1
      write('logBase', logBase)
      write('viewStart', viewStart)
    end
  end
  epoch = epoch or args.token
  -- Only idle chats may expire.
  redis.call('PERSIST', KEYS[1])
  redis.call('PERSIST', KEYS[3])
  redis.call('PERSIST', KEYS[9])
  if not isBare then
    redis.call('PERSIST', KEYS[10])
  end
  if #settings > 0 then
    redis.call('PERSIST', KEYS[6])
  end
  if todos ~= '' then
    redis.call('PERSIST', KEYS[8])
  end
  redis.call('ZADD', KEYS[5], lease, args.inMember)
  if not args.hold and state == '' and inBase + 1 > stop and not (mode == 'collect' and waiting > 1) then
    local head = redis.call('LINDEX', KEYS[2], 0)
    if head and string.sub(head, 1, #args.plainMessagePrefix) == args.plainMessagePrefix then
      redis.call('LPOP', KEYS[2])
      redis.call('RPUSH', KEYS[3], head)
      inBase, turn, revision, state, opened = inBase + 1, inBase + 1, revision + 1, 'open', 1
      write('inBase', inBase)
      write('turn', turn)
      write('revision', revision)
      write('state', state)
    end
  end
  redis.call('HSET', KEYS[1], 'owner', args.token, 'lease', lease, 'deaths', deaths, 'epoch', epoch, unpack(fields))
end

local from = viewStart
local known = args.knownPosition
if args.knownEpoch == epoch and known > from and known <= logBase + redis.call('LLEN', KEYS[3]) then
  from = known
end
local journal, views = {}, {}
if state ~= '' and state ~= 'open' then
  journal = redis.call('HGETALL', KEYS[4])
  for id in string.gmatch(approvals, '%S+') do
    local found = redis.call('HMGET', args.approvalPrefix .. id, 'approval', 'status', 'decidedBy', 'reason', 'card', 'edit',
      'askedAtPosition', 'decidedById')
    for index = 1, #found do
      views[#views + 1] = found[index] or ''
    end
  end
end
return { 'begun', revision, state, turn, inBase, stop, deaths, opened, viewStart, from, epoch,
  redis.call('LRANGE', KEYS[2], 0, args.maxInbox - 1), redis.call('LRANGE', KEYS[3], from - logBase, -1), journal, views,
  settings, notes, todos, taken, facts, summaries }
