import { erasedText } from "../core/history.ts";
import type { MemoryLine } from "../core/memory.ts";
import { silenceMs } from "../core/summaries.ts";
import { newestEdits } from "../core/open-messages.ts";
import { sampleTurns } from "../core/sample-turns.ts";
import type { PlacedEntry } from "../core/ports.ts";
import type { Place } from "../store/memory/windows.ts";

/** Messages in one window; the last one of a window begins the next, so that neighbours overlap. */
const windowSize = 5;
/** Characters after which a window takes no further message. */
const windowLength = 1_200;
/** A longer message is several: characters of each part, and the most of them. */
const partLength = 600;
const maxParts = 20;

/** A message, or a part of a long one. */
export interface Said extends MemoryLine {
  readonly part: number;
  readonly atMs: number | undefined;
  /** The position of its newest edit. */
  readonly edit: number | undefined;
}

/** A window, and what is said in it. */
export interface PlacedWindow extends Place {
  readonly lines: readonly MemoryLine[];
}

/**
 * What people and the bot said, in conversations. Leaves out what was undone or erased; an edited
 * message reads as it was edited. Pure.
 * @param sinceMs when it was that the entries begin, where the first of them don't say.
 */
export function conversationsIn(
  entries: readonly PlacedEntry[],
  sinceMs?: number,
): readonly (readonly Said[])[] {
  const isUndone = undoneIn(entries);
  const isSample = sampleTurns(entries.map(({ entry }) => entry));
  const editOf = newestEdits(entries);
  const conversations: Said[][] = [[]];
  let lastMs = sinceMs;
  for (const [index, { position, entry }] of entries.entries()) {
    const atMs = entry.kind === "message" ? entry.atMs : undefined;
    const isLater = atMs !== undefined && lastMs !== undefined && atMs - lastMs >= silenceMs;
    if (entry.kind === "reset" || isLater) conversations.push([]);
    lastMs = atMs ?? lastMs;
    const line =
      isUndone(position) || isSample[index] ? undefined : lineOf({ position, entry }, editOf);
    if (line === undefined) continue;
    const parts = partsOf(line.text).map((text, part) => ({
      ...line,
      position,
      part,
      text,
      atMs: lastMs,
    }));
    conversations.at(-1)?.push(...parts);
  }
  return conversations.filter((each) => each.length > 0);
}

/** By position: whether a later entry took it back. Pure. */
function undoneIn(entries: readonly PlacedEntry[]): (position: number) => boolean {
  const undone = entries.flatMap(({ position, entry }) =>
    entry.kind === "undo" ? [{ from: entry.fromSeq, to: position }] : [],
  );
  return (position) => undone.some(({ from, to }) => position >= from && position < to);
}

function lineOf(
  { position, entry }: PlacedEntry,
  editOf: ReturnType<typeof newestEdits>,
): Pick<Said, "who" | "text" | "messageId" | "guild" | "edit"> | undefined {
  if (entry.kind === "assistant") {
    const text = entry.text.trim();
    return isSaid(text) ? { who: undefined, text, edit: undefined } : undefined;
  }
  if (entry.kind !== "message" || entry.sampleOf !== undefined) return undefined;
  const { messageId, person } = entry;
  const edit = editOf(entry, position);
  const text = (edit?.text ?? entry.text).trim();
  if (!isSaid(text)) return undefined;
  const guild = entry.where?.guild;
  return {
    who: person.name,
    text,
    edit: edit?.position,
    ...(messageId === undefined ? {} : { messageId }),
    ...(guild === undefined ? {} : { guild }),
  };
}

const isSaid = (text: string): boolean => text !== "" && text !== erasedText;

/** Cut after a word where there is one in the part's second half. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > partLength && parts.length < maxParts - 1) {
    const space = rest.lastIndexOf(" ", partLength);
    const at = space > partLength / 2 ? space : partLength;
    parts.push(rest.slice(0, at).toWellFormed());
    rest = rest.slice(at).trimStart();
  }
  return [...parts, rest.slice(0, partLength).toWellFormed()];
}

/** Windows of at most five neighbours; each conversation's own. Pure. */
export function windowsOf(conversations: readonly (readonly Said[])[]): readonly PlacedWindow[] {
  return conversations.flatMap((said) => {
    const windows: PlacedWindow[] = [];
    for (let start = 0; start < said.length;) {
      const end = endOf(said, start);
      windows.push(windowOf(said.slice(start, end)));
      if (end === said.length) break;
      start = Math.max(start + 1, end - 1);
    }
    return windows;
  });
}

function endOf(said: readonly Said[], start: number): number {
  let length = 0;
  for (let end = start; end < said.length; end += 1) {
    if (end - start >= windowSize || (end > start && length >= windowLength)) return end;
    length += said[end]?.text.length ?? 0;
  }
  return said.length;
}

function windowOf(said: readonly Said[]): PlacedWindow {
  const [first] = said;
  const last = said.at(-1);
  if (first === undefined || last === undefined) throw new TypeError("a window has a message");
  const edits = new Set(said.flatMap(({ edit }) => edit ?? []));
  const e = [...edits].toSorted((one, other) => one - other);
  return {
    f: first.position,
    p: first.part,
    t: last.position,
    q: last.part,
    u: Math.max(last.position, ...e),
    ...(e.length === 0 ? {} : { e }),
    at: said.find(({ atMs }) => atMs !== undefined)?.atMs ?? 0,
    lines: said,
  };
}

/** A window as the entries say that it reads now. Pure. */
export const linesOf = (
  entries: readonly PlacedEntry[],
  { f, p, t, q }: Place,
): readonly MemoryLine[] =>
  conversationsIn(entries)
    .flat()
    .filter(
      ({ position, part }) =>
        (position > f || (position === f && part >= p)) &&
        (position < t || (position === t && part <= q)),
    );
