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

/** Entries that are looked through, the newest: no more of them are ever indexed. */
const maxEntries = 100_000;
/** Entries per read. */
const pageSize = 1_000;

/**
 * Looks through a chat's history from a log position back. Reads one page for a recent message. Entries
 * that this version can't read aren't found.
 */
export async function findEdited(
  store: Pick<Store, "run">,
  chat: ChatKey,
  search: EditSearch,
  before = Infinity,
): Promise<EditedMessage | undefined> {
  const start = await readRanges(store, chat, []);
  let { base } = start;
  let after = Math.min(before, base + start.length);
  const oldest = after - maxEntries;
  while (after > Math.max(base, oldest)) {
    const from = Math.max(base, oldest, after - pageSize);
    const read = await readRanges(store, chat, [[from - base, after - 1 - base]]);
    // It was erased.
    if (read.epoch !== start.epoch) return undefined;
    if (read.base !== base) {
      // Old entries were dropped since: the page was counted from another beginning.
      ({ base } = read);
      continue;
    }
    const page = read.ranges[0] ?? [];
    for (const [index, json] of [...page.entries()].toReversed()) {
      const entry = mayMatter(json, search.edit) ? readable(logEntrySchema, json) : undefined;
      const found = entry && search.look({ position: from + index, entry });
      if (found !== undefined) return found === "nothing" ? undefined : found;
    }
    if (areOlder(page, search.edit)) return undefined;
    after = from;
  }
  return undefined;
}

/** In JSON, quotes within texts are escaped. Most entries need not be parsed. */
const mayMatter = (json: string, { edits }: EditEntry): boolean =>
  json.includes(JSON.stringify(edits)) || json.includes('"undo"') || json.includes('"reset"');

/** Platforms number messages in order, though a repeated one keeps its number. */
function areOlder(page: readonly string[], { edits }: EditEntry): boolean {
  const ids = page.flatMap((json) => /"messageId":"(\d+)"/.exec(json)?.[1] ?? []);
  const isBefore = (id: string): boolean =>
    id.length < edits.length || (id.length === edits.length && id < edits);
  return ids.length > 0 && ids.every(isBefore);
}

/**
 * Whether an edit changes a message of this person that waits or is in the history. All of that may
 * change at once: callers must not rely on it.
 */
export async function changesMessage(
  store: Store,
  chat: ChatKey,
  edit: EditEntry,
): Promise<boolean> {
  const waiting = await store.redis.lrange(chatKeys(chat).inbox, 0, -1);
  const waits = waiting.some((json) => {
    const entry = readable(inboxEntrySchema, json);
    // After one that isn't in the history yet, the old text is news, too.
    if (entry?.kind === "edit") return isSameMessage(edit, entry);
    return entry?.kind === "message" && isEditOf(edit, entry);
  });
  return waits || (await findEdited(store, chat, new EditSearch(edit))) !== undefined;
}
