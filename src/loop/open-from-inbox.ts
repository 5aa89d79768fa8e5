import {
  pasteBurst,
  type InboxEntry,
  type MessageEntry,
} from "../core/history.ts";
import { unreachable } from "../core/errors.ts";
import { openTurn } from "./open-turn.ts";
import type { TurnResult } from "./run-turn.ts";
import type { TurnSession } from "./turn-session.ts";

/** Pieces of a split paste arrive within about 500 ms of each other. */
const pasteGapMs = 1_000;

interface Waiting {
  readonly position: number;
  readonly entry: InboxEntry;
}

/**
 * Consumes what waits in an idle chat's inbox up to and with the first message that opens a turn; pieces of one burst
 * open it together. Returns when nothing opened one. @throws TurnLeft
 */
export async function openFromInbox(
  session: TurnSession,
): Promise<TurnResult | undefined> {
  const { inbox } = session.begun;
  for (let index = 0; index < inbox.length; index += 1) {
    const { position, entry } = inbox[index] as Waiting;
    session.take(1, position);
    session.append(entry);
    switch (entry.kind) {
      case "reset":
        session.transcript.length = 0;
        break;
      case "message":
        if (position <= session.stopAt) {
          session.append({
            kind: "end",
            v: 1,
            turn: position,
            reason: "cancelled",
          });
          break;
        }
        return await openWith(session, inbox.slice(index));
      default:
        unreachable(entry);
    }
  }
  const { again } = await session.commit({ idle: true, release: {} });
  return { type: again ? "again" : "done" };
}

async function openWith(
  session: TurnSession,
  from: readonly Waiting[],
): Promise<undefined> {
  const [first, ...others] = from as [
    Waiting & { entry: MessageEntry },
    ...Waiting[],
  ];
  let turn = first.position;
  let before = first.entry;
  for (const { position, entry } of others) {
    if (entry.kind !== "message" || !isPieceAfter(before, entry)) break;
    session.take(1, position);
    session.append(entry);
    turn = position;
    before = entry;
  }
  session.open(openTurn(turn, first.entry));
  await session.commit();
  return undefined;
}

/**
 * Whether a message continues the burst of the one before it. Only the last piece of a split paste is short, so it bears
 * no mark of its own: what the same person sent right behind a long piece is taken for it.
 */
function isPieceAfter(before: MessageEntry, next: MessageEntry): boolean {
  if (before.burst === undefined || next.person.id !== before.person.id)
    return false;
  if (before.burst !== pasteBurst) return next.burst === before.burst;
  return (
    (next.burst === undefined || next.burst === pasteBurst) &&
    next.atMs - before.atMs <= pasteGapMs
  );
}
