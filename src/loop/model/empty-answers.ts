import { isBlank } from "../../text/blank.ts";
import type { TurnState } from "../../core/turn.ts";
import { apply } from "../machine/apply.ts";
import { decide } from "../machine/decide.ts";
import type { TurnContext } from "../turn-context.ts";
import { effective } from "./effective-settings.ts";
import type { Answer } from "./read-answer.ts";

/** After this many empty answers in a row the models that gave them are left out. */
const emptiesBeforeFallback = 2;

/** Models that gave only empty answers, by `provider/model`, and aren't asked for now. Pure. */
export const emptyModels = ({ empty = [] }: Pick<TurnState, "empty">): readonly string[] =>
  empty.length >= emptiesBeforeFallback ? empty : [];

/**
 * A whole answer without words and calls, thoughts or none, is asked for again: once of the same
 * model, then once of another one of its tier. A limit of the turn that allows no further call comes
 * first, and so does a cut at the length limit, which would only repeat itself.
 * @returns whether it is asked for again.
 */
export function askAgainIfEmpty(context: TurnContext, answer: Answer, elapsedMs: number): boolean {
  const { deps, session } = context;
  const { text, calls, card, finish, spent } = answer;
  if (!isBlank(text) || calls.length > 0 || finish === "length") return false;
  if (session.state.schedule?.isQuiet || (session.interruption ?? "shutdown") !== "shutdown")
    return false;
  const { chain, policy } = effective(context);
  const lost = { type: "model-call-lost", empty: card.id, spent, elapsedMs } as const;
  const after = apply(session.state, lost);
  const { empty = [] } = after;
  const isRefused =
    empty.length > emptiesBeforeFallback ||
    (empty.length === emptiesBeforeFallback && chain.cards.every(({ id }) => empty.includes(id)));
  if (isRefused || decide(after, policy).type !== "call-model") return false;
  session.record(lost);
  deps.log.warn({ chat: session.chat, model: card.id }, "the answer was empty; asking again");
  return true;
}
