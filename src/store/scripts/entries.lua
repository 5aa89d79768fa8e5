-- Reads entries of a chat's history, all as of one moment.
-- KEYS 1 state, 2 log
-- ARGV first and last index of each range, which count from the end where they are negative
-- Returns { base, epoch ('' = none), how many entries the history has, the entries of each range … }; base: the log position
-- of the first entry.
local st = redis.call('HMGET', KEYS[1], 'logBase', 'epoch')
local reply = { st[1] or '0', st[2] or '', redis.call('LLEN', KEYS[2]) }
for index = 1, #ARGV, 2 do
  reply[#reply + 1] = redis.call('LRANGE', KEYS[2], ARGV[index], ARGV[index + 1])
end
return reply
