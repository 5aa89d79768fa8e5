-- Keeps a file that a person has sent, unless its chat has the most already.
-- KEYS 1 the file, 2 the files of its chat
-- ARGV 1 value, 2 time to live in ms, 3 the file's id, 4 its bytes, 5 most files of a chat, 6 most bytes of a chat
-- Fields of KEYS 2: an id with '<bytes> <end, in ms>'.
-- Returns 1, also when the client sends it again because its reply was lost, or 0: the chat is full.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HGETALL', KEYS[2])
local files, bytes, over = 0, 0, {}
for index = 1, #known, 2 do
  local size, ends = string.match(known[index + 1], '^(%d+) (%d+)$')
  if known[index] == ARGV[3] then
    return 1
  end
  if not ends or tonumber(ends) <= now then
    over[#over + 1] = known[index]
  else
    files, bytes = files + 1, bytes + tonumber(size)
  end
end
if files + 1 > tonumber(ARGV[5]) or bytes + tonumber(ARGV[4]) > tonumber(ARGV[6]) then
  return 0
end
-- With full memory Redis refuses only a script's first write: this must be the largest one.
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
for _, id in ipairs(over) do
  redis.call('HDEL', KEYS[2], id)
end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4] .. ' ' .. string.format('%.0f', now + ARGV[2]))
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
