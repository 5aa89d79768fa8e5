import { parseChatKey, type ChatKey, type Person } from "../../core/chat.ts";
import { logEntrySchema } from "../../core/history.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

/** Of the newest entries, among which one of theirs is looked for. */
const window = 50;

/**
 * Whose chat of two it is. In Telegram such a chat has its person's number; elsewhere its newest messages tell. Undefined: a
 * group's, or nobody knows. @throws PermanentError or RetryableError when an entry cannot be read.
 */
export async function directPerson(
  { redis }: Store,
  chat: ChatKey,
): Promise<Pick<Person, "id"> | undefined> {
  const { platform, chat: number } = parseChatKey(chat);
  if (platform === "telegram")
    return number.startsWith("-") ? undefined : { id: `telegram:${number}` };
  const { log } = chatKeys(chat);
  const newest = await redis.lrange(log, -window, -1);
  for (const json of newest.toReversed()) {
    const entry = parseStored(logEntrySchema, log, json);
    if (entry.kind !== "message") continue;
    return entry.group === true ? undefined : { id: entry.person.id };
  }
  return undefined;
}

/**
 * The names of those who wrote in a chat lately, as they were called then; who wrote last comes first.
 * @throws PermanentError or RetryableError when an entry cannot be read.
 */
export async function namesIn(
  { redis }: Store,
  chat: ChatKey,
): Promise<readonly string[]> {
  const { log } = chatKeys(chat);
  const newest = await redis.lrange(log, -window, -1);
  const names = newest
    .toReversed()
    .map((json) => parseStored(logEntrySchema, log, json))
    .flatMap((entry) => (entry.kind === "message" ? [entry.person.name] : []));
  return [...new Set(names)];
}
