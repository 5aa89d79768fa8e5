-- Looks for messages of one person, and for quotations of theirs, in a part of a chat's history or inbox.
-- KEYS 1 list; ARGV 1 the person's id, 2 the same in quotes, 3 index of the first entry, 4 index of the last
-- Returns 'direct' | 'group' (where they wrote), or '' for nothing found; how many entries were looked at; 1 when
-- somebody wrote in a group; from which log positions on the summaries there sum up; 1 when others quote them there.
local entries = redis.call('LRANGE', KEYS[1], ARGV[3], ARGV[4])
local isGroup, from, isQuoted = 0, {}, 0
for _, entry in ipairs(entries) do
  local kind = string.match(entry, '^{"kind":"(%a+)"') or ''
  if kind == 'message' and string.find(entry, '"group":true', 1, true) then
    isGroup = 1
  elseif kind == 'compaction' and not string.find(entry, '"summary":"[erased]"', 1, true) then
    from[#from + 1] = tonumber(string.match(entry, '"fromSeq":(%d+)') or 0)
  end
  if string.find(entry, ARGV[2], 1, true) then
    local isRead, value = pcall(cjson.decode, entry)
    local said = isRead and type(value) == 'table' and (value.kind == 'message' or value.kind == 'edit') and value or {}
    if type(said.person) == 'table' and said.person.id == ARGV[1] then
      return { said.group == true and 'group' or 'direct', #entries, isGroup, from, isQuoted }
    end
    if type(said.quote) == 'table' and said.quote.authorId == ARGV[1] then
      isQuoted = 1
    end
  end
end
return { '', #entries, isGroup, from, isQuoted }
