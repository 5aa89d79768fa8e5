-- Leases a chat's outbox to one sender, if it is free and due, and returns the entries in sending order: patient
-- entries that have not begun come last.
-- KEYS 1 state, 2 outbox, 3 draft, 4 wake
-- ARGV 1 token, 2 lease in ms, 3 most entries to return, 4 wake member, 5 prefix of the ledgers' keys
-- Entries and drafts are stored as '<id> <json>'.
-- Returns {'nothing'} | {'later', ms from now} | {'open', interrupted, entries, their ledgers, draft, its ledger, age, taken}.
-- interrupted: the id of the entry or draft that a dead owner was sending, so its next chunk may have been sent; else
-- ''.
-- age: the most ms since that may have been sent. taken: 1 where another owner's lease had run out.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local st = redis.call('HMGET', KEYS[1], 'out:owner', 'out:lease', 'out:notBefore', 'out:interrupted', 'out:doing', 'out:doubtAt',
  'out:yields', 'out:again')
-- Read the whole list only if an entry may overtake earlier ones.
local entries = redis.call('LRANGE', KEYS[2], 0, ARGV[3] - 1)
local function idOf(entry)
  return string.match(entry, '^(%S+) ') or ''
end
local function isLowPriority(entry)
  return string.find(entry, '"patient":true', 1, true) ~= nil
end
local function hasBegun(entry)
  local id = idOf(entry)
  return id == st[4] or id == st[5] or redis.call('HEXISTS', ARGV[5] .. id, 'm0') == 1
end
local first, last = {}, {}
for _, entry in ipairs(entries) do
  if isLowPriority(entry) then
    entries = redis.call('LRANGE', KEYS[2], 0, -1)
    break
  end
end
for _, entry in ipairs(entries) do
  local list = isLowPriority(entry) and not hasBegun(entry) and last or first
  list[#list + 1] = entry
end
local free = tonumber(st[3] or 0)
-- An entry that waits for the bot's rate limit yields to all others.
if #first > 0 and st[7] and st[7] == st[3] then
  free = 0
end
if st[1] then
  free = math.max(free, tonumber(st[2]))
end
if st[1] ~= ARGV[1] and free > now then
  if st[1] then
    -- Tells the owner, when it releases, that there may be entries that it hasn't seen.
    redis.call('HSET', KEYS[1], 'out:again', 1)
  end
  redis.call('ZADD', KEYS[4], free, ARGV[4])
  return { 'later', free - now }
end
for _, entry in ipairs(last) do
  first[#first + 1] = entry
end
entries = {}
for index = 1, math.min(#first, tonumber(ARGV[3])) do
  entries[index] = first[index]
end
local draft = redis.call('GET', KEYS[3]) or ''
if #entries == 0 and draft == '' and not st[1] then
  redis.call('ZREM', KEYS[4], ARGV[4])
  return { 'nothing' }
end
local interrupted, doubtAt = st[4] or '', tonumber(st[6] or 0)
if st[1] and st[1] ~= ARGV[1] and st[5] and st[5] ~= interrupted then
  interrupted = st[5]
  doubtAt = math.min(tonumber(st[2]), now) - ARGV[2]
end
local doing = idOf(entries[1] or draft)
local lease = now + ARGV[2]
redis.call('HSET', KEYS[1], 'out:owner', ARGV[1], 'out:lease', lease, 'out:doing', doing)
if interrupted ~= '' then
  redis.call('HSET', KEYS[1], 'out:interrupted', interrupted, 'out:doubtAt', doubtAt)
end
if st[3] or st[7] or st[8] then
  redis.call('HDEL', KEYS[1], 'out:notBefore', 'out:again', 'out:yields')
end
redis.call('ZADD', KEYS[4], lease, ARGV[4])
local function ledger(stored)
  return redis.call('HGETALL', ARGV[5] .. idOf(stored))
end
local ledgers = {}
for index, entry in ipairs(entries) do
  ledgers[index] = ledger(entry)
end
return { 'open', interrupted, entries, ledgers, draft, draft ~= '' and ledger(draft) or {}, now - doubtAt,
  st[1] and st[1] ~= ARGV[1] and 1 or 0 }
