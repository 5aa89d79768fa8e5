-- Returns the inbox entries without taking them.
-- KEYS 1 state, 2 inbox; ARGV 1 token, 2 most entries to return
-- Returns {inbox positions consumed so far, entries}, or {} when another session owns the chat.
local st = redis.call('HMGET', KEYS[1], 'owner', 'inBase')
if st[1] ~= ARGV[1] then
  return {}
end
return { tonumber(st[2] or 0), redis.call('LRANGE', KEYS[2], 0, ARGV[2] - 1) }
