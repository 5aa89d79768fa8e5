-- Switches one skill on or off in a chat, whatever others switch at the same time.
-- KEYS 1 settings, 2 schedules (without an end: they keep the chat); ARGV 1 name, 2 'off' or 'on', 3 time to live in ms ('' = none)
local off = ARGV[2] == 'off' and { ARGV[1] } or {}
for name in string.gmatch(redis.call('HGET', KEYS[1], 'skillsOff') or '', '%S+') do
  if name ~= ARGV[1] then table.insert(off, name) end
end
table.sort(off)
if #off == 0 then return redis.call('HDEL', KEYS[1], 'skillsOff') end
redis.call('HSET', KEYS[1], 'skillsOff', table.concat(off, ' '))
if ARGV[3] ~= '' and redis.call('PTTL', KEYS[2]) ~= -1 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return 1
