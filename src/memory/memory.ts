import type { Recall } from "../core/memory.ts";
import type { WindowStore } from "../store/memory/windows.ts";
import { createRecall } from "./recall.ts";

/** What one process has of the chats' memory. */
export interface Memory {
  readonly windows: WindowStore;
  readonly recall: Recall;
  /** Whether embeddings are used, and whether they could be when they were needed last. */
  readonly embeddings: () => "none" | "used" | "failing";
}

export const createMemory = ({ windows }: { readonly windows: WindowStore }): Memory => ({
  windows,
  recall: createRecall({ windows }),
  embeddings: () => "none",
});
