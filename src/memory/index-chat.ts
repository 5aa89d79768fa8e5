import { randomBytes } from "node:crypto";
import type { ChatKey } from "../core/chat.ts";
import type { PlacedEntry } from "../core/ports.ts";
import type { IndexChange, OpenIndex, StoredWindow, WindowStore } from "../store/memory/windows.ts";
import type { TermCounts } from "../text/keyword-index.ts";
import { termsOfWindow } from "./terms.ts";
import { conversationsIn, windowsOf, type PlacedWindow } from "./windows.ts";

/** Entries that one step reads: a step must not hold up the process. */
const stepLength = 500;
/** The most windows of a chat; older ones are dropped. A process holds about 1.4 kB for each. */
const maxWindows = 20_000;
/** Of a history that is not indexed yet, only the newest entries are read. */
const maxEntries = 5 * maxWindows;
/** Characters of a window's terms; what exceeds them is not found. */
const maxTermsLength = 1_000;
/** Entries that are looked through at a time for what changes earlier ones. */
const changesStep = 2_000;
/** Chats of which is held what later entries change. */
const maxHeld = 20;

/** A chat with news is looked at again after this. Milliseconds. */
const soonMs = 50;

/** Where a step begins to read, and the number of the first window that it writes. */
interface Start {
  readonly position: number;
  readonly part: number;
  readonly id: number;
  readonly sinceMs?: number | undefined;
}

/** What a step reads: entries up to position `stop`, and what changes entries after that. */
interface Read {
  readonly entries: readonly PlacedEntry[];
  readonly changes: readonly PlacedEntry[];
  readonly stop: number;
}

/** Undos and edits between two log positions. */
interface Changes {
  readonly epoch: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly found: readonly PlacedEntry[];
}

/**
 * Indexes what a chat's history has more than its index: one step. Repeating it changes nothing.
 * `vectorsAgainMs`: when a chat that lacks vectors is looked at again; undefined: windows have none.
 * @returns whether there may be more to do at once.
 */
export type IndexStep = (
  chat: ChatKey,
  options: { readonly vectorsAgainMs: number | undefined },
) => Promise<"done" | "more">;

/**
 * The index's states: `absent → indexing → up to date → indexing …`; another epoch of the history (a
 * person or the chat was erased) leads back to `absent`, the commit of an undo or an edit of what is
 * indexed to `indexing` from there. Later undos and edits are known to each step, and read once for
 * all of them.
 */
export function createIndexer(store: WindowStore): IndexStep {
  const held = new Map<ChatKey, Changes>();
  /** Undefined: the history begins elsewhere by now. */
  const changesFrom = async (
    chat: ChatKey,
    { epoch, base, end }: OpenIndex,
    from: number,
  ): Promise<readonly PlacedEntry[] | undefined> => {
    const before = held.get(chat);
    const known = before && before.epoch === epoch && before.from <= from ? before : undefined;
    const found = (known?.found ?? []).filter(({ position }) => position >= from);
    for (let at = Math.max(from, known?.to ?? from); at < end; at += changesStep) {
      const to = Math.min(end, at + changesStep);
      const [more] = (await store.entries(chat, base, [[[at, to - 1, "changes"]]])) ?? [];
      if (more === undefined) return undefined;
      found.push(...more);
    }
    held.delete(chat);
    if (from < end) held.set(chat, { epoch, from, to: end, found });
    const [oldest] = held.keys();
    if (held.size > maxHeld && oldest !== undefined) held.delete(oldest);
    return found;
  };
  return async (chat, { vectorsAgainMs }) => {
    const open = await store.open(chat);
    if (open.epoch === undefined || open.end === open.base) {
      await store.forget(chat);
      return "done";
    }
    const start = startOf(open);
    const stop = Math.min(open.end, start.position + stepLength);
    const [entries] = (await store.entries(chat, open.base, [[[start.position, stop - 1]]])) ?? [];
    const changes = await changesFrom(chat, open, stop);
    if (entries === undefined || changes === undefined) return "more";
    if ([...entries, ...changes].some((each) => isUnknown(each, open))) {
      await store.drop(chat);
      return "more";
    }
    const change = changeOf(open, start, { entries, changes, stop });
    const isWritten = await store.write(chat, {
      ...change,
      ...(vectorsAgainMs === undefined
        ? {}
        : { vectors: { to: change.head.id, againMs: vectorsAgainMs } }),
    });
    return isWritten && change.againMs === undefined ? "done" : "more";
  };
}

function startOf({ head, base, end, first }: OpenIndex): Start {
  if (head === undefined) return { position: Math.max(base, end - maxEntries), part: 0, id: 0 };
  const { from, sinceMs } = head;
  const [position, part] = from < base ? [base, 0] : [from, head.part];
  return { position, part, id: Math.max(first, head.id), sinceMs };
}

/**
 * News of what is indexed that an earlier version wrote: it removed no windows. All of them are made
 * again.
 */
const isUnknown = ({ position, entry }: PlacedEntry, { head }: OpenIndex): boolean =>
  head !== undefined &&
  position >= head.next &&
  ((entry.kind === "undo" && entry.forgets !== true) ||
    (entry.kind === "edit" && entry.of === undefined));

function changeOf(open: OpenIndex, start: Start, { entries, changes, stop }: Read): IndexChange {
  const { head, end, base } = open;
  const ids = new Set(entries.map(({ entry }) => entry.kind === "message" && entry.messageId));
  const theirs = changes.filter(({ entry }) =>
    entry.kind === "undo" ? entry.fromSeq < stop : entry.kind === "edit" && ids.has(entry.edits),
  );
  const said = conversationsIn([...entries, ...theirs], start.sinceMs).map((conversation) =>
    conversation.filter(({ position, part }) => position > start.position || part >= start.part),
  );
  const windows = windowsOf(said);
  const isLast = stop >= end;
  // It may grow; but where a step finds no second one, the next step begins after it.
  const tail = isLast || windows.length > 1 ? windows.at(-1) : undefined;
  const sampleAt = openSample(entries);
  // Each step but the last one must make progress.
  const least = isLast ? start.position : start.position + 1;
  const count = start.id + windows.length;
  const isNew = head === undefined;
  const first = Math.max(isNew ? 0 : open.first, count - maxWindows);
  // A message without text has a time, too.
  const times = entries.flatMap(({ entry }) => (entry.kind === "message" ? [entry.atMs] : []));
  // Times that come after a window without one aren't its own.
  const sinceMs = tail === undefined ? times.at(-1) || start.sinceMs : tail.at || undefined;
  const isCut = first > open.first || head?.isCut === true || (isNew && start.position > base);
  return {
    open,
    first,
    windows: windows.map((window, index) => [start.id + index, storedAs(window)]),
    ...(isLast ? {} : { againMs: soonMs }),
    head: {
      built: head?.built ?? randomBytes(6).toString("base64url"),
      epoch: open.epoch ?? "",
      count,
      id: tail === undefined ? count : count - 1,
      from: tail?.f ?? (sampleAt === undefined || sampleAt < least ? stop : sampleAt),
      part: tail?.p ?? 0,
      next: end,
      ...(sinceMs === undefined ? {} : { sinceMs }),
      ...(isCut ? { isCut } : {}),
    },
  };
}

/**
 * The position of a persona's sample that may still be answered, which is until the next message or
 * its turn's `end`; undefined: there is none. Only its message says what the answer belongs to, so
 * the next step reads both. Pure.
 */
function openSample(entries: readonly PlacedEntry[]): number | undefined {
  const at = entries.findLastIndex(({ entry }) => entry.kind === "message");
  const asked = entries[at];
  const isSample = asked?.entry.kind === "message" && asked.entry.sampleOf !== undefined;
  const hasEnded = entries.slice(at).some(({ entry }) => entry.kind === "end");
  return isSample && !hasEnded ? asked.position : undefined;
}

const storedAs = ({ lines, ...place }: PlacedWindow): StoredWindow => ({
  ...place,
  w: writeTerms(termsOfWindow({ lines, at: place.at })),
});

function writeTerms(counts: TermCounts): string {
  let text = "";
  for (const [term, count] of counts) {
    const next = count === 1 ? term : `${term}*${count}`;
    if (text.length + next.length >= maxTermsLength) break;
    text += text === "" ? next : ` ${next}`;
  }
  return text;
}

/** The inverse of how a window's terms are stored. */
export const readTerms = (text: string): TermCounts =>
  text.split(" ").map((each) => {
    const at = each.indexOf("*");
    return at < 0 ? [each, 1] : [each.slice(0, at), Number(each.slice(at + 1))];
  });
