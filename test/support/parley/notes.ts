import type { Shown, TestChat } from "./stage.ts";

/** Asks for a note that someone has to approve; fulfils with the card. */
export async function askForNote(
  chat: TestChat,
  note: string,
  options: { readonly mention?: boolean } = {},
): Promise<Shown> {
  chat.say(`call write_note ${JSON.stringify({ note })}`, options);
  return await chat.wait(({ text, buttons }) => buttons.length > 0 && text.includes(note));
}

/** Asks for notes that someone has to approve, in one answer; fulfils with the card. */
export async function askForNotes(
  chat: TestChat,
  notes: readonly string[],
  options: { readonly mention?: boolean } = {},
): Promise<Shown> {
  const calls = notes.map((note) => `write_note ${JSON.stringify({ note })}`);
  chat.say(`call ${calls.join(" and ")}`, options);
  return await chat.wait(
    ({ text, buttons }) => buttons.length > 0 && notes.every((note) => text.includes(note)),
  );
}

/** The notes of a chat as its bot reads them out: what the tool has really done. */
export async function notesOf(
  chat: TestChat,
  options: { readonly mention?: boolean } = {},
): Promise<string[]> {
  const known = new Set(chat.shown().map(({ id }) => id));
  chat.say("call read_notes {}", options);
  const { text } = await chat.wait(
    (message) => !known.has(message.id) && message.text.startsWith("read_notes said: "),
  );
  return [...text.matchAll(/^(?:read_notes said: )?\d+\\?\. (.*)$/gm)].map(([, note = ""]) => note);
}

/** A card whose matter is closed: no button is left, and it says what became of it. */
export const isClosed =
  (card: Shown, outcome: string) =>
  ({ id, text, buttons }: Shown): boolean =>
    id === card.id && buttons.length === 0 && text.includes(outcome);
