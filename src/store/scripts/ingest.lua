-- Accepts one inbound event, once: puts an entry into the inbox or, for what was answered at once, into the outbox.
-- KEYS 1 seen, 2 state, 3 list (inbox or outbox), 4 wake, 5 settings
-- ARGV 1 named fields as JSON:
--   id, entry        the event's id, and the entry as it is stored
--   delayMs          a burst waits for its other pieces (absent, for the outbox: the inbox' own time stays as it is)
--   most             most entries that may wait
--   seenTtlMs        how long ids are remembered
--   wakeMember       the list's member in the wake index
--   channel, chat    on this channel a running turn's worker is told to look at the chat at once (absent: it need not)
--   whileBusy        the mode of a chat that has none of its own
--   isAlwaysUrgent   the worker is told in every mode, not only where messages may join or end the turn
-- Returns 'duplicate', 'full' or 'accepted'.
local args = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local urgent = false
if args.channel then
  local mode = redis.call('HGET', KEYS[5], 'whileBusy') or args.whileBusy
  urgent = (args.isAlwaysUrgent or mode == 'steer' or mode == 'interrupt') and redis.call('HEXISTS', KEYS[2], 'owner') == 1
end
local seen = redis.call('ZSCORE', KEYS[1], args.id)
if seen and tonumber(seen) > now - args.seenTtlMs then
  return 'duplicate'
end
if redis.call('LLEN', KEYS[3]) >= args.most then
  return 'full'
end
-- A full memory forbids a script's first write, and only that one: nothing new may come in then, while answers must go
-- out, hence a first write for them that needs no memory and changes nothing.
if not args.delayMs then
  redis.call('HDEL', KEYS[2], '')
end
redis.call('ZADD', KEYS[1], now, args.id)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - args.seenTtlMs)
redis.call('PEXPIRE', KEYS[1], args.seenTtlMs)
redis.call('RPUSH', KEYS[3], args.entry)
local delay = args.delayMs or 0
if delay > 0 then
  redis.call('HSET', KEYS[2], 'notBefore', now + delay)
elseif args.delayMs then
  redis.call('HDEL', KEYS[2], 'notBefore')
end
redis.call('ZADD', KEYS[4], now + delay, args.wakeMember)
if urgent then
  -- Only quickens what the next heartbeat tells: a server that forbids it must not lose the message.
  redis.pcall('PUBLISH', args.channel, args.chat)
end
return 'accepted'
