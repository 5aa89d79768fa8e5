import { setImmediate as yieldToOthers } from "node:timers/promises";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import type { Services } from "../services.ts";

/** Steps of one chat at a time; the rest is due again at once, after the other chats. */
const maxSteps = 20;

/** Embeddings rest for this long after a failure. Milliseconds. */
const restMs = 60_000;

export type IndexingDeps = Pick<Services, "memory" | "deadChats" | "log"> & {
  readonly settings: Pick<Services["settings"], "memory">;
};

/**
 * Brings the keywords of chats up to their histories. One that fails is due again soon, and keeps no
 * other one waiting. Repeating it changes nothing, so several processes may do it.
 * @param names of the chats, as in the wake index.
 * @param signal what is not indexed then stays due.
 * @returns the chats that may lack vectors.
 */
export async function indexHistories(
  deps: IndexingDeps,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly ChatKey[]> {
  const indexed = await chatsThat(deps, names, (chat) => hasAllKeywords(deps, chat, signal));
  return deps.memory.embeddings() === "none" ? [] : indexed;
}

/**
 * Makes a batch of vectors of each chat. One that needs more is due again, and so comes after all
 * that wait by then: where the endpoint is slow, no chat has it for itself.
 * @param signal what is not made then is due again.
 */
export async function embedHistories(
  deps: IndexingDeps,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { memory, deadChats } = deps;
  await chatsThat(deps, names, async (chat) => {
    // They are made after its next turn.
    if ((await deadChats.since(chat)) !== undefined) return true;
    const embedded = signal.aborted ? "more" : await memory.embed(chat, signal);
    if (embedded !== "done") await memory.lookAgain(chat, embedded === "later" ? restMs : 0);
    return true;
  });
}

async function chatsThat(
  { log }: IndexingDeps,
  names: readonly string[],
  action: (chat: ChatKey) => Promise<boolean>,
): Promise<readonly ChatKey[]> {
  const chats: ChatKey[] = [];
  for (const name of names)
    try {
      const chat = chatKey(parseChatKey(name));
      if (await action(chat)) chats.push(chat);
    } catch (error) {
      log.warn({ chat: name, error: messageOf(error) }, "a history could not be indexed");
    }
  return chats;
}

async function hasAllKeywords(
  { memory, settings }: IndexingDeps,
  chat: ChatKey,
  signal: AbortSignal,
): Promise<boolean> {
  if (settings.memory.recall === "off") {
    await memory.forget(chat);
    return false;
  }
  for (let step = 0; step < maxSteps && !signal.aborted; step += 1) {
    if ((await memory.index(chat)) === "done") return true;
    await yieldToOthers();
  }
  return false;
}
