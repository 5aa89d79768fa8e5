import type { EditEntry, LogEntry, MessageEntry } from "../core/history.ts";
import { isEditOf, openMessages } from "../core/open-messages.ts";
import type { LoopDeps } from "./deps.ts";
import { TurnLeft, type TurnSession } from "./turn-session.ts";

/*
 * An edit lies in the inbox behind its message. It joins that message's turn before the next model call, and opens none:
 * one that is met by an idle chat comes too late, or is in the history already, and is dropped.
 */

/** By session: how many inbox entries had arrived when it looked last. */
const lookedAt = new WeakMap<TurnSession, number>();

/**
 * Puts into the history the edits of what the open turn is about. Those at the inbox' head are consumed with it; others
 * stay until their turn comes, and are known then. Asks the store only when something has arrived. @throws TurnLeft
 */
export async function takeEdits(
  deps: LoopDeps,
  session: TurnSession,
): Promise<void> {
  const { arrived, begun } = session;
  if (lookedAt.get(session) === arrived || session.waiting === 0) return;
  lookedAt.set(session, arrived);
  const waiting =
    arrived === begun.inbox.length
      ? begun.inbox.slice(session.consumed)
      : await deps.store.waiting(begun.session);
  if (waiting === undefined) throw new TurnLeft("fenced");
  const entries = waiting.map(({ entry }) => entry);
  for (const entry of entries)
    if (entry.kind === "edit" && concernsTurn(session, entry))
      session.append(entry);
  const others = entries.findIndex(({ kind }) => kind !== "edit");
  session.join(others < 0 ? entries.length : others);
}

/** Whether it changes what a message of the open turn reads. */
export function concernsTurn(
  { transcript, state }: TurnSession,
  edit: EditEntry,
): boolean {
  const message = openMessages(transcript, state.turn).findLast((each) =>
    isEditOf(edit, each),
  );
  if (message === undefined) return false;
  const known = editsOf(transcript, message);
  return (
    known.every(({ id }) => id !== edit.id) &&
    edit.text !== (known.at(-1)?.text ?? message.text)
  );
}

/** The message as it reads now. Pure. */
export function asEdited(
  transcript: readonly LogEntry[],
  message: MessageEntry,
): MessageEntry {
  const newest = editsOf(transcript, message).at(-1);
  return newest === undefined ? message : { ...message, text: newest.text };
}

function editsOf(
  transcript: readonly LogEntry[],
  message: MessageEntry,
): EditEntry[] {
  const from = transcript.indexOf(message);
  return transcript.filter(
    (entry, index): entry is EditEntry =>
      index > from && entry.kind === "edit" && isEditOf(entry, message),
  );
}
