-- Puts a dead letter back into its chat's outbox, once, or drops it.
-- KEYS 1 the letter, 2 index of the shard's dead letters, 3 outbox, 4 wake, 5 ledger of the new entry
-- ARGV 1 its member of the index, 2 '<id> <json>' of the new entry ('' = the letter is dropped), 3 wake member,
--      4 '1' if it may have arrived before: the entry says so, 5 time to live of the ledger in ms
-- Returns 1, or 0 if there is no such letter.
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('DEL', KEYS[1]) == 0 then
  return 0
end
if ARGV[2] ~= '' then
  local time = redis.call('TIME')
  redis.call('RPUSH', KEYS[3], ARGV[2])
  redis.call('ZADD', KEYS[4], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[3])
  if ARGV[4] == '1' then
    redis.call('HSET', KEYS[5], 'lost', 1)
    redis.call('PEXPIRE', KEYS[5], ARGV[5])
  end
end
return 1
