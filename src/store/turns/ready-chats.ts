import { randomUUID } from "node:crypto";
import { botOf, type ChatKey } from "../../core/chat.ts";
import { sleepUnref } from "../../util/sleep.ts";
import { abandon, duplicateOf, type Connection } from "../redis/connection.ts";
import { readyKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { writeTogether } from "../redis/write-together.ts";

/**
 * How long one look waits, in seconds: less than what makes a connection count as dead on which
 * nothing comes.
 */
const waitSeconds = 5;
/**
 * How long Redis may take to end a blocking read, and how long it keeps
 * unclaimed end markers. Milliseconds.
 */
const endLimitMs = 500;
const endTtlMs = 10_000;

/**
 * The chats whose outbox waits for a process that is connected as this bot;
 * each once, oldest first. A taken chat is removed; if the process that took it
 * dies, the wake index recovers the chat.
 */
export interface ReadyChats {
  put(chat: ChatKey): Promise<void>;
  /** @param bot `platform:bot` */
  count(bot: string): Promise<number>;
}

export const createReadyChats = (store: Store): ReadyChats => ({
  async put(chat) {
    await store.run("ready", [readyKey(botOf(chat))], [chat]);
  },
  count: (bot) => store.redis.zcard(readyKey(bot)),
});

/**
 * Takes a bot's ready chats. Uses a separate connection to the same server as
 * `redis`, because it blocks.
 */
export class ReadyTaker {
  readonly #redis: Connection;
  readonly #own: Connection;
  readonly #key: string;
  /** A push to this key ends the blocking read; ready chats stay in place. */
  readonly #endKey: string;
  #taking: Promise<unknown> = Promise.resolve();

  constructor(redis: Connection, bot: string, onError: (error: Error) => void) {
    this.#redis = redis;
    this.#own = duplicateOf(redis);
    this.#own.on("error", onError);
    writeTogether(this.#own);
    this.#key = readyKey(bot);
    this.#endKey = `${this.#key}:end-${randomUUID()}`;
  }

  /**
   * Takes at most so many, as they are stored: at once all that are there, then the next one that
   * comes within five seconds. Fulfils when it waits no longer. @throws what ioredis throws, also
   * when it is ended without Redis.
   */
  async take(most: number, onTaken: (members: readonly string[]) => void): Promise<void> {
    const those = async (): Promise<void> => {
      const flat = await this.#own.zpopmin(this.#key, most - 1);
      onTaken(flat.filter((_, index) => index % 2 === 0));
    };
    const next = async (): Promise<void> => {
      const reply = await this.#own.bzpopmin(this.#key, this.#endKey, waitSeconds);
      if (reply?.[0] === this.#key) onTaken([reply[1]]);
    };
    // Both leave in one write. The reads are serial: a second one would only wait for the first.
    const taking = Promise.allSettled([most > 1 && those(), next()]);
    this.#taking = taking;
    for (const part of await taking) if (part.status === "rejected") throw part.reason;
  }

  /** Ends waiting reads without losing a chat, and closes the connection. Never rejects. */
  async end(): Promise<void> {
    const told = async (): Promise<void> => {
      const end = this.#redis.multi().zadd(this.#endKey, 0, "");
      await end.pexpire(this.#endKey, endTtlMs).exec();
      await this.#taking;
    };
    // If Redis is down or full, a chat taken at this moment is recovered like that of a dead
    // process.
    await Promise.race([told().catch(() => undefined), sleepUnref(endLimitMs)]);
    abandon(this.#own);
  }
}
