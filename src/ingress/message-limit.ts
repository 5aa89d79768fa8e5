import type {
  Acceptance,
  InboundCommand,
  InboundMessage,
} from "../core/inbound.ts";
import type { LimitHit, Spender } from "../core/limits.ts";
import { limitSentence } from "../locales/limit-sentence.ts";
import { answerOnce } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** A message, or a command that has the model asked as one does. */
type Counted = InboundMessage | InboundCommand;

/** Counts a message where a limit may forbid it, before anything of it is kept. Undefined: it may come in. */
export async function overLimit(
  deps: AcceptDeps,
  arrived: Arrived<Counted>,
): Promise<Acceptance | undefined> {
  const { inbound, chat } = arrived;
  const spender = spenderOf(arrived);
  if (!(await deps.limits.isLimited(spender))) return undefined;
  const counted = await deps.limits.count(spender, countOf(inbound));
  if (counted.type === "counted") return undefined;
  // It had come in before the limit was reached, and is delivered again.
  if (await deps.commandDeps.inbox.hasSeen(chat, inbound.id))
    return { type: "duplicate" };
  return await refuse(deps, arrived, counted);
}

/** Counts a message that no limit can forbid. Nobody has to wait for it before the message is kept. */
export async function countFreely(
  deps: AcceptDeps,
  arrived: Arrived<Counted>,
): Promise<void> {
  const spender = spenderOf(arrived);
  // Else it has been counted on its way in. A limit that was set this moment holds from the next one on.
  if (await deps.limits.isLimited(spender)) return;
  await deps.limits.count(spender, countOf(arrived.inbound));
}

const spenderOf = ({
  inbound: { person },
  chat,
  role,
}: Arrived<Counted>): Spender => ({ person, chat, role });

/**
 * An album, which has a number, is one message; pieces of a split text are as many as they are. Of what was not meant for the
 * bot nobody is told, so that it is still news for the next one.
 */
function countOf(inbound: Counted) {
  const { id } = inbound;
  if (inbound.type === "command") return { id, countedAs: id };
  const { burst = "", isAddressed } = inbound;
  return {
    id: isAddressed === false ? "" : id,
    countedAs: /^\d+$/.test(burst) ? `album-${burst}` : id,
  };
}

/** Whoever waits for an answer hears of it every time, everybody else once per window. */
async function refuse(
  deps: AcceptDeps,
  arrived: Arrived<Counted>,
  { hit, isFirst }: { readonly hit: LimitHit; readonly isFirst: boolean },
): Promise<Acceptance> {
  const { inbound, locale } = arrived;
  const { messageId, answersItself, person } = inbound;
  if (inbound.type === "message" && inbound.isAddressed === false)
    return { type: "ignored" };
  if (!isFirst && !answersItself) return { type: "refused" };
  const reader = { language: person.language, nowMs: deps.commandDeps.now() };
  const text = `${limitSentence(hit, reader)} ${locale.limits.notKept}`;
  const answered = await answerOnce(deps, arrived, {
    text,
    isPatient: true,
    ...(messageId === undefined ? {} : { replyTo: messageId }),
  });
  return answered.type === "duplicate" ? answered : { type: "refused", text };
}
