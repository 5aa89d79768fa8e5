import type { ChatKey } from "../../src/core/chat.ts";
import type { LogEntry } from "../../src/core/history.ts";
import type { RecallQuery } from "../../src/core/memory.ts";
import { createIndexer } from "../../src/memory/index-chat.ts";
import { createRecall } from "../../src/memory/recall.ts";
import { createWindowStore } from "../../src/store/memory/windows.ts";
import { chatKeys } from "../../src/store/keys.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { anna } from "../store/support.ts";

export const never = new AbortController().signal;

/** Appends to a chat's history as turns do. */
export async function write(
  { redis }: Store,
  chat: ChatKey,
  entries: readonly LogEntry[],
): Promise<void> {
  const { log, state } = chatKeys(chat);
  await redis.hsetnx(state, "epoch", `epoch of ${chat}`);
  for (let from = 0; from < entries.length; from += 1_000)
    await redis.rpush(
      log,
      ...entries.slice(from, from + 1_000).map((each) => JSON.stringify(each)),
    );
}

/** The memory of one process. @param keepMs undefined: as long as the history. */
export function memoryOn(store: Store, keepMs?: number) {
  const windows = createWindowStore(store, keepMs);
  const recall = createRecall({ windows });
  const step = createIndexer(windows);
  return {
    windows,
    recall,
    async index(chat: ChatKey): Promise<void> {
      while ((await step(chat, { vectorsAgainMs: undefined })) === "more");
    },
    /** The texts that are recalled, each once. */
    async texts(
      chat: ChatKey,
      words: string,
      more: Partial<RecallQuery> = {},
    ): Promise<readonly string[]> {
      const found = await recall.find(chat, { words, limit: 10, by: anna, ...more }, never);
      const lines = found.windows.flatMap((window) => window.lines);
      return [...new Set(lines.map(({ text }) => text))];
    },
  };
}
