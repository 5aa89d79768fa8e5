-- Puts a chat behind those of its bot whose outbox waits for a process; one that is among them keeps its place.
-- KEYS 1 the bot's ready chats, by when they came, in microseconds; ARGV 1 chat
-- Returns 1, or 0 when it was there already.
-- A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing.
redis.call('ZREM', KEYS[1], '')
local time = redis.call('TIME')
return redis.call('ZADD', KEYS[1], 'NX', time[1] * 1000000 + time[2], ARGV[1])
