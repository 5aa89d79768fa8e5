import type { ChatKey } from "../../core/chat.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

export interface ListedChat {
  readonly chat: ChatKey;
  /** A turn is open, or a worker has the chat. */
  readonly isBusy: boolean;
  readonly turns: number;
  /**
   * When its last turn ended, from when the chat expires; undefined: it does not expire now.
   * Milliseconds since the epoch.
   */
  readonly lastAtMs: number | undefined;
}

/** What a list shows of chats, who was active last first. One round trip. */
export async function readChatList(
  { redis, clock }: Pick<Store, "redis" | "clock">,
  chats: readonly ChatKey[],
  retentionMs: number,
): Promise<readonly ListedChat[]> {
  const listed = await Promise.all(
    chats.map(async (chat): Promise<ListedChat> => {
      const { state } = chatKeys(chat);
      const [[turns, open, owner], leftMs] = await Promise.all([
        redis.hmget(state, "usage:turns", "state", "owner"),
        redis.pttl(state),
      ]);
      const isBusy = Boolean(open) || Boolean(owner);
      const lastAtMs = isBusy || leftMs < 0 ? undefined : clock.now() - retentionMs + leftMs;
      return { chat, isBusy, turns: Number(turns ?? 0), lastAtMs };
    }),
  );
  return listed.toSorted((one, other) => (other.lastAtMs ?? Infinity) - (one.lastAtMs ?? Infinity));
}
