import { approveAlways } from "../access/always-allow.ts";
import { decideAndWake } from "../access/decide-approval.ts";
import {
  targetOf,
  targetOn,
  waitingCards,
  type DecisionTarget,
  type WaitingCard,
} from "../access/waiting-cards.ts";
import {
  answer,
  answerTo,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { parseDuration } from "../core/durations.ts";
import { needsNumber } from "./edit.ts";
import { described } from "./menu.ts";

/** Characters of a reason that are kept. */
const maxReasonLength = 500;

interface Wish {
  readonly target: DecisionTarget;
  readonly reason: string;
}

/**
 * `/approve [id]`: what a tap on Approve does, where there is nothing to tap. `/approve [id] always [1h] [any]`: the same call,
 * or any with arguments like these, runs without asking for that long.
 */
export const approveCommand: Command = {
  spec: {
    ...described("approve", ({ approve }) => approve.description),
    arguments: [
      { ...described("id", ({ approve }) => approve.id), required: false },
      {
        ...described("always", ({ approve }) => approve.always),
        required: false,
      },
    ],
  },
  role: "member",
  isPrivate: false,
  run(call, deps) {
    const said = wordsOf(call);
    const at = said.findIndex((word) => /^always$/i.test(word));
    const id = said.slice(0, at < 0 ? undefined : at).join(" ");
    const wishOf = (cards: readonly WaitingCard[]): Wish | undefined => {
      if (id === "") return onlyOf(cards, "");
      const target = targetOf(id, cards);
      return target && { target, reason: "" };
    };
    return at < 0
      ? decide(call, deps, "approve", wishOf)
      : allow(call, deps, wishOf, said.slice(at + 1));
  },
};

/** `/deny [id] [reason]`: likewise; the model is told the reason. */
export const denyCommand: Command = {
  spec: {
    ...described("deny", ({ deny }) => deny.description),
    arguments: [
      { ...described("id", ({ deny }) => deny.id), required: false },
      { ...described("reason", ({ deny }) => deny.reason), required: false },
    ],
  },
  role: "member",
  isPrivate: false,
  run: (call, deps) =>
    decide(call, deps, "deny", (cards) => {
      const [first = "", ...others] = wordsOf(call);
      const target = targetOf(first, cards);
      if (target) return { target, reason: others.join(" ") };
      // Nothing names a call: all of it says why.
      const isReasonAlone = call.options?.["id"] === undefined;
      return isReasonAlone
        ? onlyOf(cards, [first, ...others].join(" "))
        : undefined;
    }),
};

const onlyOf = (
  [card, ...others]: readonly WaitingCard[],
  reason: string,
): Wish | undefined => {
  const target =
    others.length === 0 && card ? targetOn(card, undefined) : undefined;
  return target && { target, reason };
};

function wordsOf({ argument, options }: CommandCall): readonly string[] {
  const text =
    options === undefined
      ? argument
      : [
          options["id"] ?? "",
          options["reason"] ?? "",
          options["always"] === undefined ? "" : `always ${options["always"]}`,
        ].join(" ");
  return text.split(/\s+/).filter((word) => word !== "");
}

async function decide(
  { chat, person, chatRole, words, argument, eventId }: CommandCall,
  deps: CommandDeps,
  name: "approve" | "deny",
  wishOf: (cards: readonly WaitingCard[]) => Wish | undefined,
) {
  const cards = waitingCards(await deps.approvals.shownOf(chat));
  const wish = wishOf(cards);
  if (wish === undefined) {
    if (cards.length === 0) return answer(words.approvals.none);
    return answer(
      argument === "" || name === "deny"
        ? words.decisions.which(name)
        : words.decisions.unknownId(typed(argument)),
    );
  }
  const { target, reason } = wish;
  const outcome = await decideAndWake(
    deps,
    {
      approvalId: target.approvalId,
      eventId,
      status: name === "approve" ? "approved" : "denied",
      person,
      role: chatRole,
      chat,
      ...(reason === ""
        ? {}
        : { reason: reason.slice(0, maxReasonLength).toWellFormed() }),
    },
    target.which,
  );
  return answerTo(outcome);
}

const isAny = (word: string): boolean => /^any$/i.test(word);

/** @param how what stands behind `always`: for how long, and whether other arguments are covered. */
async function allow(
  { chat, person, chatRole, words, argument, eventId }: CommandCall,
  deps: CommandDeps,
  wishOf: (cards: readonly WaitingCard[]) => Wish | undefined,
  how: readonly string[],
): Promise<CommandAnswer> {
  const cards = waitingCards(await deps.approvals.shownOf(chat));
  const target = wishOf(cards)?.target;
  if (target === undefined) {
    if (cards.length === 0) return answer(words.approvals.none);
    const { which, unknownId } = words.decisions;
    return answer(
      /^always/i.test(argument) ? which("approve") : unknownId(typed(argument)),
    );
  }
  if (needsNumber(target, cards)) return answer(words.grants.one);
  // In a field named so, some write the word again.
  const spanText = how
    .filter((word) => !isAny(word) && !/^always$/i.test(word))
    .join(" ");
  const spanMs = spanText === "" ? undefined : parseDuration(spanText);
  if (spanText !== "" && (spanMs === undefined || spanMs <= 0))
    return answer(words.grants.noSpan(typed(spanText)));
  const { approvalId } = target;
  const outcome = await approveAlways(
    deps,
    { approvalId, eventId, person, role: chatRole, chat },
    { spanMs, scope: how.some(isAny) ? "shape" : "same" },
  );
  return answerTo(outcome);
}
