import { z } from "zod";
import type { ChatKey } from "../../core/chat.ts";
import { chatKeys } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { readable } from "../stored.ts";
import { numbersOf, type OpenIndex } from "./windows.ts";

/** Whose edit led to it that windows which end within a range of log positions get vectors again. */
const payerSchema = z.object({
  person: z.object({ id: z.string(), name: z.string() }),
  from: z.number(),
  to: z.number(),
});

/** The embeddings of a chat's windows. */
export function createVectorStore(store: Store) {
  const { redis } = store;
  return {
    /** Of which model and dimension they are (empty: there are none), and the first window without one. */
    async open(chat: ChatKey) {
      const [model, next, payer] = await redis.hmget(
        chatKeys(chat).vectors,
        "model",
        "next",
        "payer",
      );
      return {
        model: model ?? "",
        next: Number(next ?? 0) || 0,
        payer: readable(payerSchema, payer),
      };
    },
    /**
     * How many chats have vectors of each model and dimension, among so many chats that have any.
     * Looks through all keys: for the doctor.
     */
    async models(maxChats: number, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
      const keys = new Set<string>();
      for await (const key of scanKeys(store, "parley:*:vec:*")) {
        keys.add(key);
        if (keys.size >= maxChats || signal.aborted) break;
      }
      const models = await Promise.all([...keys].map((key) => redis.hget(key, "model")));
      const counts = new Map<string, number>();
      for (const model of models)
        if (model !== null) counts.set(model, (counts.get(model) ?? 0) + 1);
      return counts;
    },
    /** By the windows' numbers; null for one without. */
    async read(chat: ChatKey, from: number, to: number): Promise<readonly (Buffer | null)[]> {
      if (to <= from) return [];
      return await redis.hmgetBuffer(chatKeys(chat).vectors, ...numbersOf(from, to));
    },
    /** False: the windows have changed since they were opened. */
    async write(
      chat: ChatKey,
      change: {
        readonly open: OpenIndex;
        readonly model: string;
        readonly from: number;
        readonly vectors: readonly Buffer[];
        /** Who pays for an edit has paid for all that it led to. */
        readonly isPaid?: boolean;
      },
    ): Promise<boolean> {
      const { open, model, from, vectors, isPaid = false } = change;
      const keys = chatKeys(chat);
      const reply = await store.run(
        "embed",
        [keys.windows, keys.vectors, keys.state],
        [
          open.known,
          open.epoch ?? "",
          model,
          from + vectors.length,
          isPaid ? 1 : 0,
          ...vectors.flatMap((vector, index) => [from + index, vector]),
        ],
      );
      return number(reply) === 1;
    },
  };
}
export type VectorStore = ReturnType<typeof createVectorStore>;
