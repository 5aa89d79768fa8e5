import type { ModelProblem } from "../core/model.ts";
import type { Locale } from "./locale.ts";

/** Why a model can't be used, and what its owner can do about it. Pure. */
export function modelProblemText(
  { id, model, server: { type, host }, isMissing, failure: { kind, message } }: ModelProblem,
  { findings }: Pick<Locale, "findings">,
): { readonly what: string; readonly fix: string } {
  const { failing, fix } = findings.model;
  const isOllama = type === "ollama";
  const at = host ?? failing.unknownHost;
  const server = isOllama
    ? `Ollama (${at})`
    : type === "openai"
      ? failing.server(at)
      : failing.demo;
  const cause = message.slice(0, maxCauseLength);
  switch (kind) {
    case "network":
    case "timeout":
      return {
        what: failing.unreachable(server, id, cause),
        fix: isOllama ? fix.startOllama : fix.start,
      };
    case "auth":
      return { what: failing.refusesKey(server, id, cause), fix: isOllama ? fix.login : fix.key };
    case "no-credit":
      return { what: failing.noCredit(server, id, cause), fix: fix.credit };
    case "unknown-model":
      return isMissing
        ? { what: failing.notPulled(model), fix: fix.pull(model) }
        : { what: failing.notServed(server, model, cause), fix: fix.name };
    case "invalid-request": {
      // Another server than the one that was meant.
      const isElsewhere = /\b404\b/.test(message);
      const elsewhere = isOllama ? fix.startOllama : fix.start;
      return {
        what: failing.refused(server, id, cause),
        fix: isElsewhere ? elsewhere : fix.seeLog,
      };
    }
    case "rate-limited":
    case "overloaded":
      return { what: failing.busy(server, id, cause), fix: fix.second };
    case "broken-call":
    case "context-overflow":
    case "moderated":
    case "refused":
      return { what: failing.refused(server, id, cause), fix: fix.seeLog };
    default:
      return kind satisfies never;
  }
}

/** UTF-16 units. */
const maxCauseLength = 300;
