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
/** Entries between a message and its edit, at most. */
const editReach = 100;
/** An undo reaches back over this many windows at a time. */
const backStep = 16;
/** Entries that are looked through at a time for what changes earlier ones. */
const changesStep = 2_000;

/** A chat with news is looked at again after this. Milliseconds. */
const soonMs = 50;

/** Where a step begins to read, and the number of the first window that it writes. */
interface Start {
  readonly position: number;
  readonly part: number;
  readonly id: number;
  readonly sinceMs: number | undefined;
  /** Undefined: all windows stay as they were, but the last one. */
  readonly rebuilt: "partly" | "wholly" | undefined;
}

/**
 * Indexes what a chat's history has more than its index: one step. Repeating it changes nothing. The
 * index's states: `absent → indexing → up to date → indexing …`; another epoch of the history (a
 * person or the chat was erased) leads back to `absent`, an undo or an edit of what is indexed to
 * `indexing` from there.
 * @param vectorsAgainMs when a chat that lacks vectors is looked at again; undefined: windows have none.
 * @returns whether there may be more to do at once.
 */
export async function indexStep(
  store: WindowStore,
  chat: ChatKey,
  { vectorsAgainMs }: { readonly vectorsAgainMs: number | undefined },
): Promise<"done" | "more"> {
  const open = await store.open(chat);
  if (open.epoch === undefined || open.end === open.base) {
    await store.forget(chat);
    return "done";
  }
  const next = nextStart(open);
  const readTo = Math.min(open.end, next.position + stepLength);
  const seen = Math.min(open.end, Math.max(readTo, open.head?.next ?? 0, open.head?.againTo ?? 0));
  const news = await read(store, chat, open, { from: next.position, to: readTo, seen });
  if (news === undefined) return "more";
  const changed = changedBefore([...news.entries, ...news.changes], next.position, open);
  const start = changed === undefined ? next : await stepBack(store, chat, { open, next, changed });
  // However far back it begins, the rest comes with the next steps.
  const stop = Math.min(open.end, start.position + stepLength);
  const again = { from: start.position, to: stop, seen };
  const found = start === next ? news : await read(store, chat, open, again);
  if (found === undefined) return "more";
  const change = changeOf({ open, start, ...found, stop, seen });
  const isWritten = await store.write(chat, {
    ...change,
    ...(vectorsAgainMs === undefined
      ? {}
      : { vectors: { to: change.head.id, againMs: vectorsAgainMs } }),
  });
  return isWritten && change.againMs === undefined ? "done" : "more";
}

interface Read {
  readonly entries: readonly PlacedEntry[];
  /** Undos and edits that follow them and are known already. */
  readonly changes: readonly PlacedEntry[];
}

/**
 * Entries up to position `to`, and what changes them before position `seen`. Undefined: the history
 * begins elsewhere by now.
 */
async function read(
  store: WindowStore,
  chat: ChatKey,
  { base }: OpenIndex,
  { from, to, seen }: { readonly from: number; readonly to: number; readonly seen: number },
): Promise<Read | undefined> {
  const [entries] = (await store.entries(chat, base, [[from, to - 1]])) ?? [];
  if (entries === undefined) return undefined;
  const changes: PlacedEntry[] = [];
  for (let at = to; at < seen; at += changesStep) {
    const until = Math.min(seen, at + changesStep);
    const [found] = (await store.entries(chat, base, [[at, until - 1, "changes"]])) ?? [];
    if (found === undefined) return undefined;
    changes.push(...found.filter(({ entry: { kind } }) => kind === "undo" || kind === "edit"));
  }
  return { entries, changes };
}

function nextStart({ head, base, end, first }: OpenIndex): Start {
  if (head === undefined) {
    const position = Math.max(base, end - maxEntries);
    return { position, part: 0, id: 0, sinceMs: undefined, rebuilt: "wholly" };
  }
  const { from, part, sinceMs } = head;
  const rest = { id: Math.max(first, head.id), sinceMs, rebuilt: undefined };
  return from < base ? { position: base, part: 0, ...rest } : { position: from, part, ...rest };
}

/** The position up to `from` at which news change what is indexed; undefined: they don't. */
function changedBefore(
  news: readonly PlacedEntry[],
  from: number,
  { head }: OpenIndex,
): number | undefined {
  const fresh = news.filter(({ position }) => position >= (head?.next ?? Infinity));
  // The window before may end with what is at `from`.
  const ids = new Set(
    news.map(({ position, entry }) =>
      entry.kind === "message" && position > from ? entry.messageId : "",
    ),
  );
  const positions = fresh.flatMap(({ entry }) => {
    if (entry.kind === "undo") return [entry.fromSeq];
    // An edit comes before its turn has ended.
    return entry.kind === "edit" && !ids.has(entry.edits) ? [from - editReach] : [];
  });
  const earliest = Math.min(...positions);
  return earliest <= from ? Math.max(0, earliest) : undefined;
}

/** The last window that begins before the change, as a start; the oldest where there is none. */
async function stepBack(
  store: WindowStore,
  chat: ChatKey,
  {
    open,
    next,
    changed,
  }: { readonly open: OpenIndex; readonly next: Start; readonly changed: number },
): Promise<Start> {
  let start = next;
  for (let to = next.id; to > open.first; to -= backStep) {
    const from = Math.max(open.first, to - backStep);
    const windows = await store.windows(chat, from, to);
    for (const [at, window] of [...windows.entries()].toReversed()) {
      if (window === undefined) continue;
      const { f: position, p: part, at: atMs } = window;
      start = { position, part, id: from + at, sinceMs: atMs || undefined, rebuilt: "partly" };
      if (position < changed) return start;
    }
  }
  // What has no text is in no window, and may come before all of them.
  const position = Math.max(open.base, changed);
  const isBeforeAll = open.first === 0 && position < start.position;
  return isBeforeAll ? { position, part: 0, id: 0, sinceMs: undefined, rebuilt: "partly" } : start;
}

function changeOf(of: {
  readonly open: OpenIndex;
  readonly start: Start;
  readonly entries: readonly PlacedEntry[];
  readonly changes: readonly PlacedEntry[];
  readonly stop: number;
  readonly seen: number;
}): IndexChange {
  const { open, start, entries, changes, stop, seen } = of;
  const { head, end, base } = open;
  const said = conversationsIn([...entries, ...changes], start.sinceMs).map((conversation) =>
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
  const isNew = start.rebuilt === "wholly";
  const first = Math.max(isNew ? 0 : open.first, count - maxWindows);
  // A message without text has a time, too.
  const times = entries.flatMap(({ entry }) => (entry.kind === "message" ? [entry.atMs] : []));
  // Times that come after a window without one aren't its own.
  const sinceMs = tail === undefined ? times.at(-1) || start.sinceMs : tail.atMs || undefined;
  const isCut = first > open.first || head?.isCut === true || (isNew && start.position > base);
  return {
    open,
    isNew,
    first,
    windows: windows.map((window, index) => [start.id + index, storedAs(window)]),
    seenEnd: end,
    ...(isLast ? {} : { againMs: soonMs }),
    head: {
      built:
        head === undefined || start.rebuilt !== undefined
          ? randomBytes(6).toString("base64url")
          : head.built,
      epoch: open.epoch ?? "",
      count,
      id: tail === undefined ? count : count - 1,
      from: tail?.from ?? (sampleAt === undefined || sampleAt < least ? stop : sampleAt),
      part: tail?.fromPart ?? 0,
      next: seen,
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

function storedAs(window: PlacedWindow): StoredWindow {
  const { from, fromPart, to, toPart, until, atMs } = window;
  const w = writeTerms(termsOfWindow(window));
  return { f: from, p: fromPart, t: to, q: toPart, u: until, at: atMs, w };
}

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
