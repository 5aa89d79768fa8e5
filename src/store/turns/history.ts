import type { ChatKey } from "../../core/chat.ts";
import { logEntrySchema, type LogEntry } from "../../core/history.ts";
import { PermanentError } from "../../core/errors.ts";
import type { PlacedEntry } from "../../core/ports.ts";
import { chatKeys } from "../keys.ts";
import { list, number, text, texts, type Store } from "../redis/redis.ts";
import { parseStored, readable } from "../stored.ts";

/** Entries per read: a few megabytes at the very most, since a result has its limit. */
const pageSize = 100;

/** An entry's place in the log; places grow by one and never change. */
export type HistoryEntry = PlacedEntry;

/** Entries that a chat's history holds, everything before the last reset included. */
export const historyLength = ({ redis }: Store, chat: ChatKey) => redis.llen(chatKeys(chat).log);

/**
 * The newest entries of a chat's history, the oldest first; invalid ones are left out.
 * @throws RetryableError when a newer version wrote one.
 */
export async function readNewest(
  store: Store,
  chat: ChatKey,
  count: number,
): Promise<readonly HistoryEntry[]> {
  const { log } = chatKeys(chat);
  const page = await readPage(store, chat, -count, -1);
  return entriesOf(page, (json) => entryOf(log, json));
}

/** As `readNewest`, but without a newer version's entries: for what is only shown. */
export async function readNewestReadable(
  store: Store,
  chat: ChatKey,
  count: number,
): Promise<readonly HistoryEntry[]> {
  const page = await readPage(store, chat, -count, -1);
  return entriesOf(page, (json) => readable(logEntrySchema, json));
}

const entriesOf = (
  { base, entries, from }: Page,
  read: (json: string) => LogEntry | undefined,
): readonly HistoryEntry[] =>
  entries.flatMap((json, index) => {
    const entry = read(json);
    return entry === undefined ? [] : [{ position: base + from + index, entry }];
  });

interface Page {
  readonly epoch: string;
  /** The log position of the list's first entry. */
  readonly base: number;
  /** The index of the first of these entries. */
  readonly from: number;
  readonly entries: readonly string[];
}

/**
 * A chat's whole history at the moment the reading begins, oldest first, one
 * page at a time; later entries are not included. Ends early when the history
 * is erased; skips entries that expire during the reading.
 * @throws what `parseStored` throws.
 */
export async function* readHistory(
  store: Store,
  chat: ChatKey,
): AsyncGenerator<HistoryEntry, void, undefined> {
  const { log } = chatKeys(chat);
  for await (const { position, json } of readStored(store, chat))
    yield { position, entry: parseStored(logEntrySchema, log, json) };
}

/**
 * As `readHistory`, but with only the position of an invalid entry.
 * @throws RetryableError when a newer version wrote one.
 */
export async function* readPlaces(
  store: Store,
  chat: ChatKey,
): AsyncGenerator<HistoryEntry | { readonly position: number }, void, undefined> {
  const { log } = chatKeys(chat);
  for await (const { position, json } of readStored(store, chat)) {
    const entry = entryOf(log, json);
    yield entry === undefined ? { position } : { position, entry };
  }
}

export function entryOf(key: string, json: string): LogEntry | undefined {
  try {
    return parseStored(logEntrySchema, key, json);
  } catch (error) {
    if (error instanceof PermanentError) return undefined;
    throw error;
  }
}

async function* readStored(
  store: Store,
  chat: ChatKey,
): AsyncGenerator<{ readonly position: number; readonly json: string }, void, undefined> {
  const [first, length] = await Promise.all([readPage(store, chat, 0), historyLength(store, chat)]);
  const end = first.base + length;
  let { base } = first;
  let page = first;
  for (let position = base; ;) {
    if (page.epoch !== first.epoch) return;
    if (page.base === base) {
      const entries = page.entries.slice(0, end - position);
      for (const json of entries) {
        yield { position, json };
        position += 1;
      }
      if (entries.length === 0) return;
    } else {
      // Old entries were dropped since: the page was counted from another beginning.
      ({ base } = page);
      position = Math.max(position, base);
    }
    if (position >= end) return;
    page = await readPage(store, chat, position - base);
  }
}

/**
 * In one step, so that the entries belong to the base and the epoch.
 * @param from an index, which counts from the end where it is negative, as `to`.
 */
async function readPage(
  store: Store,
  chat: ChatKey,
  from: number,
  to = from + pageSize - 1,
): Promise<Page> {
  const { base, epoch, length, ranges } = await readRanges(store, chat, [[from, to]]);
  const first = from < 0 ? Math.max(0, length + from) : from;
  return { base, epoch, entries: ranges[0] ?? [], from: first };
}

/** Entries as they are stored, by their indexes, both included; all as of one moment. */
export async function readRanges(
  store: Pick<Store, "run">,
  chat: ChatKey,
  asked: readonly (readonly [from: number, to: number])[],
): Promise<{
  readonly base: number;
  /** Empty: there is no history. */
  readonly epoch: string;
  readonly length: number;
  readonly ranges: readonly (readonly string[])[];
}> {
  const { state, log } = chatKeys(chat);
  const [base, epoch, length, ...ranges] = list(
    await store.run("entries", [state, log], asked.flat()),
  );
  return {
    base: number(base),
    epoch: text(epoch),
    length: number(length),
    ranges: ranges.map(texts),
  };
}
