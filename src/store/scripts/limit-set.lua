-- Sets or removes limits and makes every process reload them; once per event.
-- KEYS 1 the rules, a hash of '<scope> <metric>/<per>', 2 their version, 3 the event's record
-- ARGV 1 how long the record is kept in ms, then field, value …; '' removes the field
-- Returns the earlier value of each field, '' for none; a repeated event returns the same.
local known = redis.call('GET', KEYS[3])
if known then
  return cjson.decode(known)
end
local before, isChanged = {}, false
for index = 2, #ARGV, 2 do
  local field, value = ARGV[index], ARGV[index + 1]
  local held = redis.call('HGET', KEYS[1], field) or ''
  before[#before + 1] = held
  if value == '' then
    redis.call('HDEL', KEYS[1], field)
  else
    redis.call('HSET', KEYS[1], field, value)
  end
  isChanged = isChanged or held ~= value
end
if isChanged then
  redis.call('INCR', KEYS[2])
end
redis.call('SET', KEYS[3], cjson.encode(before), 'PX', ARGV[1])
return before
