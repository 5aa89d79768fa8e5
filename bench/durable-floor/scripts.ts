/** The time on Redis' clock, in ms, for the scripts that need it. */
const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Every script names its keys and arguments in its first lines, and touches one chat's slot. */
export const scripts = {
  // Appends a message to the inbox, once per update. Returns 'accepted', 'duplicate' or 'full'.
  accept: {
    numberOfKeys: 3,
    lua: `${now}
local seen, inbox, wake = KEYS[1], KEYS[2], KEYS[3]
local update, message, member, mostWaiting, seenForMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if redis.call('ZSCORE', seen, update) then
  return 'duplicate'
end
if redis.call('LLEN', inbox) >= tonumber(mostWaiting) then
  return 'full'
end
redis.call('ZADD', seen, now, update)
redis.call('ZREMRANGEBYSCORE', seen, '-inf', now - seenForMs)
redis.call('PEXPIRE', seen, seenForMs)
redis.call('RPUSH', inbox, message)
redis.call('ZADD', wake, now, member)
return 'accepted'
`,
  },
  // Leases the chat and opens a turn: its message moves into the history. A turn that another
  // worker left open is continued. Returns {'nothing'}, {'later', ms}, or {'begun', revision,
  // epoch, position, messages}: the history from the position that the worker knows, as long as it
  // is the same history (epoch).
  begin: {
    numberOfKeys: 4,
    lua: `${now}
local state, inbox, history, wake = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, leaseMs, member, knownPosition, knownEpoch = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local known = redis.call('HMGET', state, 'owner', 'lease', 'revision', 'open', 'epoch')
local owner, lease, revision, open = known[1], tonumber(known[2]), tonumber(known[3]) or 0, known[4]
local epoch = known[5] or token
if owner and lease > now then
  redis.call('ZADD', wake, lease, member)
  return { 'later', lease - now }
end
if not open then
  local message = redis.call('LPOP', inbox)
  if not message then
    redis.call('ZREM', wake, member)
    return { 'nothing' }
  end
  redis.call('RPUSH', history, message)
end
revision = revision + 1
lease = now + leaseMs
redis.call('HSET', state, 'owner', token, 'lease', lease, 'revision', revision, 'open', 1, 'epoch', epoch)
redis.call('PERSIST', state)
redis.call('PERSIST', history)
redis.call('ZADD', wake, lease, member)
local position = knownEpoch == epoch and tonumber(knownPosition) or 0
return { 'begun', revision, epoch, position, redis.call('LRANGE', history, position, -1) }
`,
  },
  // Ends the turn: its messages into the history, the answer into the outbox, the lease released.
  // Returns {'committed', messages that wait} or {'fenced'}; a repeated call changes nothing.
  commit: {
    numberOfKeys: 5,
    lua: `${now}
local state, inbox, history, outbox, wake = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local token, revision, inMember, outMember, answer = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local inputTokens, outputTokens, keptForMs = ARGV[6], ARGV[7], ARGV[8]
local known = redis.call('HMGET', state, 'owner', 'revision', 'last')
local name = token .. ' ' .. revision
if known[3] == name then
  return { 'committed', redis.call('LLEN', inbox) }
end
if known[1] ~= token or known[2] ~= revision then
  return { 'fenced' }
end
redis.call('RPUSH', history, unpack(ARGV, 9))
redis.call('RPUSH', outbox, answer)
redis.call('ZADD', wake, now, outMember)
redis.call('HDEL', state, 'owner', 'lease', 'open')
redis.call('HSET', state, 'revision', revision + 1, 'last', name)
redis.call('HINCRBY', state, 'usage:input', inputTokens)
redis.call('HINCRBY', state, 'usage:output', outputTokens)
redis.call('PEXPIRE', state, keptForMs)
redis.call('PEXPIRE', history, keptForMs)
local waiting = redis.call('LLEN', inbox)
if waiting == 0 then
  redis.call('ZREM', wake, inMember)
else
  redis.call('ZADD', wake, now, inMember)
end
return { 'committed', waiting }
`,
  },
  // Leases the outbox and notes which entry is about to be sent. Returns {'nothing'}, {'later', ms}
  // or {'opened', entry, interrupted}: the id of an entry that a dead process may have sent, or ''.
  open: {
    numberOfKeys: 3,
    lua: `${now}
local state, outbox, wake = KEYS[1], KEYS[2], KEYS[3]
local token, leaseMs, member = ARGV[1], ARGV[2], ARGV[3]
local known = redis.call('HMGET', state, 'sender', 'senderLease', 'sending')
if known[1] and tonumber(known[2]) > now then
  return { 'later', known[2] - now }
end
local entry = redis.call('LINDEX', outbox, 0)
if not entry then
  redis.call('ZREM', wake, member)
  return { 'nothing' }
end
local lease = now + leaseMs
local id = string.match(entry, '^%S+')
redis.call('HSET', state, 'sender', token, 'senderLease', lease, 'sending', id)
redis.call('ZADD', wake, lease, member)
return { 'opened', entry, known[3] or '' }
`,
  },
  // Keeps the id that the platform gave the message, and removes the entry. Returns how many
  // entries are left; none where another process has leased the outbox since.
  receipt: {
    numberOfKeys: 4,
    lua: `
local state, outbox, wake, sent = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, member, id, messageId, sentForMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if redis.call('HGET', state, 'sender') ~= token then
  return 0
end
redis.call('HSET', sent, id, messageId)
redis.call('PEXPIRE', sent, sentForMs)
redis.call('LPOP', outbox)
redis.call('HDEL', state, 'sender', 'senderLease', 'sending')
local left = redis.call('LLEN', outbox)
if left == 0 then
  redis.call('ZREM', wake, member)
end
return left
`,
  },
} as const;
