import { unreachable } from "../core/errors.ts";
import type { EndReason, FailureKind } from "../core/history.ts";
import type { TurnPolicy, TurnState } from "../core/turn.ts";
import type { Locale } from "../locales/locale.ts";

/**
 * What the model reads in place of a result. Begins with the failure's kind; holds no clock time.
 * Pure.
 */
export function syntheticResult(failure: FailureKind): string {
  return `${failure}: ${explanations[failure]}`;
}

/** What the model reads where the turn's persona doesn't have the tool. Pure. */
export const notOfPersona = (persona: string): string =>
  `policy-denied: the persona "${persona}", which answers in this turn, does not have this tool. It was not run.`;

/** What the model reads where the platform didn't take the card of an approval. */
export const nobodyAsked =
  "confirmation-expired: the message that asks for approval could not be posted in this chat, so nobody could be asked. It was not run. Do not ask for it again here; say why it was not done.";

/** What the model reads where an earlier call of the round has ended the turn. Pure. */
export const notBegun = (because: EndReason): string =>
  `superseded: it was not run, because ${because === "policy-denied" ? "another call of the same answer is not allowed" : "another call of the same answer failed"}, and this turn stops then.`;

/** What the model reads after an empty answer to the results of its calls. Pure. */
export const emptyHint = ({
  empty,
  round,
}: Pick<TurnState, "empty" | "round">): string | undefined =>
  empty === undefined || round === 1
    ? undefined
    : "your last answer was empty. Answer the person now, with what the tools returned, or say what is missing.";

const reasonMark = " Their reason: ";

/** What the model reads where a person denied a call and said why. Pure. */
export const deniedBecause = (reason: string): string =>
  `${syntheticResult("confirmation-denied")}${reasonMark}${JSON.stringify(reason)}`;

/** The reason in such a result; undefined where there is none. Pure. */
export function reasonIn(text: string): string | undefined {
  const at = text.indexOf(reasonMark);
  return at < 0 ? undefined : text.slice(at + reasonMark.length);
}

const explanations: Record<FailureKind, string> = {
  "tool-error": "the tool failed.",
  timeout: "the tool did not finish in time.",
  "invalid-arguments": "the arguments do not fit the tool's schema.",
  "unknown-tool": "there is no tool of this name.",
  "policy-denied": "the operator's policy does not allow this call.",
  "confirmation-denied":
    "a person denied this call. It was not run. Do not ask for it again unless they say so.",
  "confirmation-expired": "nobody decided in time. It was not run.",
  superseded: "the person wrote something new before it was run.",
  cancelled: "the person stopped the turn. It was not run to its end.",
  "limit-reached": "the turn has reached its limit of tool executions. It was not run.",
  deadline: "the turn has reached its time limit. It was not run to its end.",
  "outcome-unknown":
    "the call was interrupted and may or may not have taken effect. It is not repeated by itself.",
};

/** What the model reads with the request that is the turn's last: which limit ended it. Pure. */
export function closingHint(reason: EndReason, policy: TurnPolicy): string {
  return `this turn was stopped: ${whyClosed(reason, policy)}. This is your last answer in it, and you cannot call tools any more. Answer with what you have. Say plainly what was done and what was not.`;
}

/** What a model reads that has written a tool call as text. Pure. */
export const printedHint = (hasTools: boolean): string =>
  hasTools
    ? "Your last answer held a tool call as text, which was not run and which no one has seen. Call the tool through the tool-calling interface, not in your text. If you only meant to quote such notation, put it into a code block."
    : "Your last answer held a tool call as text, which was not run and which no one has seen. You have no tools here: answer in words.";

function whyClosed(reason: EndReason, policy: TurnPolicy): string {
  switch (reason) {
    case "max-model-calls":
      return `it has reached its limit of model calls (${policy.maxModelCalls})`;
    case "max-tool-executions":
      return `it has reached its limit of tool executions (${policy.maxToolExecutions})`;
    case "loop-detected":
      return "you went in circles, repeating calls without progress more often than the limit allows";
    case "confirmation-denied":
      return "a call that needed an approval was not approved";
    case "policy-denied":
      return "a call is not allowed";
    case "tool-failure":
      return "a tool failed";
    default:
      return "it has reached a limit";
  }
}

/**
 * What the person reads when a turn ends without the model's own words; empty where others say it.
 * Pure.
 */
export function endSentence(reason: EndReason, policy: TurnPolicy, { end }: Locale): string {
  switch (reason) {
    case "max-model-calls":
      return end.modelCalls(policy.maxModelCalls);
    case "max-tool-executions":
      return end.toolExecutions(policy.maxToolExecutions);
    case "max-tokens":
      return end.tokens(policy.maxTokens ?? 0);
    case "max-cost":
      return end.cost(policy.maxCostUsd ?? 0);
    case "loop-detected":
      return end.loop;
    case "deadline":
      return end.deadline(Math.round(policy.deadlineMs / 100) / 10);
    case "confirmation-denied":
      return end.denied;
    case "policy-denied":
      return end.notAllowed;
    case "tool-failure":
      return end.toolFailed;
    case "answered":
    case "cancelled":
    case "superseded":
    case "model-failed":
    case "compacted":
    case "poisoned":
      return "";
    default:
      return unreachable(reason);
  }
}
