import type { EditEntry, LogEntry } from "../../core/history.ts";
import {
  EditSearch,
  isEditOf,
  openMessages,
  type EditedMessage,
} from "../../core/open-messages.ts";
import type { AnswerDraft } from "../session/answer-draft.ts";
import { significantWords } from "../../text/own-words.ts";
import { effective } from "../model/effective-settings.ts";
import { TurnLeft, type TurnSession } from "../session/turn-session.ts";
import type { TurnContext } from "../turn-context.ts";

/*
 * An edit follows its message in the inbox, and opens no turn. It is in the history before the next
 * model call: while people have seen nothing of the answer, the model is asked again at once; else
 * with the next round; else, where the turn ends first, with the next turn. One that came after the
 * answer, or after `/new`, is in the history for the memory alone. One that changes nothing is dropped.
 */

/** By session: how many inbox entries had arrived when it looked last. */
const lookedAt = new WeakMap<TurnSession, number>();

/**
 * Puts into the history the edits of what the open turn is about. Those at the inbox' head are
 * consumed with it; others stay until their turn comes, and are known then. Asks the store only
 * when something has arrived. @throws TurnLeft
 */
export async function takeEdits({ deps, session }: TurnContext): Promise<void> {
  const { arrived, begun } = session;
  if (lookedAt.get(session) === arrived || session.waiting === 0) return;
  lookedAt.set(session, arrived);
  const waiting =
    arrived === begun.inbox.length
      ? begun.inbox.slice(session.consumed)
      : await deps.store.waiting(begun.session);
  if (waiting === undefined) throw new TurnLeft("fenced");
  const entries = waiting.map(({ entry }) => entry);
  for (const entry of entries) if (entry.kind === "edit") await takeEdit({ deps, session }, entry);
  const others = entries.findIndex(({ kind }) => kind !== "edit");
  session.join(others < 0 ? entries.length : others);
}

/**
 * Puts an edit into the history, if it changes anything. Facts that were kept of its message and say
 * what it no longer says are deleted. @throws what the store throws.
 */
export async function takeEdit(
  context: Pick<TurnContext, "deps" | "session">,
  edit: EditEntry,
): Promise<void> {
  const { session } = context;
  const changed = await changedBy(context, edit);
  if (changed === undefined) return;
  const { position, text, isPast } = changed;
  session.append({ ...edit, ...(isPast ? { past: true } : {}), of: position });
  session.first(() => dropFacts(context, edit, text));
}

/** Repeated after a crash, it deletes nothing else. @throws what the store throws. */
async function dropFacts(
  { deps, session: { chat } }: Pick<TurnContext, "deps" | "session">,
  { edits, person, text }: EditEntry,
  before: string,
): Promise<void> {
  const unsaid = significantWords(before).difference(significantWords(text));
  if (unsaid.size === 0) return;
  await deps.personFacts.removeWhere(
    [{ chat }, { person: person.id }],
    (fact) =>
      fact.chat === chat &&
      fact.messageId === edits &&
      !unsaid.isDisjointFrom(significantWords(fact.text)),
  );
}

/**
 * Ends the model call under way, to be made again with what was edited, while people have seen
 * nothing of the turn and it has done nothing. The edit stays in the inbox until `takeEdits`, so
 * that a crash loses none. Never rejects.
 */
export async function restartIfEdited(context: TurnContext, draft: AnswerDraft): Promise<void> {
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
    const isEdited = waiting?.some(
      ({ entry }) => entry.kind === "edit" && concernsTurn(session, entry),
    );
    if (isEdited !== true || !mayRestart()) return;
    // Nothing of the old answer may be shown from here on.
    draft.setText("", "");
    call?.abort("edited");
  } catch (error) {
    const { chat } = session;
    deps.log.warn({ error, chat }, "could not look for edits");
  }
}

const isUnseen = (session: TurnSession, draft: AnswerDraft): boolean =>
  session.state.round === 1 && !session.mayHaveShown && !draft.wasShown;

/** The call after it must not be the turn's last, which has no tools. */
const hasCallsLeft = (context: TurnContext): boolean =>
  context.session.state.counters.modelCalls + 1 < effective(context).policy.maxModelCalls;

/** Whether it changes what a message of the open turn reads. */
function concernsTurn(session: TurnSession, edit: EditEntry): boolean {
  const { transcript, state } = session;
  const changed = changedInView(session, new EditSearch(edit));
  return (
    changed !== undefined &&
    changed !== "nothing" &&
    !changed.isPast &&
    edit.past !== true &&
    openMessages(transcript, state.turn).some((each) => isEditOf(edit, each))
  );
}

/** What it changes of the entries at hand. Undefined: what is further back says. */
function changedInView(
  { newest }: TurnSession,
  search: EditSearch,
): ReturnType<EditSearch["look"]> {
  const { first, entries } = newest;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const found = search.look({ position: first + index, entry: entries[index] as LogEntry });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Undefined: it changes nothing. @throws what the store throws. */
async function changedBy(
  { deps, session }: Pick<TurnContext, "deps" | "session">,
  edit: EditEntry,
): Promise<EditedMessage | undefined> {
  const search = new EditSearch(edit);
  const found =
    changedInView(session, search) ??
    (await deps.store.lookBack(session.chat, (entry) => search.look(entry), session.newest.first));
  return found === "nothing" ? undefined : found;
}
