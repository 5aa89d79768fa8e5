-- Adds a record to the trace of one turn and drops excess ones: the turn's oldest records, the chat's oldest turns.
-- KEYS 1 the turn's trace, 2 the chat's traces, 3 state, 4 the request's tools (absent: the record holds them)
-- ARGV 1 record, 2 turn, 3 at in ms, 4 how long it is kept in ms, 5 most records, 6 most turns,
--      7 prefix of the keys of the chat's traces, 8 the tools ('': they are stored)
-- Returns 1, or 0: the turn was erased, or 2: the tools are not stored; then nothing is written.
if tonumber(ARGV[2]) <= tonumber(redis.call('HGET', KEYS[3], 'erased') or 0) then
  return 0
end
local toolsLeftMs = KEYS[4] and redis.call('PTTL', KEYS[4])
if toolsLeftMs == -2 and ARGV[8] == '' then
  return 2
end
if redis.call('RPUSH', KEYS[1], ARGV[1]) > tonumber(ARGV[5]) then
  redis.call('LTRIM', KEYS[1], -tonumber(ARGV[5]), -1)
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if toolsLeftMs == -2 then
  redis.call('SET', KEYS[4], ARGV[8], 'PX', ARGV[4])
elseif toolsLeftMs and toolsLeftMs < tonumber(ARGV[4]) then
  -- Not sooner than another trace needs them: a process may keep traces for longer than this one.
  redis.call('PEXPIRE', KEYS[4], ARGV[4])
end
local isNew = redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2]) == 1
redis.call('PEXPIRE', KEYS[2], ARGV[4])
local surplus = isNew and redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[6]) or 0
if surplus > 0 then
  for _, turn in ipairs(redis.call('ZRANGE', KEYS[2], 0, surplus - 1)) do
    redis.call('DEL', ARGV[7] .. turn)
  end
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, surplus - 1)
end
return 1
