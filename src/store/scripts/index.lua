-- Writes windows of a chat's memory, if neither they nor the history's epoch have changed since they were read.
-- KEYS 1 windows, 2 vectors, 3 state, 4 log, 5 wake
-- ARGV 1 named fields as JSON:
--   known             the index's head as it was read ('' = none)
--   epoch, base       the history's epoch, and the position of its first entry
--   changed           the commit that last changed how entries read, as it was known ('' = none)
--   head              the new head
--   isNew             what was there is removed first
--   first             the number of the oldest window that stays
--   count             how many windows there are now; later ones are removed
--   windows           { { number, window } … }
--   member, seenEnd   the chat's member in the wake index, and the log position up to which was looked
--   againMs           when it is looked at again (absent: after the next commit, unless there is news)
--   keepMs            windows that are older are removed; the chat is looked at again when the next one is (absent: they
--                     live as long as the history)
--   vectors           where windows get vectors: to = which number they are to reach, againMs = when the chat is looked at
--                     again until they do, for the process that makes them may die
-- Returns 1, or 0: it has changed, and is looked at again soon.
local args = cjson.decode(ARGV[1])
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local st = redis.call('HMGET', KEYS[3], 'epoch', 'logBase', 'changed')
local base = tonumber(st[2] or 0)
if (redis.call('HGET', KEYS[1], 'head') or '') ~= args.known or st[1] ~= args.epoch or base ~= args.base
  or (st[3] or '') ~= args.changed then
  return 0
end
if args.isNew then
  redis.call('UNLINK', KEYS[1], KEYS[2])
end
-- Vectors of what is written now are made again.
local next, written = tonumber(redis.call('HGET', KEYS[2], 'next') or ''), args.windows[1]
if next and written and written[1] < next then
  redis.call('HSET', KEYS[2], 'next', written[1])
end
for _, pair in ipairs(args.windows) do
  redis.call('HSET', KEYS[1], pair[1], pair[2])
  redis.call('HDEL', KEYS[2], pair[1])
end
local gone = tonumber(redis.call('HGET', KEYS[1], 'first') or 0) or 0
-- A number that was damaged must not hold up Redis: there are never so many windows.
if not (args.first - gone <= 100000) then
  gone = args.first
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local agesAtMs
while gone < args.count do
  if gone >= args.first then
    local at = args.keepMs and tonumber(string.match(redis.call('HGET', KEYS[1], gone) or '', '"at":(%d+)') or 0)
    if not at or at >= now - args.keepMs then
      agesAtMs = at and at + args.keepMs + 1
      break
    end
  end
  redis.call('HDEL', KEYS[1], gone)
  redis.call('HDEL', KEYS[2], gone)
  gone = gone + 1
end
local late = args.count
while redis.call('HDEL', KEYS[1], late) == 1 do
  redis.call('HDEL', KEYS[2], late)
  late = late + 1
end
redis.call('HSET', KEYS[1], 'first', gone, 'head', args.head)
-- They live as long as the history.
local ttl = redis.call('PTTL', KEYS[4])
for index = 1, 2 do
  if ttl >= 0 then
    redis.call('PEXPIRE', KEYS[index], ttl)
  elseif ttl == -1 then
    redis.call('PERSIST', KEYS[index])
  else
    redis.call('UNLINK', KEYS[index])
  end
end
local stop = base + redis.call('LLEN', KEYS[4])
local needsVectors = args.vectors and (tonumber(redis.call('HGET', KEYS[2], 'next') or '') or 0) < args.vectors.to
if args.againMs then
  redis.call('ZADD', KEYS[5], now + args.againMs, args.member)
elseif stop == args.seenEnd then
  if needsVectors or agesAtMs then
    redis.call('ZADD', KEYS[5], needsVectors and now + args.vectors.againMs or agesAtMs, args.member)
  else
    redis.call('ZREM', KEYS[5], args.member)
  end
end
return 1
