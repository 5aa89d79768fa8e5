-- Overwrites entries of a chat's history in place, for erasures only. Fenced and idempotent.
-- KEYS 1 state, 2 log; ARGV 1 token, 2 revision that the caller knows, then log position, entry, log position, entry …
-- Returns 1, or 0 when another session owns the chat.
local st = redis.call('HMGET', KEYS[1], 'owner', 'revision', 'logBase')
if st[1] ~= ARGV[1] or tonumber(st[2] or 0) ~= tonumber(ARGV[2]) then
  return 0
end
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local base = tonumber(st[3] or 0)
for index = 3, #ARGV, 2 do
  redis.call('LSET', KEYS[2], tonumber(ARGV[index]) - base, ARGV[index + 1])
end
return 1
