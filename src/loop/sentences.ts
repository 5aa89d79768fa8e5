import { unreachable } from "../core/errors.ts";
import type { EndReason, FailureKind } from "../core/history.ts";
import type { ModelFailureKind } from "../core/model.ts";
import type { TurnPolicy } from "../core/turn.ts";

/** What the model reads in place of a result. Begins with the failure's kind; holds no clock time. Pure. */
export function syntheticResult(failure: FailureKind): string {
  return `${failure}: ${explanations[failure]}`;
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
  "limit-reached":
    "the turn has reached its limit of tool executions. It was not run.",
  deadline: "the turn has reached its time limit. It was not run to its end.",
  "outcome-unknown":
    "the call was interrupted and may or may not have taken effect. It is not repeated by itself.",
};

/** What the person reads when a turn ends without the model's own words. Pure. */
export function endSentence(reason: EndReason, policy: TurnPolicy): string {
  switch (reason) {
    case "max-model-calls":
      return `I stopped here: this turn reached its limit of ${counted(policy.maxModelCalls, "model call")}.`;
    case "max-tool-executions":
      return `I stopped here: this turn reached its limit of ${counted(policy.maxToolExecutions, "tool execution")}.`;
    case "max-tokens":
      return `I stopped here: this turn reached its limit of ${counted(policy.maxTokens ?? 0, "token")}.`;
    case "max-cost":
      return `I stopped here: this turn reached its cost limit of $${policy.maxCostUsd ?? 0}.`;
    case "loop-detected":
      return "I stopped here, because I kept doing the same thing without getting anywhere.";
    case "deadline":
      return `I stopped here: this turn reached its time limit of ${counted(Math.round(policy.deadlineMs / 100) / 10, "second")} of work.`;
    case "confirmation-denied":
      return "I stopped here, because what I wanted to do was not approved.";
    case "policy-denied":
      return "I stopped here, because what I wanted to do is not allowed.";
    case "tool-failure":
      return "I stopped here, because a tool failed.";
    case "poisoned":
      return "Sorry, I had to give this message up: working on it failed three times. Please try another way.";
    case "answered":
    case "cancelled":
    case "superseded":
    case "model-failed":
    case "compacted":
      return "";
    default:
      return unreachable(reason);
  }
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

const modelTroubles: Record<ModelFailureKind, string> = {
  "rate-limited": "the model's service has too many requests just now",
  overloaded: "the model's service is overloaded",
  timeout: "the model took too long",
  network: "the model could not be reached",
  "context-overflow":
    "this conversation is too long for the model; /new starts a fresh one",
  auth: "the model's service refused our key",
  "invalid-request": "the model's service refused the request",
  refused: "the model declined to answer",
};

/** What the person reads when the model failed; `errorId` is in the log too. Pure. */
export function modelFailedSentence(
  kind: ModelFailureKind | "empty",
  errorId: string,
): string {
  const trouble =
    kind === "empty" ? "the model gave an empty answer" : modelTroubles[kind];
  return `Sorry, ${trouble}. (${errorId})`;
}
