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
  typed,
  type Command,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described } from "./menu.ts";

/** Characters of a reason that are kept. */
const maxReasonLength = 500;

interface Wish {
  readonly target: DecisionTarget;
  readonly reason: string;
}

/** `/approve [id]`: what a tap on Approve does, where there is nothing to tap. */
export const approveCommand: Command = {
  spec: {
    ...described("approve", ({ approve }) => approve.description),
    arguments: [
      { ...described("id", ({ approve }) => approve.id), required: false },
    ],
  },
  role: "member",
  isPrivate: false,
  run: (call, deps) =>
    decide(call, deps, "approve", (cards) => {
      const id = wordsOf(call).join(" ");
      if (id === "") return onlyOf(cards, "");
      const target = targetOf(id, cards);
      return target && { target, reason: "" };
    }),
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
      : [options["id"] ?? "", options["reason"] ?? ""].join(" ");
  return text.split(/\s+/).filter((word) => word !== "");
}

async function decide(
  { chat, person, role, words, argument }: CommandCall,
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
      status: name === "approve" ? "approved" : "denied",
      person,
      role,
      chat,
      ...(reason === ""
        ? {}
        : { reason: reason.slice(0, maxReasonLength).toWellFormed() }),
    },
    target.which,
  );
  return answer(outcome.text);
}
