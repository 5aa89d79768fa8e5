import type { ChatKey } from "../../core/chat.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { ledgerTtlMs } from "./receipt.ts";

/**
 * When the last of these outbox entries was sent, from when its ledger ends; undefined: none was,
 * or it was more than two days ago. Milliseconds since the epoch.
 */
export async function readDeliveredAt(
  { redis, clock }: Pick<Store, "redis" | "clock">,
  chat: ChatKey,
  entryIds: readonly string[],
): Promise<number | undefined> {
  const { sentPrefix } = chatKeys(chat);
  const times = await Promise.all(
    entryIds.map(async (id) => {
      const [done, leftMs] = await Promise.all([
        redis.hget(sentPrefix + id, "done"),
        redis.pttl(sentPrefix + id),
      ]);
      return done !== null && leftMs > 0 ? [clock.now() - ledgerTtlMs + leftMs] : [];
    }),
  );
  const sent = times.flat();
  return sent.length === 0 ? undefined : Math.max(...sent);
}
