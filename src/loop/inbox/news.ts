import { piecesAfter, waitsForMore } from "../../core/gesture.ts";
import type { InboxEntry, MessageEntry } from "../../core/history.ts";
import { openMessages } from "../../core/open-messages.ts";
import { sleep } from "../../util/sleep.ts";
import { effective } from "../model/effective-settings.ts";
import type { AnswerDraft } from "../session/answer-draft.ts";
import { TurnLeft, type TurnSession } from "../session/turn-session.ts";
import type { TurnContext } from "../turn-context.ts";
import { concernsTurn, takeEdit } from "./edits.ts";

/*
 * Edits of the open turn's messages, and further pieces of their gesture, join the turn in every
 * mode: while people have seen nothing of the answer, the model is asked again at once; else with the
 * next round; else, where the turn ends first, pieces open the next turn. They stay in the inbox until
 * the commit that has them in the history, so that a crash loses none.
 */

/** Pieces that a person sends at once arrive within this time of each other. Milliseconds. */
const gatherMs = 150;
/** However many pieces come, the model is asked after this. Milliseconds. */
const maxGatherMs = 2_000;

/** By session: how many inbox entries had arrived when it looked last. */
const lookedAt = new WeakMap<TurnSession, number>();

/**
 * Puts into the history the edits and pieces that the open turn is about. Those at the inbox' head
 * are consumed with it; others stay until their turn comes, and are known then. Asks the store only
 * when something has arrived. @throws TurnLeft
 */
export async function takeNews(context: TurnContext): Promise<void> {
  const { session } = context;
  const { arrived, begun } = session;
  if (lookedAt.get(session) === arrived || session.waiting === 0) return;
  lookedAt.set(session, arrived);
  const isAtHand = arrived === begun.inbox.length;
  const entries = await gathered(
    context,
    isAtHand
      ? begun.inbox.slice(session.consumed).map(({ entry }) => entry)
      : await waitingOf(context),
  );
  const pieces = new Set<InboxEntry>(piecesOf(session, entries));
  for (const entry of entries)
    if (entry.kind === "edit") await takeEdit(context, entry);
    else if (entry.kind === "message" && pieces.has(entry) && !isKnown(session, entry))
      session.append(entry);
  const others = entries.findIndex((entry) => entry.kind !== "edit" && !pieces.has(entry));
  session.join(others < 0 ? entries.length : others);
}

/** Waits for the rest of several forwards, so that the model isn't asked once for each. */
async function gathered(
  context: TurnContext,
  atFirst: readonly InboxEntry[],
): Promise<readonly InboxEntry[]> {
  const { deps, session } = context;
  const untilMs = deps.clock.monotonic() + maxGatherMs;
  let entries = atFirst;
  for (;;) {
    const newest = piecesOf(session, entries).at(-1);
    if (newest === undefined || isKnown(session, newest) || !waitsForMore(newest)) return entries;
    const leftMs = Math.min(newest.atMs + gatherMs - deps.clock.wall(), gatherMs);
    if (leftMs <= 0 || deps.clock.monotonic() >= untilMs) return entries;
    await sleep(leftMs, session.signal).catch(() => undefined); // Interrupted.
    if (session.interruption !== undefined) return entries;
    entries = await waitingOf(context);
  }
}

/**
 * Ends the model call under way, to be made again with what has joined, while people have seen
 * nothing of the turn and it has done nothing. Never rejects.
 */
export async function restartForNews(context: TurnContext, draft: AnswerDraft): Promise<void> {
  const { deps, session } = context;
  const { openCall: call } = session;
  if (lookedAt.get(session) === session.arrived || session.waiting === 0) return;
  const mayRestart = (): boolean =>
    call !== undefined &&
    call === session.openCall &&
    isUnseen(session, draft) &&
    hasCallsLeft(context);
  if (!mayRestart()) return;
  try {
    const waiting = await deps.store.waiting(session.begun.session);
    const entries = waiting?.map(({ entry }) => entry) ?? [];
    const isNews =
      entries.some((entry) => entry.kind === "edit" && concernsTurn(session, entry)) ||
      piecesOf(session, entries).some((piece) => !isKnown(session, piece));
    if (!isNews || !mayRestart()) return;
    // Nothing of the old answer may be shown from here on.
    draft.setText("", "");
    call?.abort("edited");
  } catch (error) {
    const { chat } = session;
    deps.log.warn({ error, chat }, "could not look for edits and further pieces");
  }
}

const isUnseen = (session: TurnSession, draft: AnswerDraft): boolean =>
  session.state.round === 1 && !session.mayHaveShown && !draft.wasShown;

/** The call after it must not be the turn's last, which has no tools. */
const hasCallsLeft = (context: TurnContext): boolean =>
  context.session.state.counters.modelCalls + 1 < effective(context).policy.maxModelCalls;

/** The waiting messages that belong to the gesture which the open turn answers. */
export function piecesOf(
  { state, transcript }: TurnSession,
  waiting: readonly InboxEntry[],
): readonly MessageEntry[] {
  // A sample's persona has been approved by no one: it answers nothing else.
  if (state.compactOnly || state.persona?.owner.startsWith("sample:")) return [];
  const newest = openMessages(transcript, state.turn).findLast(
    ({ person }) => person.id === state.requester.id,
  );
  return newest === undefined ? [] : piecesAfter(newest, waiting);
}

/** Whether it has joined a turn already, from behind other people's messages. */
export const isKnown = ({ transcript }: TurnSession, { id, burst }: MessageEntry): boolean =>
  burst !== undefined && transcript.some((entry) => entry.kind === "message" && entry.id === id);

/** @throws TurnLeft */
export async function waitingOf({ deps, session }: TurnContext): Promise<readonly InboxEntry[]> {
  const waiting = await deps.store.waiting(session.begun.session);
  if (waiting === undefined) throw new TurnLeft("fenced");
  return waiting.map(({ entry }) => entry);
}
