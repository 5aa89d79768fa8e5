import type { ChatKey } from "../../core/chat.ts";
import { logEntrySchema } from "../../core/history.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";

/** How a message and a reset begin in the inbox. */
const prefixes = { message: '{"kind":"message",', reset: '{"kind":"reset",' };

/**
 * Whether a message that is appended now begins a conversation: since the last reset, waiting ones
 * included, the chat has none that wasn't undone. One round trip.
 */
export async function startsConversation(
  { redis }: Pick<Store, "redis">,
  chat: ChatKey,
): Promise<boolean> {
  const keys = chatKeys(chat);
  // The inbox first, from which a message moves into the log.
  const [waiting, [viewStart, logBase], logged, last] = await Promise.all([
    redis.lrange(keys.inbox, 0, -1),
    redis.hmget(keys.state, "viewStart", "logBase"),
    redis.llen(keys.log),
    redis.lindex(keys.log, -1),
  ]);
  const reset = waiting.findLastIndex((each) => each.startsWith(prefixes.reset));
  if (waiting.slice(reset + 1).some((each) => each.startsWith(prefixes.message))) return false;
  const start = Number(viewStart ?? 0);
  if (reset >= 0 || logged + Number(logBase ?? 0) <= start) return true;
  const entry = readable(logEntrySchema, last);
  return entry?.kind === "undo" && entry.fromSeq <= start;
}
