import { chatKeySchema, type ChatKey } from "../../core/chat.ts";
import { chatKeys, idleKey, shardCount } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";

/** A chat whose conversation may be over. */
export interface IdleChat {
  readonly chat: ChatKey;
  /** As stored; another one: a turn has ended there since. */
  readonly score: string;
}

/** Of one shard in one pass; the others are due in the next one. */
const mostOfShard = 20;

/** The chats that are due. One round trip. */
export async function idleChats({ redis, clock }: Store): Promise<readonly IdleChat[]> {
  const nowMs = clock.now();
  const shards = Array.from({ length: shardCount }, (_, index) => idleKey(`s${index}`));
  const found = await Promise.all(
    shards.map((key) =>
      redis.zrangebyscore(key, "-inf", nowMs, "WITHSCORES", "LIMIT", 0, mostOfShard),
    ),
  );
  return found.flatMap((flat) =>
    flat.flatMap((name, index) => {
      const chat = index % 2 === 0 ? chatKeySchema.safeParse(name).data : undefined;
      return chat === undefined ? [] : [{ chat, score: flat[index + 1] ?? "" }];
    }),
  );
}

/**
 * Looks at it again at `atMs`; undefined: after its next turn.
 * @returns the new score; undefined: a turn has ended there since, and nothing was changed.
 */
export async function lookAgain(
  store: Store,
  { chat, score }: IdleChat,
  atMs: number | undefined,
): Promise<string | undefined> {
  const next = atMs === undefined ? "" : String(Math.floor(atMs));
  const reply = await store.run("idle", [chatKeys(chat).idle], [chat, score, next]);
  return number(reply) === 1 ? next : undefined;
}
