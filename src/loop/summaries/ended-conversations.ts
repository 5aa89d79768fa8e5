import type { MessageEntry } from "../../core/history.ts";
import type { PlacedEntry } from "../../core/ports.ts";

/** A conversation is over after so long without a message. Milliseconds. */
export const silenceMs = 6 * 3_600_000;

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

/** None where nothing was asked and answered. */
function conversationOf(entries: readonly PlacedEntry[]): readonly EndedConversation[] {
  const messages = entries.flatMap(({ entry }) => (entry.kind === "message" ? [entry] : []));
  const last = messages.at(-1);
  const isAnswered = entries.some(({ entry }) => entry.kind === "assistant");
  return last === undefined || !isAnswered ? [] : [{ entries, last }];
}
