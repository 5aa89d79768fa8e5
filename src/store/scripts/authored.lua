-- Looks in a part of a chat's history or inbox for messages of one person, and for text of this person in entries of
-- others.
-- KEYS 1 list; ARGV 1 the person's id, 2 the same in quotes, 3 index of the first entry, 4 index of the last
-- Returns 'direct' | 'group' (where the person wrote), or '' for nothing found; the number of entries read; 1 if anyone
-- wrote in a group; the log positions from which the summaries there start; 1 if an entry contains text of the person;
-- 1 if there are reasons or changed arguments for which an earlier version recorded no author.
local entries = redis.call('LRANGE', KEYS[1], ARGV[3], ARGV[4])
local isGroup, from, isQuoted, isUnknown = 0, {}, 0, 0
for _, entry in ipairs(entries) do
  local kind = string.match(entry, '^{"kind":"(%a+)"') or ''
  if kind == 'message' and string.find(entry, '"group":true', 1, true) then
    isGroup = 1
  elseif kind == 'compaction' and not string.find(entry, '"summary":"[erased]"', 1, true) then
    from[#from + 1] = tonumber(string.match(entry, '"fromSeq":(%d+)') or 0)
  elseif kind == 'tool' and not string.find(entry, '"wordsOf":[', 1, true)
    and (string.find(entry, '"changed":"', 1, true) or string.find(entry, ' Their reason: ', 1, true)) then
    isUnknown = 1
  end
  if string.find(entry, ARGV[2], 1, true) then
    local isRead, value = pcall(cjson.decode, entry)
    local said = isRead and type(value) == 'table' and (value.kind == 'message' or value.kind == 'edit') and value or {}
    if type(said.person) == 'table' and said.person.id == ARGV[1] then
      return { said.group == true and 'group' or 'direct', #entries, isGroup, from, isQuoted, isUnknown }
    end
    if kind == 'tool' and isRead and type(value.wordsOf) == 'table' then
      for _, id in ipairs(value.wordsOf) do
        if id == ARGV[1] then
          isQuoted = 1
        end
      end
    end
    local opening = type(said.opening) == 'table' and said.opening or {}
    for _, quote in pairs({ said.quote, opening.quote, said.origin }) do
      if type(quote) == 'table' and quote.authorId == ARGV[1] then
        isQuoted = 1
      end
    end
    if said.author == ARGV[1] then
      isQuoted = 1
    end
  end
end
return { '', #entries, isGroup, from, isQuoted, isUnknown }
