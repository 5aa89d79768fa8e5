import type { EditEntry, LogEntry, MessageEntry } from "./history.ts";

/**
 * The messages that the open turn is about, oldest first: those behind the last thing that another turn has said or done.
 * Pure.
 */
export function openMessages(
  history: readonly LogEntry[],
  turn: number,
): readonly MessageEntry[] {
  const messages: MessageEntry[] = [];
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const entry = history[index];
    if (entry === undefined || entry.kind === "reset" || entry.kind === "end")
      break;
    if (entry.kind === "assistant" || entry.kind === "tool") {
      if (entry.turn !== turn) break;
    } else if (entry.kind === "message") {
      messages.push(entry);
    }
  }
  return messages.toReversed();
}

/** Only who wrote a message can have edited it. Pure. */
export const isEditOf = (
  { edits, person }: Pick<EditEntry, "edits" | "person">,
  message: MessageEntry,
): boolean => message.messageId === edits && message.person.id === person.id;
