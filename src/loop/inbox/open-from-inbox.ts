import { isOwnTurn, piecesAfter } from "../../core/gesture.ts";
import type { ControlEntry, EditEntry, InboxEntry, MessageEntry } from "../../core/history.ts";
import { unreachable } from "../../core/errors.ts";
import { beginWithSkill } from "./begin-with-skill.ts";
import { takeEdit } from "./edits.ts";
import { forget, isErasure } from "./forget.ts";
import { openCompaction, openTurn } from "../machine/open-turn.ts";
import type { TurnResult } from "../turn-result.ts";
import type { TurnSession } from "../session/turn-session.ts";
import { inPersona, personaFor, takePersona } from "../persona.ts";
import { undoExchange } from "./undo-exchange.ts";
import { isKnown } from "./news.ts";
import { whileBusyOf } from "./while-busy.ts";
import type { TurnContext } from "../turn-context.ts";

interface Waiting {
  readonly position: number;
  readonly entry: InboxEntry;
}

/**
 * Consumes an idle chat's inbox up to and including the first entry that opens
 * a turn; pieces of one gesture open it together. Returns when none opened one.
 * @throws TurnLeft
 */
export async function openFromInbox(context: TurnContext): Promise<TurnResult | undefined> {
  const { session } = context;
  const { inbox } = session.begun;
  for (let index = 0; index < inbox.length; index += 1) {
    const { position, entry } = inbox[index] as Waiting;
    // The chat is paused: commit the effects of earlier entries and leave the
    // rest.
    if (session.begun.isHeld && mayOpen(session, { position, entry })) break;
    if (isErasure(entry)) {
      // If it was added several times, it is carried out once: after everything that it concerns.
      if (inbox.slice(index + 1).some((later) => later.entry.id === entry.id)) {
        session.take(1, position);
        continue;
      }
      return await forget(context, entry, index > 0);
    }
    session.take(1, position);
    switch (entry.kind) {
      case "reset":
        session.append(entry);
        session.forgetView();
        break;
      case "edit":
        // Its message has been answered since: the next turn's model sees it, unless it came after that.
        await takeEdit(context, entry);
        break;
      case "control":
        // A stop ends work, and an undo is not work: each /undo and /retry begins with a stop.
        if (isStopped(session, { position, entry }) && entry.control !== "undo") break;
        if (await openControlled(context, position, entry)) {
          await session.commit();
          return undefined;
        }
        break;
      case "message":
        // It has joined an earlier turn.
        if (isKnown(session, entry)) break;
        if (entry.watch !== undefined) {
          if (isStopped(session, { position, entry })) break;
          await openTurnOf(context, position, entry);
          await session.commit();
          return undefined;
        }
        session.append(asLogged(entry));
        if (isStopped(session, { position, entry })) {
          endUnanswered(session, position, "cancelled");
          break;
        }
        if (isReplaced(context, entry, inbox.slice(index + 1))) {
          endUnanswered(session, position, "superseded");
          break;
        }
        await openWith(context, inbox.slice(index));
        return undefined;
      default:
        unreachable(entry);
    }
  }
  const { again } = await session.commit({ idle: true, release: {} });
  return { type: again ? "again" : "done" };
}

const mayOpen = (session: TurnSession, waiting: Waiting): boolean => {
  const { entry } = waiting;
  return (
    !isStopped(session, waiting) &&
    (entry.kind === "message" || (entry.kind === "control" && !isErasure(entry)))
  );
};

/** By a stop for everyone, which is a position, or by its author's, which is a mark. */
const isStopped = ({ stopAt }: TurnSession, { position, entry }: Waiting): boolean =>
  position <= stopAt || ("stopped" in entry && entry.stopped === true);

/** The mark belongs to the inbox: a retry of the message must not copy it. */
function asLogged(entry: MessageEntry): MessageEntry {
  const { stopped: _, ...message } = entry;
  return message;
}

const endUnanswered = (
  session: TurnSession,
  turn: number,
  reason: "cancelled" | "superseded",
): void => session.append({ kind: "end", v: 1, turn, reason });

/**
 * In the mode `interrupt` only a person's newest message is answered; the model still reads the
 * others.
 */
function isReplaced(
  context: TurnContext,
  entry: MessageEntry,
  behind: readonly Waiting[],
): boolean {
  const later = behind.map((each) => each.entry);
  const pieces = new Set<InboxEntry>(piecesAfter(entry, later));
  return (
    whileBusyOf(context) === "interrupt" &&
    entry.schedule === undefined &&
    later.some(
      (each) =>
        each.kind === "message" &&
        each.auto === undefined &&
        each.sampleOf === undefined &&
        each.schedule === undefined &&
        each.person.id === entry.person.id &&
        !pieces.has(each),
    )
  );
}

/** Whether a turn is open now. */
async function openControlled(
  context: TurnContext,
  position: number,
  control: ControlEntry,
): Promise<boolean> {
  const { session } = context;
  switch (control.control) {
    case "compact":
      session.open(openCompaction(position, control));
      return true;
    case "undo":
      undoExchange(context, control);
      return false;
    case "retry": {
      const again = undoExchange(context, control);
      const [first] = again;
      if (first === undefined) return false;
      session.append(...again);
      await openTurnOf(context, position, first);
      await beginWithSkill(context, first);
      return true;
    }
    default:
      return unreachable(control.control);
  }
}

async function openWith(context: TurnContext, from: readonly Waiting[]): Promise<void> {
  const { session } = context;
  const [first, ...others] = from as [Waiting & { entry: MessageEntry }, ...Waiting[]];
  const collects = whileBusyOf(context) === "collect";
  const pieces = new Set<InboxEntry>(
    piecesAfter(
      first.entry,
      others.map(({ entry }) => entry),
    ),
  );
  let turn = first.position;
  let before = first.entry;
  let asking = first.entry;
  const edits: EditEntry[] = [];
  for (const { position, entry } of others) {
    if (entry.kind === "edit") {
      session.take(1, position);
      edits.push(entry);
      continue;
    }
    if (entry.kind !== "message" || entry.stopped) break;
    const belongs = pieces.has(entry) || (collects && isOfOneTurn(before, entry));
    if (!belongs) break;
    session.take(1, position);
    session.append(entry);
    turn = position;
    before = entry;
    if (!isQuestion(asking)) asking = entry;
  }
  await openTurnOf(context, turn, isQuestion(asking) ? asking : first.entry);
  for (const edit of edits) await takeEdit(context, edit);
  await beginWithSkill(context, first.entry);
  await session.commit();
}

async function openTurnOf(
  context: TurnContext,
  turn: number,
  message: MessageEntry,
): Promise<void> {
  const { deps, session } = context;
  const persona = await personaFor(deps.personas, session.begun, message);
  session.open(inPersona(openTurn(turn, message), persona));
  await takePersona(context);
}

/**
 * Consecutive messages of one person; messages from `/auto` stay separate
 * turns.
 */
const isOfOneTurn = (before: MessageEntry, next: MessageEntry): boolean =>
  next.person.id === before.person.id &&
  before.auto === undefined &&
  next.auto === undefined &&
  before.sampleOf === undefined &&
  before.schedule === undefined &&
  !isOwnTurn(next);

/** Whether it has words of the person's own: those are routed and replied to. */
const isQuestion = ({ forwarded, text }: MessageEntry): boolean =>
  forwarded !== true && text.trim() !== "";
