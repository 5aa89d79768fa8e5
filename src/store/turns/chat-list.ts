import { z } from "zod";
import type { ChatKey } from "../../core/chat.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";

export interface ListedChat {
  readonly chat: ChatKey;
  /** A turn is open, or a worker has the chat. */
  readonly isBusy: boolean;
  readonly turns: number;
  /**
   * When its last turn ended, from when the chat expires; where it doesn't, since it has schedules,
   * when its last message was written. Undefined: unknown, or a turn is open. Milliseconds since the
   * epoch.
   */
  readonly lastAtMs: number | undefined;
}

/** The newest entries of a chat that doesn't expire, among which one of a person is looked for. */
const window = 16;
const writtenSchema = z.object({ atMs: z.number() });

/** What a list shows of chats, who was active last first. Two round trips at most. */
export async function readChatList(
  { redis, clock }: Pick<Store, "redis" | "clock">,
  chats: readonly ChatKey[],
  retentionMs: number,
): Promise<readonly ListedChat[]> {
  const listed = await Promise.all(
    chats.map(async (chat): Promise<ListedChat> => {
      const { state, log } = chatKeys(chat);
      const [[turns, open, owner], leftMs] = await Promise.all([
        redis.hmget(state, "usage:turns", "state", "owner"),
        redis.pttl(state),
      ]);
      const isBusy = Boolean(open) || Boolean(owner);
      const known = { chat, isBusy, turns: Number(turns ?? 0) };
      if (isBusy) return { ...known, lastAtMs: undefined };
      if (leftMs >= 0) return { ...known, lastAtMs: clock.now() - retentionMs + leftMs };
      const newest = await redis.lrange(log, -window, -1);
      const written = newest.findLast((json) => json.startsWith('{"kind":"message"'));
      const message = readable(writtenSchema, written);
      return { ...known, lastAtMs: message?.atMs };
    }),
  );
  return listed.toSorted((one, other) => (other.lastAtMs ?? Infinity) - (one.lastAtMs ?? Infinity));
}
