import { setImmediate } from "node:timers/promises";
import { type ErasureEntry, type InboxEntry, type LogEntry } from "../../core/history.ts";
import type { Erasure, PlacedEntry } from "../../core/ports.ts";
import { AuthorEraser } from "./forget-author.ts";
import type { TurnResult } from "../turn-result.ts";
import { TurnLeft, type TurnSession } from "../session/turn-session.ts";
import type { TurnContext } from "../turn-context.ts";

/** Entries that are overwritten in one step. */
const batch = 100;

export const isErasure = (entry: InboxEntry): entry is ErasureEntry =>
  entry.kind === "control" && entry.v === 2;

/**
 * Erases an idle chat, or what one person wrote in it, and gives it back. A session that dies on
 * the way has taken nothing from the inbox: the next one does it again from the beginning, which is
 * harmless.
 *
 * @param isBehind whether entries before it were consumed and are not committed yet.
 * @throws TurnLeft
 */
export async function forget(
  context: TurnContext,
  { control, person }: ErasureEntry,
  isBehind: boolean,
): Promise<TurnResult> {
  const { session } = context;
  if (isBehind) await session.commit({ idle: true });
  const of: Erasure["of"] =
    control === "forget-chat"
      ? { what: "chat" }
      : {
          what: "turns",
          personId: person.id,
          turns: await blankAuthor(context, person.id),
        };
  const again = await session.erase({ take: 1, of });
  return { type: again ? "again" : "done" };
}

/**
 * Blanks in the history what the turns of one person left there; returns these turns. @throws
 * TurnLeft
 */
async function blankAuthor(
  { deps, session }: TurnContext,
  personId: string,
): Promise<readonly number[]> {
  const eraser = new AuthorEraser(personId);
  const blanks: PlacedEntry[] = [];
  for await (const { position, entry } of deps.store.history(session.chat)) {
    leaveIfEnded(session);
    const blank = entry === undefined ? nothingAt(position) : eraser.next(position, entry);
    if (blank !== undefined) blanks.push({ position, entry: blank });
    // Entries come in pages, and a long text takes a while.
    await setImmediate();
  }
  // The newest first: a turn's message identifies it, so it is blanked after everything that came
  // of it.
  blanks.reverse();
  for (let from = 0; from < blanks.length; from += batch) {
    leaveIfEnded(session);
    await session.overwrite(blanks.slice(from, from + batch));
  }
  return eraser.turns;
}

/**
 * An unreadable entry may be theirs. It is replaced by an entry without effect:
 * an undo of nothing.
 */
const nothingAt = (position: number): LogEntry => ({
  kind: "undo",
  v: 1,
  id: "erased",
  fromSeq: position,
  ran: [],
  atMs: 0,
});

function leaveIfEnded({ interruption }: TurnSession): void {
  if (interruption === "fenced" || interruption === "shutdown") throw new TurnLeft(interruption);
}
