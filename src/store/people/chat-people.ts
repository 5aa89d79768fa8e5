import { parseChatKey, type ChatKey, type Person } from "../../core/chat.ts";
import { logEntrySchema } from "../../core/history.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

/** The newest entries, which are searched for one of the person's. */
const window = 50;

/**
 * The person of a direct chat. In Telegram such a chat has its person's number;
 * elsewhere its newest messages show it. Undefined: a group, or unknown.
 * @throws PermanentError or RetryableError when an entry cannot be read.
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
 * The names of those who wrote in a chat lately, as they were called then; who wrote last comes
 * first.
 * @throws PermanentError or RetryableError when an entry cannot be read.
 */
export async function namesIn({ redis }: Store, chat: ChatKey): Promise<readonly string[]> {
  const { log } = chatKeys(chat);
  const newest = await redis.lrange(log, -window, -1);
  const names = newest
    .toReversed()
    .map((json) => parseStored(logEntrySchema, log, json))
    .flatMap((entry) => (entry.kind === "message" ? [entry.person.name] : []));
  return [...new Set(names)];
}
