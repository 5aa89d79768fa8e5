import type { EditEntry, LogEntry, MessageEntry } from "./history.ts";
import type { PlacedEntry } from "./ports.ts";

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
): boolean => message.messageId === edits && (message.author ?? message.person.id) === person.id;

/** The message as a model is to read it. Pure. */
export function asEdited(transcript: readonly LogEntry[], message: MessageEntry): MessageEntry {
  const newest = editsOf(transcript, message).at(-1);
  return newest === undefined ? message : { ...message, text: newest.text };
}

/** Its edits, oldest first. Pure. */
function editsOf(transcript: readonly LogEntry[], message: MessageEntry): EditEntry[] {
  const from = transcript.indexOf(message);
  return transcript.filter(
    (entry, index): entry is EditEntry =>
      index > from && entry.kind === "edit" && entry.past !== true && isEditOf(entry, message),
  );
}

/** By message: its newest edit, also one that no model reads. Pure. */
export function newestEdits(
  entries: readonly PlacedEntry[],
): (message: MessageEntry, position: number) => (EditEntry & { position: number }) | undefined {
  const edits = Map.groupBy(
    entries.flatMap(({ position, entry }) =>
      entry.kind === "edit" ? [{ ...entry, position }] : [],
    ),
    (edit) => edit.edits,
  );
  return (message, position) =>
    edits
      .get(message.messageId ?? "")
      ?.findLast((edit) =>
        edit.of === undefined ? isEditOf(edit, message) : edit.of === position,
      );
}

/** What an edit changes. */
export interface EditedMessage {
  /** The message's log position. */
  readonly position: number;
  /** How it reads until then. */
  readonly text: string;
  /** Another conversation has begun since, or another person repeated it: no model is to read the edit. */
  readonly isPast: boolean;
  /** The turn that has written the first entry after it; undefined: none has. */
  readonly turn: number | undefined;
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
  #turn: number | undefined;
  /** The newest turn of which there is an entry. */
  newestTurn: number | undefined;

  constructor(edit: EditEntry) {
    this.edit = edit;
  }

  /** Undefined: what is further back says. */
  look({ position, entry }: PlacedEntry): EditedMessage | "nothing" | undefined {
    const { edit } = this;
    if (entry.kind === "undo") this.#hiddenFrom = Math.min(this.#hiddenFrom, entry.fromSeq);
    else if (entry.kind === "reset") this.#isPast = true;
    else if (isOfTurn(entry)) {
      this.#turn = entry.turn;
      this.newestTurn ??= entry.turn;
    } else if (entry.kind === "edit" && isSameMessage(edit, entry)) {
      this.#text ??= entry.text;
      if (entry.id === edit.id) return "nothing";
    } else if (entry.kind === "message" && position < this.#hiddenFrom && isEditOf(edit, entry)) {
      const text = this.#text ?? entry.text;
      if (text === edit.text) return "nothing";
      const isPast = this.#isPast || entry.author !== undefined;
      return { position, text, isPast, turn: this.#turn };
    }
    return undefined;
  }
}

/** Whether both are edits of one message. Pure. */
export const isSameMessage = (one: EditEntry, other: EditEntry): boolean =>
  one.edits === other.edits && one.person.id === other.person.id;
