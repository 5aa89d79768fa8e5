import { approveAlways } from "../approvals/always-allow.ts";
import { decideAndWake } from "../approvals/decide-approval.ts";
import {
  isId,
  isNumber,
  readTarget,
  targetOn,
  waitingCards,
  type DecisionTarget,
  type WaitingCard,
} from "../approvals/waiting-cards.ts";
import {
  answer,
  answerTo,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { parseDuration } from "../text/durations.ts";
import { needsNumber } from "./edit.ts";
import { described, optional } from "./menu.ts";

/** UTF-16 units of a reason that are kept. */
const maxReasonLength = 500;
export const shortReason = (text: string): string => text.slice(0, maxReasonLength).toWellFormed();

interface ApproveRequest {
  readonly target: DecisionTarget;
  readonly reason: string;
}

/** The request, or why it can't be carried out. */
type RequestOf = (cards: readonly WaitingCard[]) => ApproveRequest | { refusal: string };

/**
 * `/approve [id] [n]`: what a tap on Approve does, where there is nothing to tap. `/approve [id]
 * [n] always [1h] [any]`: the same call, or any with arguments like these, runs without asking for
 * that long.
 */
export const approveCommand: Command = {
  spec: {
    ...described("approve", ({ approve }) => approve.description),
    arguments: [
      optional("id", ({ approve }) => approve.id),
      optional("always", ({ approve }) => approve.always),
    ],
  },
  role: "member",
  isPrivate: false,
  run(call, deps) {
    const said = wordsOf(call);
    const at = said.findIndex((word) => /^always$/i.test(word));
    const named = said.slice(0, at < 0 ? undefined : at);
    const requestOf: RequestOf = (cards) => {
      const request = requestIn(call, "approve", { cards, said: named });
      return "target" in request && request.reason !== ""
        ? { refusal: call.locale.decisions.unknownId(typed(call.argument)) }
        : request;
    };
    return at < 0
      ? decide(call, deps, "approved", requestOf)
      : allow(call, deps, requestOf, said.slice(at + 1));
  },
};

/** `/deny [id] [n] [reason]`: denies; the model reads the reason. */
export const denyCommand: Command = {
  spec: {
    ...described("deny", ({ deny }) => deny.description),
    arguments: [
      optional("id", ({ deny }) => deny.id),
      optional("reason", ({ deny }) => deny.reason),
    ],
  },
  role: "member",
  isPrivate: false,
  run: (call, deps) =>
    decide(call, deps, "denied", (cards) => {
      const { said, reason } = deniedWith(call);
      const isUnnamed =
        call.options?.["id"] === undefined &&
        !isId(said[0]) &&
        readTarget(said, cards).type === "unknown";
      const [card, ...others] = cards;
      const target = card && targetOn(card, undefined);
      // No word names a call: the whole text is the reason.
      if (isUnnamed && target && others.length === 0)
        return { target, reason: joined(...said, reason) };
      const request = requestIn(call, "deny", { cards, said });
      return "target" in request ? { ...request, reason: joined(request.reason, reason) } : request;
    }),
};

/** The same words name a call for both commands. Without any the only card is meant. */
function requestIn(
  { locale }: CommandCall,
  name: "approve" | "deny",
  {
    cards,
    said,
  }: {
    readonly cards: readonly WaitingCard[];
    readonly said: readonly string[];
  },
): ReturnType<RequestOf> {
  if (cards.length === 0 && said.length === 0) return { refusal: locale.approvals.none };
  const read = readTarget(said.length === 0 ? ["all"] : said, cards);
  switch (read.type) {
    case "target":
      return { target: read.target, reason: read.rest };
    case "no-call":
      return { refusal: locale.decisions.noCall(typed(read.typed), name) };
    case "unknown":
      if (cards.length === 0) return { refusal: locale.approvals.none };
      return {
        refusal:
          said.length === 0 || (name === "deny" && cards.length > 1)
            ? locale.decisions.which(name)
            : locale.decisions.unknownId(typed(said.join(" "))),
      };
    default:
      return read satisfies never;
  }
}

const wordsIn = (text: string): readonly string[] =>
  text.split(/\s+/).filter((word) => word !== "");

const joined = (...words: readonly string[]): string => words.join(" ").trim();

const wordsOf = ({ argument, options }: CommandCall): readonly string[] =>
  wordsIn(
    options === undefined
      ? argument
      : [
          options["id"] ?? "",
          options["always"] === undefined ? "" : `always ${options["always"]}`,
        ].join(" "),
  );

/**
 * A separate reason field is unambiguous, unless it contains only a number,
 * which is never a reason.
 */
function deniedWith({ argument, options }: CommandCall): {
  readonly said: readonly string[];
  readonly reason: string;
} {
  if (options === undefined) return { said: wordsIn(argument), reason: "" };
  const { id = "", reason = "" } = options;
  return isNumber(reason.trim())
    ? { said: wordsIn(`${id} ${reason}`), reason: "" }
    : { said: wordsIn(id), reason };
}

async function decide(
  { chat, person, chatRole, eventId }: CommandCall,
  deps: CommandDeps,
  status: "approved" | "denied",
  requestOf: RequestOf,
) {
  const request = requestOf(waitingCards(await deps.approvals.shownOf(chat)));
  if ("refusal" in request) return answer(request.refusal);
  const { target, reason } = request;
  const outcome = await decideAndWake(
    deps,
    {
      approvalId: target.approvalId,
      eventId,
      status,
      person,
      role: chatRole,
      chat,
      ...(reason === "" ? {} : { reason: shortReason(reason) }),
    },
    target.which,
  );
  return answerTo(outcome);
}

const isAny = (word: string): boolean => /^any$/i.test(word);

/**
 * @param how the words after `always`: the duration, and whether other
 * arguments are covered.
 */
async function allow(
  { chat, person, chatRole, locale, eventId }: CommandCall,
  deps: CommandDeps,
  requestOf: RequestOf,
  how: readonly string[],
): Promise<CommandAnswer> {
  const cards = waitingCards(await deps.approvals.shownOf(chat));
  const request = requestOf(cards);
  if ("refusal" in request) return answer(request.refusal);
  const { target } = request;
  if (needsNumber(target, cards)) return answer(locale.grants.one);
  // In a field named so, some write the word again.
  const spanText = how.filter((word) => !isAny(word) && !/^always$/i.test(word)).join(" ");
  const spanMs = spanText === "" ? undefined : parseDuration(spanText);
  if (spanText !== "" && (spanMs === undefined || spanMs <= 0))
    return answer(locale.grants.noSpan(typed(spanText)));
  const { approvalId } = target;
  const outcome = await approveAlways(
    deps,
    { approvalId, eventId, person, role: chatRole, chat },
    { spanMs, scope: how.some(isAny) ? "shape" : "same" },
  );
  const { isOnCard: _, ...said } = answerTo(outcome);
  // For how long it holds is not on the card.
  return said;
}
