-- Saves a revision of a persona, removes the persona, or forgets who saved the revisions.
-- KEYS 1 an owner's personas: `n:<name>` is a persona's revisions, `c:<hash>` a content; 2 counts changes of personas
--      (absent: it is in another slot)
-- ARGV 1 'save' | 'remove' | 'forget', 2 name ('forget': a person's id), 3 the content's hash, 4 the content, 5 most
--      revisions of a persona, 6 most personas, 7 ms for which a removed persona is kept, 8 who saves it, as JSON ('':
--      no person)
-- Returns {'saved', revision, ms since the epoch} | {'full'} | {'removed'} | {'absent'} | {'forgotten'}. Repeated (the
-- client sends a script again when its reply was lost), `save` changes nothing. Contents that no revision names any more
-- are dropped.
-- With full memory Redis refuses only a script's first write, and only if it needs memory. This one changes nothing.
redis.call('HDEL', KEYS[1], '')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local field = 'n:' .. ARGV[2]
local indexes, count, contents = {}, 0, {}
local all = redis.call('HKEYS', KEYS[1])
for _, each in ipairs(all) do
  if string.sub(each, 1, 2) == 'n:' then
    local isRead, index = pcall(cjson.decode, redis.call('HGET', KEYS[1], each))
    if not isRead or type(index) ~= 'table' or index.v ~= 1 then
      -- Of another version: what it names is not known, so nothing is dropped.
      contents = nil
      count = count + 1
    elseif each ~= field and index.removedAtMs and index.removedAtMs + ARGV[7] <= now then
      redis.call('HDEL', KEYS[1], each)
    else
      indexes[each] = index
      count = count + 1
    end
  end
end
if ARGV[1] == 'forget' then
  for each, index in pairs(indexes) do
    for _, revision in ipairs(index.revisions) do
      if revision.by and revision.by.id == ARGV[2] then
        revision.by = nil
      end
    end
    redis.call('HSET', KEYS[1], each, cjson.encode(index))
  end
  return { 'forgotten' }
end
local index = indexes[field]
local result
if ARGV[1] == 'remove' then
  if not index or index.removedAtMs then
    return { 'absent' }
  end
  index.removedAtMs = now
  result = { 'removed' }
else
  local newest = index and index.revisions[1]
  if newest and newest.hash == ARGV[3] and not index.removedAtMs then
    return { 'saved', newest.number, newest.atMs }
  end
  if not index then
    if redis.call('HEXISTS', KEYS[1], field) == 0 and count >= tonumber(ARGV[6]) then
      return { 'full' }
    end
    index = { v = 1, revisions = {} }
    indexes[field] = index
  end
  local number = newest and newest.number + 1 or 1
  index.removedAtMs = nil
  local by = ARGV[8] ~= '' and cjson.decode(ARGV[8]) or nil
  table.insert(index.revisions, 1, { number = number, hash = ARGV[3], atMs = now, by = by })
  while #index.revisions > tonumber(ARGV[5]) do
    table.remove(index.revisions)
  end
  redis.call('HSET', KEYS[1], 'c:' .. ARGV[3], ARGV[4])
  result = { 'saved', number, now }
end
redis.call('HSET', KEYS[1], field, cjson.encode(index))
if contents then
  for _, each in pairs(indexes) do
    for _, revision in ipairs(each.revisions) do
      contents[revision.hash] = true
    end
  end
  for _, each in ipairs(all) do
    if string.sub(each, 1, 2) == 'c:' and not contents[string.sub(each, 3)] then
      redis.call('HDEL', KEYS[1], each)
    end
  end
end
if KEYS[2] then
  redis.call('INCR', KEYS[2])
end
return result
