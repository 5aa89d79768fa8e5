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
const isOfTurn = (
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

/** Its edits, oldest first. Pure. */
function editsOf(transcript: readonly LogEntry[], message: MessageEntry): EditEntry[] {
  const from = transcript.indexOf(message);
  return transcript.filter(
    (entry, index): entry is EditEntry =>
      index > from && entry.kind === "edit" && isEditOf(entry, message),
  );
}

/** What an edit changes. */
export interface EditedMessage {
  /** The message's log position. */
  readonly position: number;
  /** How it reads until then. */
  readonly text: string;
  /** Another conversation has begun since. */
  readonly isPast: boolean;
}

/**
 * Looks for what an edit changes, from the newest entry back: its message, as far as it was not taken
 * back. States: `looking → found | nothing`, which is where the edit is known already or changes nothing.
 */
export class EditSearch {
  readonly edit: EditEntry;
  #hiddenFrom = Infinity;
  #isPast = false;
  #text: string | undefined;

  constructor(edit: EditEntry) {
    this.edit = edit;
  }

  /** Undefined: what is further back says. */
  look({
    position,
    entry,
  }: {
    readonly position: number;
    readonly entry: LogEntry;
  }): EditedMessage | "nothing" | undefined {
    const { edit } = this;
    if (entry.kind === "undo") this.#hiddenFrom = Math.min(this.#hiddenFrom, entry.fromSeq);
    else if (entry.kind === "reset") this.#isPast = true;
    else if (entry.kind === "edit" && isSameMessage(edit, entry)) {
      this.#text ??= entry.text;
      if (entry.id === edit.id) return "nothing";
    } else if (entry.kind === "message" && position < this.#hiddenFrom && isEditOf(edit, entry)) {
      const text = this.#text ?? entry.text;
      return text === edit.text ? "nothing" : { position, text, isPast: this.#isPast };
    }
    return undefined;
  }
}

/** Whether both are edits of one message. Pure. */
export const isSameMessage = (one: EditEntry, other: EditEntry): boolean =>
  one.edits === other.edits && one.person.id === other.person.id;
