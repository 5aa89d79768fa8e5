import type { ChatKey } from "../../core/chat.ts";
import { PermanentError, RetryableError } from "../../core/errors.ts";
import { grantSchema, type Grant, type GrantReader } from "../../core/grants.ts";
import { chatKeys } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

/** Standing permissions that a chat can have. */
const maxGrants = 50;

/** The standing permissions of chats. */
export interface GrantStore extends GrantReader {
  /** In the order in which they end. */
  of(chat: ChatKey): Promise<readonly Grant[]>;
  /** False: the chat has as many as it can have. The same one given again is still one. */
  give(chat: ChatKey, grant: Grant): Promise<boolean>;
  /** Whether it was there. */
  revoke(chat: ChatKey, grant: Pick<Grant, "id">): Promise<boolean>;
}

/** Expiry uses Redis' clock, never the process's. */
export function createGrantStore(store: Store): GrantStore {
  return {
    async of(chat) {
      const key = chatKeys(chat).grants;
      const [seconds, microseconds] = await store.redis.time();
      const nowMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
      const stored = await store.redis.zrangebyscore(key, `(${nowMs}`, "+inf");
      return stored.flatMap((json) => readable(key, json));
    },
    async give(chat, grant) {
      const reply = await store.run(
        "grant",
        [chatKeys(chat).grants],
        [JSON.stringify(grant), grant.untilMs, maxGrants],
      );
      return number(reply) === 1;
    },
    async revoke(chat, { id }) {
      const { grants } = chatKeys(chat);
      const stored = await store.redis.zrange(grants, "0", "-1");
      // By its id: a later version may have written more of it than is known here.
      const meant = stored.filter((json) => readable(grants, json).some((each) => each.id === id));
      return meant.length > 0 && (await store.redis.zrem(grants, ...meant)) > 0;
    },
  };
}

/** A grant that this version can't read permits nothing: people are asked. */
function readable(key: string, json: string): readonly Grant[] {
  try {
    return [parseStored(grantSchema, key, json)];
  } catch (error) {
    if (error instanceof PermanentError || error instanceof RetryableError) return [];
    throw error;
  }
}
