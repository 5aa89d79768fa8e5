import { createHash, randomBytes, randomInt } from "node:crypto";
import { z } from "zod";
import { chatKeySchema, type ChatKey } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";
import { unlessUnreadable, type ReportProblem } from "../unreadable.ts";

/** How long a confirmation counts. Milliseconds. */
const offerTtlMs = 5 * 60_000;
/** Lines of the audit log, the newest. */
const maxAuditLines = 10_000;

/** The scope of `/forget`. */
export type ErasureScope = "chat" | "me";

const targetSchema = z.object({
  chat: chatKeySchema,
  /** All of the chat, or what the person wrote in it. */
  what: z.enum(["chat", "author"]),
  /**
   * They are not known to have written there: others quote them, or a summary of deleted messages
   * remains.
   */
  isGuess: z.literal(true).exactOptional(),
});
export type ErasureTarget = Readonly<z.infer<typeof targetSchema>>;

/**
 * An erasure that was requested and confirmed: `asked → under-way → gone`.
 * While it is under way, the workers that own its chats erase them; then the
 * remaining data elsewhere is erased and the audit line is written.
 */
const erasureJobSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  of: z.discriminatedUnion("what", [
    z.object({ what: z.literal("chat"), chat: chatKeySchema }),
    z.object({
      what: z.literal("person"),
      personId: z.string(),
      /** As they are called, where that is known: decisions hold no more of a person than that. */
      name: z.string().exactOptional(),
    }),
  ]),
  by: z.enum(["person", "admin", "operator"]),
  /** The chat to notify at the end. */
  answerTo: chatKeySchema.exactOptional(),
  /**
   * The event that requested it, if the outbox answers: that answer comes before the final notice.
   */
  eventId: z.string().exactOptional(),
  /** BCP 47: in which language. */
  language: z.string().exactOptional(),
  phase: z.enum(["asked", "under-way"]),
  targets: z.array(targetSchema),
});
export type ErasureJob = Readonly<z.infer<typeof erasureJobSchema>>;

/** The question that a person is asked to confirm. */
export interface ErasureOffer {
  readonly chat: ChatKey;
  readonly personId: string;
  readonly scope: ErasureScope;
}

export interface Erasures {
  /**
   * Asks back: a code of four digits with which this person may confirm it in this chat, for five
   * minutes.
   */
  offer(offer: ErasureOffer): Promise<string>;
  /**
   * The id that the erasure is to have; undefined: that was not offered, or is confirmed already,
   * or has expired.
   */
  idOf(offer: ErasureOffer, code: string): Promise<string | undefined>;
  /**
   * Durable when it fulfils; one that is under way under this id already stays as it is. The offer
   * is used up.
   */
  ask(job: Omit<ErasureJob, "v" | "phase" | "targets">, offer?: ErasureOffer): Promise<void>;
  /** Calls it whenever this process has asked for something. */
  onAsked(listener: () => void): Disposable;
  /**
   * Readable jobs only. @param report receives the unreadable ones; without it
   * they are skipped.
   */
  list(report?: ReportProblem): Promise<readonly ErasureJob[]>;
  /** Does nothing if another process has ended it. */
  update(job: ErasureJob): Promise<void>;
  /**
   * Marks it as done: leaves a line without content and has the server rewrite
   * its files.
   */
  finish(job: ErasureJob): Promise<void>;
  /** Whether data was erased since the server last rewrote its files. */
  isFileDue(): Promise<boolean>;
  fileIsNew(): Promise<void>;
}

const offerSchema = z.object({
  v: z.literal(1),
  scope: z.enum(["chat", "me"]),
  code: z.string(),
  /** No code of four digits: that may come again. */
  id: z.string(),
});

/** The id of the inbox entry that carries out a job in a chat. */
export const erasureEntryId = ({ id }: Pick<ErasureJob, "id">): string => `forget-${id}`;

/**
 * Identifies a chat or a person in the audit log. It can be matched against a
 * known id, but not reversed.
 */
export const auditName = (id: string): string =>
  createHash("sha256").update(id).digest("hex").slice(0, 16);

const offerKey = ({ chat, personId }: ErasureOffer): string =>
  configKey(`forget:${chat}:${personId}`);

export function createErasures(store: Store): Erasures {
  const { redis } = store;
  const jobs = configKey("erasures");
  const audit = configKey("audit");
  const fileDue = configKey("erasures-file");
  const listeners = new Set<() => void>();
  const change = async (what: "update" | "finish", id: string, value: unknown): Promise<void> => {
    await store.run(
      "erasure",
      [jobs, audit, fileDue],
      [id, what, JSON.stringify(value), maxAuditLines],
    );
  };
  return {
    async offer(offer) {
      const code = String(randomInt(10_000)).padStart(4, "0");
      const id = randomBytes(12).toString("hex");
      const stored = JSON.stringify({ v: 1, scope: offer.scope, code, id });
      await redis.set(offerKey(offer), stored, "PX", offerTtlMs);
      return code;
    },
    async idOf(offer, code) {
      const key = offerKey(offer);
      const json = await redis.get(key);
      if (json === null) return undefined;
      const stored = parseStored(offerSchema, key, json);
      const isIt = stored.scope === offer.scope && stored.code === code;
      return isIt ? stored.id : undefined;
    },
    async ask(asked, offer) {
      const job: ErasureJob = { v: 1, ...asked, phase: "asked", targets: [] };
      const asking = redis.multi().hsetnx(jobs, job.id, JSON.stringify(job));
      if (offer !== undefined) asking.del(offerKey(offer));
      for (const [error] of (await asking.exec()) ?? []) if (error) throw error;
      for (const listener of listeners) listener();
    },
    onAsked(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => listeners.delete(listener) };
    },
    async list(report = () => undefined) {
      const found: ErasureJob[] = [];
      for (const [id, json] of Object.entries(await redis.hgetall(jobs))) {
        const job = await unlessUnreadable(report, `${jobs} ${id}`, () =>
          parseStored(erasureJobSchema, jobs, json),
        );
        if (job !== undefined) found.push(job);
      }
      return found;
    },
    update: (job) => change("update", job.id, job),
    async finish({ id, of, by }) {
      const line = {
        v: 1,
        atMs: store.clock.now(),
        by,
        what: `forget-${of.what}`,
        of: auditName(of.what === "chat" ? of.chat : of.personId),
      };
      await change("finish", id, line);
    },
    isFileDue: async () => (await redis.exists(fileDue)) === 1,
    async fileIsNew() {
      await redis.del(fileDue);
    },
  };
}
