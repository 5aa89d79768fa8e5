import type { MessageEntry } from "../../core/history.ts";
import { newestEdits } from "../../core/open-messages.ts";
import { silenceMs } from "../../core/summaries.ts";
import type { PlacedEntry } from "../../core/ports.ts";

/** A conversation that is over: it was answered, and then reset or left. */
export interface EndedConversation {
  readonly entries: readonly PlacedEntry[];
  /** Its newest message. */
  readonly last: MessageEntry;
}

/** What is over in a history, oldest first. Pure. */
export function endedConversations(
  entries: readonly PlacedEntry[],
  nowMs: number,
): {
  readonly ended: readonly EndedConversation[];
  /** When what goes on will be over, if nothing more is said; undefined: nothing goes on. */
  readonly endsAtMs: number | undefined;
} {
  const ended: EndedConversation[] = [];
  let from = 0;
  for (const [index, { entry }] of entries.entries()) {
    if (entry.kind !== "reset") continue;
    ended.push(...conversationOf(entries.slice(from, index)));
    from = index + 1;
  }
  const open = conversationOf(entries.slice(from));
  const [current] = open;
  if (current === undefined) return { ended, endsAtMs: undefined };
  const endsAtMs = current.last.atMs + silenceMs;
  return nowMs >= endsAtMs
    ? { ended: [...ended, ...open], endsAtMs: undefined }
    : { ended, endsAtMs };
}

/**
 * The entries with each message as it reads now, and without summaries of what was edited after them,
 * which hold what it was. All stay in their places. Pure.
 */
export function asEditedNow(entries: readonly PlacedEntry[]): readonly PlacedEntry[] {
  const edits = entries.flatMap(({ position, entry }) =>
    entry.kind === "edit" ? [{ ...entry, position }] : [],
  );
  if (edits.length === 0) return entries;
  const editOf = newestEdits(entries);
  return entries.map(({ position, entry }): PlacedEntry => {
    if (entry.kind === "edit") return { position, entry: { ...entry, past: true } };
    if (entry.kind === "message") {
      const { text } = editOf(entry, position) ?? entry;
      return { position, entry: { ...entry, text } };
    }
    if (entry.kind !== "compaction") return { position, entry };
    const isOutdated = edits.some(
      (edit) => edit.position > position && (edit.of ?? Infinity) <= entry.toSeq,
    );
    const nothing = { summary: "", kept: [], fromSeq: 1, toSeq: 0 };
    return { position, entry: isOutdated ? { ...entry, ...nothing } : entry };
  });
}

/** None where nothing was asked and answered. */
function conversationOf(entries: readonly PlacedEntry[]): readonly EndedConversation[] {
  const messages = entries.flatMap(({ entry }) => (entry.kind === "message" ? [entry] : []));
  const last = messages.at(-1);
  const isAnswered = entries.some(({ entry }) => entry.kind === "assistant");
  return last === undefined || !isAnswered ? [] : [{ entries, last }];
}
