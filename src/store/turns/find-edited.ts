import type { ChatKey } from "../../core/chat.ts";
import { inboxEntrySchema, logEntrySchema, type EditEntry } from "../../core/history.ts";
import {
  EditSearch,
  isEditOf,
  isSameMessage,
  type EditedMessage,
} from "../../core/open-messages.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";
import { readRanges } from "./history.ts";

/** Entries that are looked through, the newest: an edit of an older message changes nothing. */
const maxEntries = 1_000;
/** Entries per read. */
const pageSize = 100;

/**
 * Looks through a chat's newest entries from a log position back. Reads one page for a recent message.
 * Entries that this version can't read aren't found.
 */
export async function findEdited(
  store: Pick<Store, "run">,
  chat: ChatKey,
  search: EditSearch,
  before = Infinity,
): Promise<EditedMessage | undefined> {
  const start = await readRanges(store, chat, []);
  let { base } = start;
  const end = base + start.length;
  let after = Math.min(before, end);
  while (after > Math.max(base, end - maxEntries)) {
    const from = Math.max(base, end - maxEntries, after - pageSize);
    const read = await readRanges(store, chat, [[from - base, after - 1 - base]]);
    // It was erased.
    if (read.epoch !== start.epoch) return undefined;
    if (read.base !== base) {
      // Old entries were dropped since: the page was counted from another beginning.
      ({ base } = read);
      continue;
    }
    for (const [index, json] of [...(read.ranges[0] ?? []).entries()].toReversed()) {
      const entry = readable(logEntrySchema, json);
      const found = entry && search.look({ position: from + index, entry });
      if (found !== undefined) return found === "nothing" ? undefined : found;
    }
    after = from;
  }
  return undefined;
}

/**
 * Where the message of an edit is: it waits as a piece of a burst, which may be held; it waits, is being
 * answered or its answer is being sent; it was answered. Undefined: the edit changes nothing of this
 * person. All of that may change at once: callers must not rely on it.
 */
export async function placeOfEdited(
  store: Store,
  chat: ChatKey,
  { edit, waiting }: { readonly edit: EditEntry; readonly waiting: readonly string[] },
): Promise<"held" | "open" | "past" | undefined> {
  const entries = waiting.flatMap((json) => readable(inboxEntrySchema, json) ?? []);
  const message = entries.find((entry) => entry.kind === "message" && isEditOf(edit, entry));
  if (message?.kind === "message") return message.burst === undefined ? "open" : "held";
  // After one that isn't in the history yet, the old text is news, too.
  const before = entries.find((entry) => entry.kind === "edit" && isSameMessage(edit, entry));
  if (before?.kind === "edit") return before.past ? "past" : "open";
  const keys = chatKeys(chat);
  const search = new EditSearch(edit);
  const [[state, turn], unsent, found] = await Promise.all([
    store.redis.hmget(keys.state, "state", "turn"),
    store.redis.llen(keys.outbox),
    findEdited(store, chat, search),
  ]);
  if (found === undefined) return undefined;
  // To people, an answer that is being sent is still growing.
  const open = state ? Number(turn) : unsent > 0 ? search.newestTurn : undefined;
  return open !== undefined && (found.turn ?? open) === open ? "open" : "past";
}
