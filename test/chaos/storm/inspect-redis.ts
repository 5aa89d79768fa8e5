import type { Redis } from "ioredis";
import { z } from "zod";
import { logEntrySchema } from "../../../src/core/history.ts";
import { historyProblems } from "../../support/parley/history-problems.ts";

/**
 * In one script: what moves from one place to another while several commands look would be seen in
 * none.
 */
const look = `
local found = {}
for _, kind in ipairs({'in', 'out', unpack(cjson.decode(ARGV[1]))}) do
  for _, key in ipairs(redis.call('keys', 'parley:{s*}:' .. kind .. ':*')) do
    table.insert(found, key)
  end
end
local fields = {'owner', 'state', 'out:owner'}
for _, key in ipairs(redis.call('keys', 'parley:{s*}:st:*')) do
  for index, value in ipairs(redis.call('hmget', key, unpack(fields))) do
    if value then table.insert(found, key .. ' has ' .. fields[index]) end
  end
end
for _, key in ipairs(ARGV[2] == 'wakes' and redis.call('keys', 'parley:{s*}:wake') or {}) do
  for _, member in ipairs(redis.call('zrange', key, 0, -1)) do
    if string.sub(member, 1, 4) ~= 'mem:' then table.insert(found, key .. ': ' .. member) end
  end
end
return found`;

interface Evaluating {
  eval(script: string, keyCount: number, ...values: string[]): Promise<unknown>;
}

/**
 * What is not at rest in Redis: mailboxes with entries, owners, open turns. Empty: everything has
 * settled.
 */
export const unrest = async (redis: Evaluating): Promise<string[]> =>
  z.array(z.string()).parse(await redis.eval(look, 0, "[]", ""));

/**
 * What stays in Redis though nothing is left to do: the same, and wake members, journals, drafts. A
 * history is indexed a minute after its last turn.
 */
export const leftovers = async (redis: Evaluating): Promise<string[]> =>
  z.array(z.string()).parse(await redis.eval(look, 0, '["calls","draft"]', "wakes"));

/** What is wrong with histories, by chat. */
export async function badHistories(redis: Redis): Promise<string[]> {
  const keys = await redis.keys("parley:{s*}:log:*");
  const found = await Promise.all(
    keys.map(async (key) => {
      const stored = await redis.lrange(key, 0, -1);
      return historyProblems(stored.map((each) => logEntrySchema.parse(JSON.parse(each)))).map(
        (problem) => `${key}: ${problem}`,
      );
    }),
  );
  return found.flat();
}
