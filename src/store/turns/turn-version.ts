import type { ChatKey } from "../../core/chat.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** Changes with each step of a chat and with each record of the turn's trace. */
export async function readTurnVersion(
  { redis }: Pick<Store, "redis">,
  { chat, turn }: { readonly chat: ChatKey; readonly turn: number },
): Promise<string> {
  const { state, traces } = chatKeys(chat);
  const [revision, tracedAtMs] = await Promise.all([
    redis.hget(state, "revision"),
    redis.zscore(traces, turn),
  ]);
  return `${revision} ${tracedAtMs}`;
}
