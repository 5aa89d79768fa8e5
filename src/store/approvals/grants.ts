import type { ChatKey } from "../../core/chat.ts";
import { PermanentError, RetryableError } from "../../core/errors.ts";
import { z } from "zod";
import {
  autoGrantSchema,
  grantSchema,
  type AnyGrant,
  type GrantReader,
} from "../../core/grants.ts";
import { chatKeys } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

/** Standing permissions that a chat can have. */
const maxGrants = 50;

/** The standing permissions of chats. */
export interface GrantStore extends GrantReader {
  /** In the order in which they end. */
  of(chat: ChatKey): Promise<readonly AnyGrant[]>;
  /** False: the chat has as many as it can have. The same one given again is still one. */
  give(chat: ChatKey, grant: AnyGrant): Promise<boolean>;
  /** Revokes those that are meant, void ones too. Whether there was one. */
  revoke(chat: ChatKey, isMeant: (grant: AnyGrant) => boolean): Promise<boolean>;
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
    async revoke(chat, isMeant) {
      const { grants } = chatKeys(chat);
      const stored = await store.redis.zrange(grants, "0", "-1");
      // As it is stored: a later version may have written more of it than is known here.
      const meant = stored.filter((json) => readable(grants, json).some(isMeant));
      return meant.length > 0 && (await store.redis.zrem(grants, ...meant)) > 0;
    },
  };
}

const anyGrantSchema = z.union([autoGrantSchema, grantSchema]);

/** A grant that this version can't read permits nothing: people are asked. */
function readable(key: string, json: string): readonly AnyGrant[] {
  try {
    return [parseStored(anyGrantSchema, key, json)];
  } catch (error) {
    if (error instanceof PermanentError || error instanceof RetryableError) return [];
    throw error;
  }
}
