import type { ChatKey } from "../../core/chat.ts";
import { inboxEntrySchema, logEntrySchema, type EditEntry } from "../../core/history.ts";
import { EditSearch, isEditOf, isSameMessage } from "../../core/open-messages.ts";
import type { PlacedEntry } from "../../core/ports.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";
import { readRanges } from "./history.ts";

/** Entries that are looked through, the newest: an edit of an older message changes nothing. */
const maxEntries = 1_000;
/** Entries per read. */
const pageSize = 100;

/** See `TurnStore`. Entries that this version can't read are left out. */
export async function lookBack<Found>(
  store: Pick<Store, "run">,
  chat: ChatKey,
  look: (entry: PlacedEntry) => Found | undefined,
  {
    before = Infinity,
    mayMatter = () => true,
  }: {
    /** Begins in front of this position. */
    readonly before?: number;
    /** Whether an entry's JSON is worth reading. */
    readonly mayMatter?: (json: string) => boolean;
  } = {},
): Promise<Found | undefined> {
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
      const entry = mayMatter(json) ? readable(logEntrySchema, json) : undefined;
      const found = entry && look({ position: from + index, entry });
      if (found !== undefined) return found;
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
  const newest = entries.findLast((entry) => entry.kind === "message");
  // What is held is the newest burst.
  if (message?.kind === "message")
    return message.burst !== undefined && newest?.burst === message.burst ? "held" : "open";
  // After one that isn't in the history yet, the old text is news, too.
  const before = entries.find((entry) => entry.kind === "edit" && isSameMessage(edit, entry));
  if (before?.kind === "edit") return before.past ? "past" : "open";
  const keys = chatKeys(chat);
  const search = new EditSearch(edit);
  const [[state, turn], unsent, found] = await Promise.all([
    store.redis.hmget(keys.state, "state", "turn"),
    store.redis.llen(keys.outbox),
    lookBack(store, chat, (entry) => search.look(entry), { mayMatter: mayConcern(edit) }),
  ]);
  if (found === undefined || found === "nothing") return undefined;
  // To people, an answer that is being sent is still growing.
  const open = state ? Number(turn) : unsent > 0 ? search.newestTurn : undefined;
  return open !== undefined && (found.turn ?? open) === open ? "open" : "past";
}

/** Most entries don't: other messages, and what tools returned, whose turn its answer names as well. */
function mayConcern({ edits }: EditEntry): (json: string) => boolean {
  const quoted = JSON.stringify(edits);
  return (json) => {
    const [, kind] = /^{"kind":"(\w+)"/.exec(json) ?? [];
    return kind !== "tool" && ((kind !== "message" && kind !== "edit") || json.includes(quoted));
  };
}
