import type { EditEntry, LogEntry } from "../../core/history.ts";
import {
  EditSearch,
  isEditOf,
  openMessages,
  type EditedMessage,
} from "../../core/open-messages.ts";
import { significantWords } from "../../text/own-words.ts";
import type { TurnSession } from "../session/turn-session.ts";
import type { TurnContext } from "../turn-context.ts";

/*
 * An edit follows its message in the inbox, and opens no turn. It is in the history before the next
 * model call: while people have seen nothing of the answer, the model is asked again at once; else
 * with the next round; else, where the turn ends first, with the next turn. One that came after the
 * answer, or after `/new`, is in the history for the memory alone. One that changes nothing is dropped.
 */

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

/** Whether it changes what a message of the open turn reads. */
export function concernsTurn(session: TurnSession, edit: EditEntry): boolean {
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
