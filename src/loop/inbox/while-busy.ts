import type { WhileBusy } from "../../core/chat-settings.ts";
import { isOwnTurn } from "../../core/gesture.ts";
import type { InboxEntry, MessageEntry } from "../../core/history.ts";
import { takeEdit } from "./edits.ts";
import { isKnown, piecesOf, waitingOf } from "./news.ts";
import { TurnLeft, type TurnSession } from "../session/turn-session.ts";
import type { TurnContext } from "../turn-context.ts";

/** What becomes of messages that come while a turn of this chat runs. */
export const whileBusyOf = ({ deps, session }: TurnContext): WhileBusy =>
  session.settings.whileBusy ?? deps.defaults.whileBusy;

/**
 * In the mode `steer`, between two rounds: the requester's new messages join
 * the turn. Another person's message, and everything after it, waits.
 * @throws TurnLeft
 */
export async function steer(context: TurnContext): Promise<void> {
  const { session } = context;
  if (whileBusyOf(context) !== "steer" || session.waiting === 0) return;
  // A sample's persona has been approved by no one: it answers nothing else.
  if (session.state.persona?.owner.startsWith("sample:")) return;
  const waiting = await waitingOf(context);
  const others = waiting.findIndex(
    (entry) => entry.kind !== "edit" && (!isRequesters(session, entry) || isOwnTurn(entry)),
  );
  const joining = waiting.slice(0, others < 0 ? undefined : others);
  const isNews = joining.some(({ kind }) => kind === "message");
  if (!isNews || (await isStopped(context))) return;
  for (const entry of joining)
    if (entry.kind === "message") {
      if (!isKnown(session, entry)) session.append(entry);
    } else if (entry.kind === "edit") await takeEdit(context, entry);
  session.join(joining.length);
}

/**
 * In the mode `interrupt`: a newer message of the requester ends the turn, unless it is a further piece
 * of what they said. Never rejects.
 */
export async function interruptIfReplaced(context: TurnContext): Promise<void> {
  const { deps, session } = context;
  if (whileBusyOf(context) !== "interrupt" || session.waiting === 0) return;
  // A requested compaction finishes before the next message is answered; and a schedule's message
  // is not one that its person replaces.
  if (session.state.compactOnly || session.state.schedule !== undefined) return;
  try {
    const waiting = await waitingOf(context);
    const pieces = new Set<InboxEntry>(piecesOf(session, waiting));
    if (waiting.some((entry) => isRequesters(session, entry) && !pieces.has(entry)))
      session.interrupt("replaced");
  } catch (error) {
    if (error instanceof TurnLeft) session.interrupt("fenced");
    else
      deps.log.warn(
        { error, chat: session.chat },
        "could not look for newer messages; the next heartbeat will",
      );
  }
}

/**
 * Checks the store again: a message that arrived after a stop must not end with
 * the turn that it stops.
 * @throws TurnLeft
 */
async function isStopped({ deps, session }: TurnContext): Promise<boolean> {
  const beat = await deps.store.heartbeat(session.begun.session);
  if (beat === undefined) throw new TurnLeft("fenced");
  if (beat.stopAt < session.state.turn) return false;
  session.interrupt("stopped");
  return true;
}

const isRequesters = ({ state }: TurnSession, entry: InboxEntry): entry is MessageEntry =>
  entry.kind === "message" &&
  entry.auto === undefined &&
  entry.sampleOf === undefined &&
  entry.schedule === undefined &&
  entry.stopped !== true &&
  entry.person.id === state.requester.id;
