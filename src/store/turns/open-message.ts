import type { ChatKey } from "../../core/chat.ts";
import {
  inboxEntrySchema,
  logEntrySchema,
  type LogEntry,
  type MessageEntry,
} from "../../core/history.ts";
import { isEditOf, isOfTurn, openMessages } from "../../core/open-messages.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** The newest log entries in which a running turn's messages are looked for. */
const lookedAt = 200;

/**
 * Whether a message of this person waits, belongs to the turn that runs, or to the newest one while
 * something of the chat is still being sent: to people its answer is still growing. All of that may
 * change at once: callers must not rely on it. Most edits come later, and cost no look at the
 * history.
 */
export async function isOpenMessage(
  { redis }: Pick<Store, "redis">,
  chat: ChatKey,
  edit: Parameters<typeof isEditOf>[0],
): Promise<boolean> {
  const keys = chatKeys(chat);
  const [waiting, [state, turn], unsent] = await Promise.all([
    redis.lrange(keys.inbox, 0, -1),
    redis.hmget(keys.state, "state", "turn"),
    redis.llen(keys.outbox),
  ]);
  const isMeant = (message: MessageEntry): boolean => isEditOf(edit, message);
  const waits = waiting.some((json) => {
    const entry = inboxEntrySchema.safeParse(JSON.parse(json)).data;
    return entry?.kind === "message" && isMeant(entry);
  });
  if (waits) return true;
  if (!state && unsent === 0) return false;
  const log = await redis.lrange(keys.log, -lookedAt, -1);
  // Entries that this version can't read aren't its messages.
  const entries = log.flatMap((json) => logEntrySchema.safeParse(JSON.parse(json)).data ?? []);
  return openMessages(entries, state ? Number(turn) : newestTurn(entries)).some(isMeant);
}

const newestTurn = (entries: readonly LogEntry[]): number => entries.findLast(isOfTurn)?.turn ?? 0;
