-- Appends a chat to the chats of its bot whose outbox is due; one that is in the list keeps its position.
-- KEYS 1 the bot's ready chats, scored by when they were added, in microseconds; ARGV 1 chat
-- Returns 1, or 0 when it was there already.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('ZREM', KEYS[1], '')
local time = redis.call('TIME')
return redis.call('ZADD', KEYS[1], 'NX', time[1] * 1000000 + time[2], ARGV[1])
