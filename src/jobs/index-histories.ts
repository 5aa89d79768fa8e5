import { setImmediate as yieldToOthers } from "node:timers/promises";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import type { Services } from "../services.ts";

/** Steps of one chat at a time; the rest is due again at once, after the other chats. */
const maxSteps = 20;

/** Embeddings rest for this long after a failure. Milliseconds. */
const restMs = 60_000;

/** Embeddings have a time limit of their own. */
const never = new AbortController().signal;

export type IndexingDeps = Pick<Services, "memory" | "log"> & {
  readonly settings: Pick<Services["settings"], "memory">;
};

/**
 * Brings the indexes of chats up to their histories. One that fails is due again soon, and keeps no
 * other one waiting. Repeating it changes nothing, so several processes may do it.
 * @param names of the chats, as in the wake index.
 */
export async function indexHistories(deps: IndexingDeps, names: readonly string[]): Promise<void> {
  for (const name of names)
    try {
      await indexOne(deps, chatKey(parseChatKey(name)));
    } catch (error) {
      deps.log.warn({ chat: name, error: messageOf(error) }, "a history could not be indexed");
    }
}

async function indexOne({ memory, settings }: IndexingDeps, chat: ChatKey): Promise<void> {
  if (settings.memory.recall === "off") return memory.forget(chat);
  for (let step = 0; step < maxSteps; step += 1) {
    const indexed = await memory.index(chat, never);
    if (indexed === "done") return;
    if (indexed === "later") return memory.lookAgain(chat, restMs);
    await yieldToOthers();
  }
  // Vectors may be what is left: the keywords' own step asks for no more then.
  await memory.lookAgain(chat, 0);
}
