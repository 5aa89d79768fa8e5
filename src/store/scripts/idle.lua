-- Decides when a chat is looked at again for a summary, unless a turn has since ended in it.
-- KEYS 1 the shard's chats that may need a summary
-- ARGV 1 chat, 2 the score that it must have, 3 its new score ('' = it is removed)
-- Returns 1, or 0 if nothing was changed.
if redis.call('ZSCORE', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
return 1
