import { randomBytes, randomInt } from "node:crypto";
import { z } from "zod";
import { chatKeySchema, type ChatKey } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";
import { unlessUnreadable, type ReportProblem } from "../unreadable.ts";

/** How long a confirmation counts. Milliseconds. */
const offerTtlMs = 5 * 60_000;
/** The list of remaining chats expires after this, whatever the broadcast's state. Seconds. */
const leftTtl = 7 * 86_400;

const offerSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  code: z.string(),
  text: z.string(),
});

/**
 * A message of an owner to every chat: `collecting → sending → gone`. While it collects, the chats
 * are written down; while it sends, each leaves the list once the message is in its outbox.
 */
const broadcastSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  text: z.string(),
  /** Whose it is, and by which code they have confirmed it. */
  personId: z.string(),
  code: z.string(),
  /** The chat to notify at the end. */
  answerTo: chatKeySchema,
  /** BCP 47: in which language. */
  language: z.string().exactOptional(),
  phase: z.enum(["collecting", "sending"]),
  /** Chats that it goes to, once that is known. */
  total: z.number().exactOptional(),
});
export type Broadcast = Readonly<z.infer<typeof broadcastSchema>>;

export interface Broadcasts {
  /**
   * Asks back: a code of four digits with which this person may confirm it for five minutes; a
   * newer text replaces it.
   */
  offer(personId: string, text: string): Promise<string>;
  /**
   * The broadcast offered under this code; undefined: none, or it is already confirmed, or has
   * expired.
   */
  offered(
    personId: string,
    code: string,
  ): Promise<{ readonly id: string; readonly text: string } | undefined>;
  /** Whether this person has confirmed under this code lately: it may have been sent since. */
  isConfirmed(personId: string, code: string): Promise<boolean>;
  /**
   * Durable when it fulfils; uses the offer up. One that is under way under this id already stays
   * as it is.
   */
  ask(broadcast: Omit<Broadcast, "v" | "phase" | "total">): Promise<void>;
  /** Calls it whenever this process has asked for one. */
  onAsked(listener: () => void): Disposable;
  list(report?: ReportProblem): Promise<readonly Broadcast[]>;
  /** Writes chats down that it goes to; one that is there already is there once. */
  collect(id: string, chats: readonly ChatKey[]): Promise<void>;
  /** All of them are written down. Returns how many there are. */
  collected(broadcast: Broadcast): Promise<number>;
  /** Some of those that are left. */
  some(id: string, most: number): Promise<readonly ChatKey[]>;
  sent(id: string, chat: ChatKey): Promise<void>;
  /** How many are left. */
  left(id: string): Promise<number>;
  finish(id: string): Promise<void>;
}

export const broadcastOfferKey = (personId: string): string =>
  configKey(`broadcast-offer:${personId}`);
export const broadcastConfirmedKey = (personId: string): string =>
  configKey(`broadcast-confirmed:${personId}`);
const leftKey = (id: string): string => configKey(`broadcast:${id}`);

export function createBroadcasts({ redis }: Store): Broadcasts {
  const jobs = configKey("broadcasts");
  const listeners = new Set<() => void>();
  return {
    async offer(personId, text) {
      const code = String(randomInt(10_000)).padStart(4, "0");
      const id = randomBytes(12).toString("hex");
      const stored = JSON.stringify({ v: 1, id, code, text });
      await redis.set(broadcastOfferKey(personId), stored, "PX", offerTtlMs);
      return code;
    },
    async offered(personId, code) {
      const key = broadcastOfferKey(personId);
      const json = await redis.get(key);
      if (json === null) return undefined;
      const { code: expected, ...offer } = parseStored(offerSchema, key, json);
      return code === expected ? offer : undefined;
    },
    async ask(asked) {
      const job: Broadcast = { v: 1, ...asked, phase: "collecting" };
      const replies = await redis
        .multi()
        .hsetnx(jobs, job.id, JSON.stringify(job))
        .del(broadcastOfferKey(job.personId))
        .set(broadcastConfirmedKey(job.personId), job.code, "PX", offerTtlMs)
        .exec();
      for (const [error] of replies ?? []) if (error) throw error;
      for (const listener of listeners) listener();
    },
    isConfirmed: async (personId, code) =>
      (await redis.get(broadcastConfirmedKey(personId))) === code,
    onAsked(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => listeners.delete(listener) };
    },
    async list(report = () => undefined) {
      const found: Broadcast[] = [];
      for (const [id, json] of Object.entries(await redis.hgetall(jobs))) {
        const job = await unlessUnreadable(report, `${jobs} ${id}`, () =>
          parseStored(broadcastSchema, jobs, json),
        );
        if (job !== undefined) found.push(job);
      }
      return found;
    },
    async collect(id, chats) {
      if (chats.length === 0) return;
      await redis.sadd(leftKey(id), ...chats);
      await redis.expire(leftKey(id), leftTtl);
    },
    async collected(broadcast) {
      const { id } = broadcast;
      const total = await redis.scard(leftKey(id));
      const job: Broadcast = { ...broadcast, phase: "sending", total };
      await redis.hset(jobs, id, JSON.stringify(job));
      return total;
    },
    async some(id, most) {
      const found = await redis.srandmember(leftKey(id), most);
      return found.flatMap((each) => {
        const { data } = chatKeySchema.safeParse(each);
        return data === undefined ? [] : [data];
      });
    },
    async sent(id, chat) {
      await redis.srem(leftKey(id), chat);
    },
    left: (id) => redis.scard(leftKey(id)),
    async finish(id) {
      await redis.multi().hdel(jobs, id).del(leftKey(id)).exec();
    },
  };
}
