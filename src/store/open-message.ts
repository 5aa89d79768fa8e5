import type { ChatKey } from "../core/chat.ts";
import {
  inboxEntrySchema,
  logEntrySchema,
  type MessageEntry,
} from "../core/history.ts";
import { isEditOf, openMessages } from "../core/open-messages.ts";
import { chatKeys } from "./keys.ts";
import type { Store } from "./redis.ts";

/** The newest log entries in which a running turn's messages are looked for. */
const lookedAt = 200;

/**
 * Whether a message of this person waits, or belongs to the turn that runs. Both may change at once: whoever acts on it
 * must not rely on it. The history is read only while a turn runs: most edits come behind it.
 */
export async function isOpenMessage(
  { redis }: Pick<Store, "redis">,
  chat: ChatKey,
  edit: Parameters<typeof isEditOf>[0],
): Promise<boolean> {
  const keys = chatKeys(chat);
  const [waiting, [state, turn]] = await Promise.all([
    redis.lrange(keys.inbox, 0, -1),
    redis.hmget(keys.state, "state", "turn"),
  ]);
  const isMeant = (message: MessageEntry): boolean => isEditOf(edit, message);
  const waits = waiting.some((json) => {
    const entry = inboxEntrySchema.safeParse(JSON.parse(json)).data;
    return entry?.kind === "message" && isMeant(entry);
  });
  if (waits) return true;
  if (!state) return false;
  const log = await redis.lrange(keys.log, -lookedAt, -1);
  // What this version cannot read is no message of its own.
  const entries = log.flatMap(
    (json) => logEntrySchema.safeParse(JSON.parse(json)).data ?? [],
  );
  return openMessages(entries, Number(turn)).some(isMeant);
}
