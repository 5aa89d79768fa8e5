import { z } from "zod";
import { chatKey, parseChatKey, type ChatKey } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { parseStored } from "../stored.ts";
import { ledgerTtlMs } from "../turns/receipt.ts";
import { approvalAfterlifeMs } from "./approval-view.ts";

const copySchema = z.object({
  /** BCP 47; absent: unknown. */
  language: z.string().optional(),
  /** The platform's id of the newest message with the copy; absent: it has not been sent. */
  messageId: z.string().optional(),
  /** The platform refused it. */
  isRefused: z.literal(true).optional(),
});
type Copy = Readonly<z.infer<typeof copySchema>>;

interface RelayedCopy extends Copy {
  readonly chat: ChatKey;
}

/**
 * The chats that get a copy of a card, by the id of its first approval. A copy: `noted → sent | refused`, and
 * a refused one is sent if an operator sends it again.
 */
export interface RelayedCards {
  /**
   * Before the first copy is noted: until `opened` no refusal makes the card one that no one has.
   * @param waitsMs how long the card waits for a decision.
   */
  open(approvalId: string, waitsMs: number): Promise<void>;
  note(approvalId: string, chat: ChatKey, language: string | undefined): Promise<void>;
  /** All copies are noted. @returns whether no one can have one. */
  opened(approvalId: string): Promise<boolean>;
  sent(approvalId: string, chat: ChatKey, messageId: string): Promise<void>;
  /** @returns whether it was the last one: no one can have a copy. */
  refused(approvalId: string, chat: ChatKey): Promise<boolean>;
  list(approvalId: string): Promise<readonly RelayedCopy[]>;
  /** The ids of all cards that have copies. */
  all(): AsyncIterable<string>;
  /** Keeps it for as long as the last edits of the copies may take. */
  forgetSoon(approvalId: string): Promise<void>;
}

const prefix = configKey("relayed:");
const keyOf = (approvalId: string): string => `${prefix}${approvalId}`;
/** A field while copies are being noted. */
const opening = "opening";

/** The platform's id of the message with a copy in this chat; undefined: none was sent. */
export const copyIn = async (
  { redis }: Pick<Store, "redis">,
  approvalId: string,
  chat: ChatKey,
): Promise<string | undefined> => {
  const key = keyOf(approvalId);
  const stored = await redis.hget(key, chat);
  return stored === null ? undefined : parseStored(copySchema, key, stored).messageId;
};

export function createRelayedCards(store: Pick<Store, "redis" | "run">): RelayedCards {
  const { redis } = store;
  const list: RelayedCards["list"] = async (approvalId) => {
    const key = keyOf(approvalId);
    const { [opening]: _, ...stored } = await redis.hgetall(key);
    return Object.entries(stored).map(([chat, json]) => ({
      ...parseStored(copySchema, key, json),
      chat: chatKey(parseChatKey(chat)),
    }));
  };
  const hasNone = async (approvalId: string): Promise<boolean> => {
    const [isOpening, copies] = await Promise.all([
      redis.hexists(keyOf(approvalId), opening),
      list(approvalId),
    ]);
    return isOpening === 0 && copies.every(({ isRefused }) => isRefused);
  };
  const change = async (approvalId: string, chat: ChatKey, state: Copy): Promise<void> => {
    const key = keyOf(approvalId);
    const stored = await redis.hget(key, chat);
    if (stored === null) return;
    const { language } = parseStored(copySchema, key, stored);
    await redis.hset(key, chat, JSON.stringify({ language, ...state }));
  };
  return {
    async open(approvalId, waitsMs) {
      const key = keyOf(approvalId);
      const keptMs = waitsMs + approvalAfterlifeMs;
      await redis.multi().hset(key, opening, "1").pexpire(key, keptMs).exec();
    },
    async note(approvalId, chat, language) {
      await redis.hsetnx(keyOf(approvalId), chat, JSON.stringify({ language }));
    },
    async opened(approvalId) {
      await redis.hdel(keyOf(approvalId), opening);
      return await hasNone(approvalId);
    },
    sent: (approvalId, chat, messageId) => change(approvalId, chat, { messageId }),
    async refused(approvalId, chat) {
      await change(approvalId, chat, { isRefused: true });
      return await hasNone(approvalId);
    },
    list,
    async *all() {
      for await (const key of scanKeys(store, `${prefix}*`)) yield key.slice(prefix.length);
    },
    async forgetSoon(approvalId) {
      const key = keyOf(approvalId);
      if ((await redis.pttl(key)) > ledgerTtlMs) await redis.pexpire(key, ledgerTtlMs);
    },
  };
}
