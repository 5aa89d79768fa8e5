import { chatKeys, shardCount, wakeKey } from "../keys.ts";
import { chatKey, parseChatKey, type ChatKey } from "../../core/chat.ts";
import type { Store } from "../redis/redis.ts";

export interface Overdue {
  /** Chats and approvals that should have been woken `overdueMs` ago. */
  readonly count: number;
  /** Of the oldest message that waits for a worker. */
  readonly oldest: { readonly chat: ChatKey; readonly waitsMs: number } | undefined;
}

/** Chats whose first message is looked at. */
const maxLookedAt = 200;
/** The sweeper moves a chat that no one takes further by 2 s each time. Milliseconds. */
const soonMs = 5_000;

/** Reads the wake index without changing it. Two round trips. @throws what ioredis throws */
export async function readOverdue(
  { redis, clock }: Pick<Store, "redis" | "clock">,
  overdueMs: number,
): Promise<Overdue> {
  const nowMs = clock.now();
  const keys = Array.from({ length: shardCount }, (_, index) => wakeKey(`s${index}`));
  const [counts, members] = await Promise.all([
    Promise.all(keys.map((key) => redis.zcount(key, "-inf", nowMs - overdueMs))),
    Promise.all(
      keys.map((key) => redis.zrangebyscore(key, "-inf", nowMs + soonMs, "LIMIT", 0, maxLookedAt)),
    ),
  ]);
  const chats = members
    .flat()
    .flatMap((member) => (member.startsWith("in:") ? chatOf(member.slice(3)) : []))
    .slice(0, maxLookedAt);
  const waiting = await Promise.all(
    chats.map(async (chat) => {
      const atMs = timeOf(await redis.lindex(chatKeys(chat).inbox, 0));
      return atMs === undefined ? [] : [{ chat, waitsMs: nowMs - atMs }];
    }),
  );
  const [oldest] = waiting.flat().toSorted((one, other) => other.waitsMs - one.waitsMs);
  return { count: counts.reduce((sum, count) => sum + count, 0), oldest };
}

function chatOf(name: string): ChatKey[] {
  try {
    return [chatKey(parseChatKey(name))];
  } catch {
    return [];
  }
}

/** When an entry was written, by its platform; entries of any version have it at the same place. */
function timeOf(entry: string | null): number | undefined {
  const found = /"atMs":(\d+)/.exec(entry ?? "")?.[1];
  return found === undefined ? undefined : Number(found);
}
