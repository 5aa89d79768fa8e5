-- Accepts one inbound event, once: appends an entry to the inbox or, if it was answered at once, to the outbox.
-- KEYS 1 seen, 2 state, 3 list (inbox or outbox), 4 wake, 5 settings
-- ARGV 1 named fields as JSON:
--   id, entry        the event's id, and the entry as it is stored
--   delayMs          how long a piece waits for its gesture's other pieces, unless it follows a message that waits for
--                    none (absent, for the outbox: the inbox's delay is unchanged)
--   keepsHold        entries that are held for a burst's other pieces stay so, and the wake index with them
--   most             most entries that may wait
--   resumeAt         entries at which a list that was full takes more again (absent: at once)
--   seenTtlMs        how long ids are remembered
--   wakeMember       the list's member in the wake index
--   channel, chat    channel that notifies the running turn's worker at once (absent: no notification)
--   whileBusy        mode of a chat without a setting of its own
--   isAlwaysUrgent   notifies the worker in every mode, not only where messages may join or end the turn
--   afterHoldMs      so does any message so long after pieces were held, whose turn it may join
-- Returns 'duplicate', 'full' or 'accepted'.
local args = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[2], 'owner', 'notBefore')
local notBefore = tonumber(held[2] or 0)
local urgent = false
if args.channel and held[1] then
  local mode = redis.call('HGET', KEYS[5], 'whileBusy') or args.whileBusy
  urgent = args.isAlwaysUrgent or mode == 'steer' or mode == 'interrupt' or notBefore + args.afterHoldMs > now
end
local seen = redis.call('ZSCORE', KEYS[1], args.id)
if seen and tonumber(seen) > now - args.seenTtlMs then
  return 'duplicate'
end
local waiting = redis.call('LLEN', KEYS[3])
if args.resumeAt and waiting > args.resumeAt then
  -- A full inbox takes nothing until half of it is done: what was refused mustn't be overtaken by what came later.
  local st = redis.call('HMGET', KEYS[2], 'inBase', 'fullUntil')
  local inBase = tonumber(st[1] or 0)
  if tonumber(st[2] or 0) > inBase then
    return 'full'
  end
  if waiting >= args.most then
    redis.call('HSET', KEYS[2], 'fullUntil', inBase + waiting - args.resumeAt)
  end
end
if waiting >= args.most then
  return 'full'
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. New messages are refused
-- then, but answers must go out: their first write needs no memory and changes nothing.
if not args.delayMs then
  redis.call('HDEL', KEYS[2], '')
end
redis.call('ZADD', KEYS[1], now, args.id)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - args.seenTtlMs)
redis.call('PEXPIRE', KEYS[1], args.seenTtlMs)
redis.call('RPUSH', KEYS[3], args.entry)
local delay = args.delayMs or 0
if delay > 0 and notBefore <= now and redis.call('LLEN', KEYS[3]) > 1 then
  delay = 0
end
if not (args.keepsHold and notBefore > now) then
  if delay > 0 then
    redis.call('HSET', KEYS[2], 'notBefore', now + delay)
  elseif args.delayMs then
    redis.call('HDEL', KEYS[2], 'notBefore')
  end
  redis.call('ZADD', KEYS[4], now + delay, args.wakeMember)
end
if urgent then
  -- Only faster than the next heartbeat: a server that forbids PUBLISH must not lose the message.
  redis.pcall('PUBLISH', args.channel, args.chat)
end
return 'accepted'
