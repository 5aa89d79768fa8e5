import type { EditEntry, LogEntry, MessageEntry } from "./history.ts";

/**
 * The messages of the open or newest turn, oldest first: those after the last entry of another
 * turn. Pure.
 */
export function openMessages(history: readonly LogEntry[], turn: number): readonly MessageEntry[] {
  const messages: MessageEntry[] = [];
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const entry = history[index];
    if (entry === undefined || entry.kind === "reset") break;
    if (entry.kind === "message") messages.push(entry);
    else if (isOfTurn(entry) && entry.turn !== turn) break;
  }
  return messages.toReversed();
}

/** Whether it is an entry that a turn has written, or its end. */
export const isOfTurn = (
  entry: LogEntry,
): entry is Extract<LogEntry, { kind: "assistant" | "tool" | "end" }> =>
  entry.kind === "assistant" || entry.kind === "tool" || entry.kind === "end";

/** Only who wrote a message can have edited it. Pure. */
export const isEditOf = (
  { edits, person }: Pick<EditEntry, "edits" | "person">,
  message: MessageEntry,
): boolean => message.messageId === edits && message.person.id === person.id;

/** The message as it reads now. Pure. */
export function asEdited(transcript: readonly LogEntry[], message: MessageEntry): MessageEntry {
  const newest = editsOf(transcript, message).at(-1);
  return newest === undefined ? message : { ...message, text: newest.text };
}

/** The texts of its edits, oldest first. Pure. */
export function editsOf(transcript: readonly LogEntry[], message: MessageEntry): EditEntry[] {
  const from = transcript.indexOf(message);
  return transcript.filter(
    (entry, index): entry is EditEntry =>
      index > from && entry.kind === "edit" && isEditOf(entry, message),
  );
}
