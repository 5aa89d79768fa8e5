import type { InboundMessage } from "../core/inbound.ts";
import type { LimitHit, Spender } from "../core/limits.ts";
import { limitSentence } from "../locales/limit-sentence.ts";
import { momentIn } from "../locales/moment.ts";
import { answersItself } from "./answers.ts";
import type { AcceptDeps, Arrived, ArrivedCommand } from "./deps.ts";
import { leaveOut } from "./leave-out.ts";
import type { Outcome } from "./outcome.ts";

type Counted = Arrived<InboundMessage> | ArrivedCommand;

/** A message, or a command that asks a model. */
const asksModel = (arrived: Counted): boolean =>
  !("command" in arrived) || arrived.command.spec.startsTurn === true;

/** Counts a message that a limit may refuse, before any of it is stored. */
export async function limitMessages(
  deps: AcceptDeps,
  arrived: Counted,
): Promise<Outcome | undefined> {
  const { inbound, chat, locale } = arrived;
  if (!asksModel(arrived)) return undefined;
  const spender = spenderOf(arrived);
  if (!(await deps.messageLimits.isLimited(spender))) return undefined;
  const counted = await deps.messageLimits.count(spender, countOf(arrived));
  if (counted.type === "counted") return undefined;
  // It came in before the limit was reached, and is delivered again.
  if (await deps.inbox.hasSeen(chat, inbound.id)) return { type: "duplicate" };
  if (inbound.type === "message" && inbound.isAddressed === false) return { type: "ignored" };
  const { hit, isFirst } = counted;
  deps.metrics.limitRefused(hit.limit.metric);
  const { person } = inbound;
  const { metric, per } = hit.limit;
  const reader = { language: person.language, nowMs: deps.now() };
  // A person who waits for an answer has read the whole sentence before.
  const text =
    isFirst || !answersItself(inbound)
      ? `${limitSentence(hit, reader)} ${locale.limits.notKept}`
      : [locale.contact.stillAtLimit, ...resetsAt(hit, arrived, reader)].join(" ");
  return await leaveOut(deps, arrived, { cause: `limit:${metric}/${per}`, text, isFirst });
}

/** Counts a message that no limit can refuse; it is not awaited that the count is written. */
export async function countUnlimited(
  { messageLimits }: AcceptDeps,
  arrived: Counted,
): Promise<void> {
  if (!asksModel(arrived)) return;
  const spender = spenderOf(arrived);
  // Otherwise `limitMessages` has counted it. A limit that was set this moment applies from the
  // next message on.
  if (await messageLimits.isLimited(spender)) return;
  messageLimits.countUnlimited(spender, countOf(arrived));
}

const resetsAt = (
  { resetsAtMs }: LimitHit,
  { locale: { limits } }: Counted,
  { language, nowMs }: { readonly language?: string | undefined; readonly nowMs: number },
): readonly string[] =>
  resetsAtMs === undefined ? [] : [limits.resets(momentIn(language, resetsAtMs, nowMs))];

const spenderOf = ({ inbound: { person }, chat, role }: Counted): Spender => ({
  person,
  chat,
  role,
});

/**
 * A gesture counts as one message. A message that isn't addressed to the bot has no id: its refusal
 * isn't sent, and so doesn't count as reported.
 */
function countOf(arrived: Counted) {
  const { id } = arrived.inbound;
  if ("command" in arrived) return { id, countedAs: id };
  const countedAs = arrived.gestures.count(arrived);
  return { id: arrived.inbound.isAddressed === false ? "" : id, countedAs };
}
